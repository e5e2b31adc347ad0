package web

import (
	"net/http"
)

// serveHome sends people who are signed in to the console, and everybody else to the
// reference.
func (s *Site) serveHome(w http.ResponseWriter, r *http.Request) {
	target := "/docs"
	visitor, err := s.Visitors.Visitor(r)
	if err != nil {
		s.Refusals.Refuse(w, r, err)
		return
	}
	if visitor != nil && visitor.SessionID != "" {
		target = console
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, target, http.StatusFound)
}

package api

import (
	"net/http"
)

// serveHome leads whoever is signed in to their models and anybody else to the
// reference.
func (s *Server) serveHome(w http.ResponseWriter, r *http.Request) {
	target := "/docs"
	if s.sessionOf(r) != "" {
		readerID, err := s.pageReader(r)
		if err != nil {
			s.writeRefusal(w, r.Context(), err)
			return
		}
		if readerID != "" {
			target = "/signin"
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, target, http.StatusFound)
}

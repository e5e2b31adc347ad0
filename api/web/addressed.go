package web

import (
	"bytes"
	"html/template"
	"net/http"
	"strings"
)

// exampleOrigin stands for the service's address in pages that are rendered before
// the address is known, such as the guides.
const exampleOrigin = "http://127.0.0.1:8080"

// addressed is a page whose examples use the address under which its reader reaches
// the service. The page is split at each place where that address goes.
type addressed [][]byte

func newAddressed(page []byte) addressed { return bytes.Split(page, []byte(exampleOrigin)) }

// write writes the page. origin is "" if the reader's address is not known.
func (a addressed) write(w http.ResponseWriter, origin string) {
	if origin == "" {
		origin = exampleOrigin
	}
	htmlHeaders(w.Header())
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(bytes.Join(a, []byte(template.HTMLEscapeString(origin))))
}

// serveAddressed serves a page that is rendered when it is first read.
func (s *Site) serveAddressed(w http.ResponseWriter, r *http.Request, page func() (addressed, error)) {
	a, err := page()
	if err != nil {
		s.Refusals.Refuse(w, r, err)
		return
	}
	a.write(w, s.Origin(r))
}

// htmlHeaders lets a browser load nothing but the page itself.
func htmlHeaders(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
}

// allowForms lets the forms of a page be sent to the service itself.
func allowForms(h http.Header) {
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "form-action 'none'", "form-action 'self'", 1))
}

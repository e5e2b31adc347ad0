package api

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/rs/cors"
)

// newCORS lets pages of the given origins call the interface with a key. It returns
// nil if there are none. Browsers do not send session cookies from other origins.
func newCORS(origins []string) (*cors.Cors, error) {
	if len(origins) == 0 {
		return nil, nil
	}
	for _, origin := range origins {
		u, err := url.Parse(origin)
		if origin != "*" && (err != nil || u.Host == "" || origin != u.Scheme+"://"+u.Host || u.Scheme != "http" && u.Scheme != "https") {
			return nil, fmt.Errorf("origin %q: accepted are addresses without a path, such as https://app.example.com, and * for all", origin)
		}
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{"Accept", "Authorization", "Content-Type", idempotencyHeader, "If-None-Match", "X-Request-Id"},
		ExposedHeaders: []string{"Content-Disposition", "ETag", "Idempotency-Replayed", "Retry-After", "WWW-Authenticate", "X-Request-Id"},
		MaxAge:         600, // seconds
	}), nil
}

// isPreflight reports whether a browser is asking what a page may send.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

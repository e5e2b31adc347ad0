package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/rs/cors"
)

// address makes a public address of path segments. It begins with the public URL,
// or, where none is configured, with the address that the caller has used.
func (*Server) address(ctx context.Context, segments ...string) string {
	return exchangeOf(ctx).origin + "/" + strings.Join(segments, "/")
}

// origin begins the addresses of the service for a caller: the public URL where
// one is configured, else the one that the request was sent to.
func (s *Server) origin(r *http.Request) string {
	if s.PublicURL != "" {
		return s.PublicURL
	}
	return s.Limits.Proxies.Origin(r)
}

// newCORS lets the pages of some origins call the interface with a key, nil where
// there are none. Cookies of sessions are not sent from other origins.
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

// isPreflight reports whether a browser asks what a page may send.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

package api

import (
	"context"
	"net/http"
	"strings"
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

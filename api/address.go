package api

import (
	"context"
	"net/http"
	"strings"
)

// address joins path segments to a public address. It begins with the public URL or,
// if none is configured, with the origin that the caller used.
func (*Server) address(ctx context.Context, segments ...string) string {
	return exchangeOf(ctx).origin + "/" + strings.Join(segments, "/")
}

// origin returns the beginning of the service's addresses for a caller: the
// configured public URL, or else the origin that the request was sent to.
func (s *Server) origin(r *http.Request) string {
	if s.PublicURL != "" {
		return s.PublicURL
	}
	return s.Limits.Proxies.Origin(r)
}

package api

import (
	"cmp"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/internal/fault"
)

// negotiate chooses the format of the answer among those that the operation
// offers. The first is the default: it answers callers who accept none of them,
// since most clients send the same Accept header with every request. Callers who
// accept no content coding are refused. Later handlers find the choice in the
// Accept header.
func (s *Server) negotiate(offered []string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, _ := humamux.Unwrap(ctx)
		if lines := request.Header.Values("Accept"); len(lines) > 0 {
			request.Header.Set("Accept", cmp.Or(bestMedia(acceptedOf(lines), offered), offered[0]))
		}
		if refusesAll(acceptedOf(request.Header.Values("Accept-Encoding"))) {
			s.refuseTo(ctx, fault.New(fault.NotAcceptable, "The Accept-Encoding header refuses zstd, gzip and uncompressed answers. Accept one of them.").
				With(fault.Detail{Location: "header.Accept-Encoding", Message: "accepts no available coding", Accepted: []string{codingZstd, codingGzip, codingNone}}))
			return
		}
		next(ctx)
	}
}

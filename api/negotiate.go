package api

import (
	"mime"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
)

// negotiate refuses callers that do not accept the operation's format, JSON
// where it names none.
func (s *Server) negotiate(format string) func(huma.Context, func(huma.Context)) {
	if format == "" {
		format = "application/json"
	}
	return func(ctx huma.Context, next func(huma.Context)) {
		if accept := ctx.Header("Accept"); accept != "" && !accepts(accept, format) {
			s.refuseTo(ctx, fault.New(fault.NotAcceptable, "This operation answers %s, which the Accept header leaves out.", format).
				With(fault.Detail{Location: "header.Accept", Message: "accepts no available format", Accepted: []string{format}}))
			return
		}
		next(ctx)
	}
}

// accepts reports whether an Accept header takes the media type: the most
// specific range that fits decides, and q=0 refuses (RFC 9110 section 12.5.1).
func accepts(header, mediaType string) bool {
	family, _, _ := strings.Cut(mediaType, "/")
	best, taken := -1, false
	for part := range strings.SplitSeq(header, ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		specific := -1
		switch name {
		case mediaType:
			specific = 2
		case family + "/*":
			specific = 1
		case "*/*":
			specific = 0
		}
		if specific <= best {
			continue
		}
		quality, err := strconv.ParseFloat(params["q"], 64)
		best, taken = specific, params["q"] == "" || err != nil || quality > 0
	}
	return taken
}

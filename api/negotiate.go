package api

import (
	"cmp"
	"mime"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/internal/fault"
)

// negotiate chooses the format of the answer among those that the operation
// offers: the first where the caller likes several as well, or none of them, since
// most clients send one Accept header with every request. It refuses callers that
// accept no coding of the answer. What follows sees the choice in the Accept header.
func (s *Server) negotiate(offered []string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, _ := humamux.Unwrap(ctx)
		if given := request.Header.Values("Accept"); len(given) > 0 {
			request.Header.Set("Accept", cmp.Or(best(strings.Join(given, ","), offered), offered[0]))
		}
		if refusesAll(request.Header.Values("Accept-Encoding")) {
			s.refuseTo(ctx, fault.New(fault.NotAcceptable, "The Accept-Encoding header refuses zstd, gzip and uncompressed answers. Accept one of them.").
				With(fault.Detail{Location: "header.Accept-Encoding", Message: "accepts no available coding", Accepted: []string{codingZstd, codingGzip, codingNone}}))
			return
		}
		next(ctx)
	}
}

// best is the offered media type that an Accept header likes most, "" where it
// takes none.
func best(header string, offered []string) string {
	chosen, liked := "", 0.0
	for _, mediaType := range offered {
		if q := quality(header, mediaType); q > liked {
			chosen, liked = mediaType, q
		}
	}
	return chosen
}

// quality is how much an Accept header likes a media type, 0 where it refuses:
// the most specific range that fits decides (RFC 9110 section 12.5.1).
func quality(header, mediaType string) float64 {
	if strings.Trim(header, " \t,") == "" {
		return 1
	}
	family, _, _ := strings.Cut(mediaType, "/")
	nearest, liked := -1, 0.0
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
		if specific <= nearest {
			continue
		}
		nearest, liked = specific, weight(params["q"])
	}
	return liked
}

// weight reads a q-value: 1 where there is none that is a number.
func weight(text string) float64 {
	q, err := strconv.ParseFloat(text, 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 1
	}
	return q
}

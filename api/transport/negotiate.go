package transport

import (
	"cmp"
	"net/http"

	"ballast/internal/fault"
)

// Negotiate chooses the format of a response among those that its operation offers,
// and stores the choice in the Accept header for later handlers. The first one is the
// default, also for callers that accept none of them, because most clients send the
// same Accept header with every request. It returns fault.NotAcceptable if the caller
// accepts no content coding.
func Negotiate(h http.Header, offered []string) error {
	if given := h.Values("Accept"); len(given) > 0 {
		h.Set("Accept", cmp.Or(bestMedia(acceptedOf(given), offered), offered[0]))
	}
	if !refusesAll(acceptedOf(h.Values("Accept-Encoding"))) {
		return nil
	}
	return fault.New(fault.NotAcceptable, "The Accept-Encoding header refuses zstd, gzip and uncompressed responses. Accept one of them.").
		With(fault.Detail{Location: "header.Accept-Encoding", Message: "accepts no available coding", Accepted: []string{codingZstd, codingGzip, codingNone}})
}

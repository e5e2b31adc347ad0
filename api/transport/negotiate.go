package transport

import (
	"cmp"
	"net/http"

	"ballast/internal/fault"
)

// Negotiate chooses the format of an answer among those that its operation offers.
// The first is the default: it answers callers who accept none of them, since most
// clients send the same Accept header with every request. Later handlers find the
// choice in the Accept header. fault.NotAcceptable where the caller accepts no
// content coding.
func Negotiate(h http.Header, offered []string) error {
	if given := h.Values("Accept"); len(given) > 0 {
		h.Set("Accept", cmp.Or(bestMedia(acceptedOf(given), offered), offered[0]))
	}
	if !refusesAll(acceptedOf(h.Values("Accept-Encoding"))) {
		return nil
	}
	return fault.New(fault.NotAcceptable, "The Accept-Encoding header refuses zstd, gzip and uncompressed answers. Accept one of them.").
		With(fault.Detail{Location: "header.Accept-Encoding", Message: "accepts no available coding", Accepted: []string{codingZstd, codingGzip, codingNone}})
}

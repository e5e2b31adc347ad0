package api

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkHistory is the whole handler over a model of 20 years: routing,
// authentication, checks, metrics where asked for, encoding and ETag. Reading
// the columns is the service's part and not in it.
func BenchmarkHistory(b *testing.B) {
	for _, test := range []struct{ name, query string }{
		{"returns", "?include=returns"},
		{"returns,metrics", "?include=returns,metrics"},
		{"returns,allocation,metrics", "?include=returns,allocation,metrics"},
	} {
		b.Run(test.name, func(b *testing.B) {
			h := newHarness(b, func(c *Config) { c.Logger = slog.New(slog.NewJSONHandler(io.Discard, nil)) })
			h.models.history = fakeHistory(5040)
			r := httptest.NewRequest(http.MethodGet, "/v1/models/SF/history"+test.query, nil)
			r.Header.Set("Authorization", "Bearer "+aliceKey)
			serve := func() *httptest.ResponseRecorder {
				w := httptest.NewRecorder()
				w.Body = nil
				again := *r
				u := *r.URL
				again.URL = &u
				h.ServeHTTP(w, &again)
				if w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
				return w
			}
			b.SetBytes(int64(length(b, serve())))
			b.ReportAllocs()
			for b.Loop() {
				serve()
			}
		})
	}
}

func length(b *testing.B, w *httptest.ResponseRecorder) int {
	b.Helper()
	n := 0
	for _, c := range w.Header().Get("Content-Length") {
		n = n*10 + int(c-'0')
	}
	return n
}

package transport

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"ballast/catalog/sample"
)

// The benchmarks in this file compare what the package implements itself with the
// library that could do the same. docs/dependencies.md has the figures.

// sampleBodies are a 20-year history of ten members and a page of 50 assets as JSON.
func sampleBodies(b *testing.B) map[string][]byte {
	b.Helper()
	dates, returns := weekdays(5040)
	history := AppendDates([]byte(`{"dates":`), dates)
	history = AppendFloats(append(history, `,"returns":`...), returns)
	weights := make([]float64, len(returns))
	for member := range 10 {
		for i, r := range returns {
			weights[i] = .1 + r*float64(member)
		}
		history = append(AppendText(append(history, ','), fmt.Sprintf("SYN%d", member)), ':')
		history = AppendFloats(history, weights)
	}
	page, err := AppendValue(nil, sample.Assets(rand.New(rand.NewPCG(1, 2)), 50))
	if err != nil {
		b.Fatal(err)
	}
	return map[string][]byte{"history": append(history, '}'), "page": page}
}

// BenchmarkCodings sends compressed bodies, and compares with gzhttp. Both use the
// encoders of klauspost/compress at the same level.
func BenchmarkCodings(b *testing.B) {
	c, err := NewCompressor()
	if err != nil {
		b.Fatal(err)
	}
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(leastCompressed), gzhttp.EnableZstd(true), gzhttp.PreferZstd(true),
		gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ZstdCompressionLevel(1), gzhttp.SuffixETag("-gzip"))
	if err != nil {
		b.Fatal(err)
	}
	for name, body := range sampleBodies(b) {
		own := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := Hold(w)
			defer h.Release()
			w.Header().Set("Content-Type", MediaJSON)
			_, _ = h.Write(body)
			h.Send(r, c)
		})
		peer := wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			h := Hold(w)
			defer h.Release()
			w.Header().Set("Content-Type", MediaJSON)
			_, _ = h.Write(body)
			w.Header().Set("ETag", etag(h.body, ""))
			_, _ = w.Write(h.body)
		}))
		for _, coding := range []string{codingZstd, codingGzip} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", coding)
			for who, handler := range map[string]http.Handler{"own": own, "gzhttp": peer} {
				b.Run(name+"/"+coding+"/"+who, func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					for b.Loop() {
						w := httptest.NewRecorder()
						handler.ServeHTTP(w, r)
						if w.Header().Get("Content-Encoding") != coding {
							b.Fatal(w.Header())
						}
					}
				})
			}
		}
	}
}

// BenchmarkNotModified answers 304, and compares with http.ServeContent.
func BenchmarkNotModified(b *testing.B) {
	body := sampleBodies(b)["history"]
	c, err := NewCompressor()
	if err != nil {
		b.Fatal(err)
	}
	for name, coding := range map[string]string{"plain": "", "zstd": codingZstd} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("If-None-Match", etag(body, coding))
		for who, send := range map[string]func(*Held){
			"own": func(h *Held) { h.Send(r, c) },
			"ServeContent": func(h *Held) {
				h.w.Header().Set("ETag", etag(h.body, coding))
				content := h.body
				if coding != "" {
					var err error
					if content, err = c.encode(coding, h.body); err != nil {
						b.Fatal(err)
					}
				}
				http.ServeContent(h.w, r, "", time.Time{}, bytes.NewReader(content))
			},
		} {
			b.Run(name+"/"+who, func(b *testing.B) {
				for b.Loop() {
					w := httptest.NewRecorder()
					h := Hold(w)
					w.Header().Set("Content-Type", MediaJSON)
					_, _ = h.Write(body)
					send(h)
					h.Release()
					if w.Code != http.StatusNotModified {
						b.Fatal(w.Code)
					}
				}
			})
		}
	}
}

// BenchmarkAccept chooses among the formats of a history.
func BenchmarkAccept(b *testing.B) {
	offered := append([]string{MediaJSON}, Tables...)
	lines := []string{"text/html, application/xhtml+xml;q=0.9, text/csv;q=0.8, application/json;q=0.7, */*;q=0.1"}
	for b.Loop() {
		if best := bestMedia(acceptedOf(lines), offered); best != MediaCSV {
			b.Fatal(best)
		}
	}
}

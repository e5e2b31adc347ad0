package api

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"ballast/catalog"
	"ballast/catalog/sample"
)

// The benchmarks of this file compare what the package writes by hand with the
// library that would do the same. docs/dependencies.md has the figures.

// assetPage is a page of a screening.
func assetPage() *catalog.Page {
	return &catalog.Page{Assets: sample.Assets(rand.New(rand.NewPCG(1, 2)), 50), Total: 50}
}

// bodiesOf are a 20-year history and a page of 50 assets as JSON.
func bodiesOf(b *testing.B) map[string][]byte {
	b.Helper()
	history, err := (&historyBody{source: fakeHistory(5040)}).appendJSON(nil)
	if err != nil {
		b.Fatal(err)
	}
	page, err := (&assetPageBody{source: assetPage()}).appendJSON(nil)
	if err != nil {
		b.Fatal(err)
	}
	return map[string][]byte{"history": history, "page": page}
}

// BenchmarkCodings sends compressed bodies, with gzhttp as the peer. Both use the
// encoders of klauspost/compress at the same level.
func BenchmarkCodings(b *testing.B) {
	c, err := newCompressor()
	if err != nil {
		b.Fatal(err)
	}
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(leastCompressed), gzhttp.EnableZstd(true), gzhttp.PreferZstd(true),
		gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ZstdCompressionLevel(1), gzhttp.SuffixETag("-gzip"))
	if err != nil {
		b.Fatal(err)
	}
	for name, body := range bodiesOf(b) {
		own := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := newHeld(w)
			defer h.release()
			w.Header().Set("Content-Type", mediaJSON)
			_, _ = h.Write(body)
			h.send(r, c)
		})
		peer := wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			h := newHeld(w)
			defer h.release()
			w.Header().Set("Content-Type", mediaJSON)
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

// BenchmarkNotModified answers 304, with http.ServeContent as the peer.
func BenchmarkNotModified(b *testing.B) {
	body := bodiesOf(b)["history"]
	c, err := newCompressor()
	if err != nil {
		b.Fatal(err)
	}
	for name, coding := range map[string]string{"plain": "", "zstd": codingZstd} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("If-None-Match", etag(body, coding))
		for who, send := range map[string]func(*held){
			"own": func(h *held) { h.send(r, c) },
			"ServeContent": func(h *held) {
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
					h := newHeld(w)
					w.Header().Set("Content-Type", mediaJSON)
					_, _ = h.Write(body)
					send(h)
					h.release()
					if w.Code != http.StatusNotModified {
						b.Fatal(w.Code)
					}
				}
			})
		}
	}
}

// BenchmarkAssetPage writes a page of 50 assets, with encoding/json as the peer.
func BenchmarkAssetPage(b *testing.B) {
	page := assetPage()
	b.Run("own", func(b *testing.B) {
		var text []byte
		for b.Loop() {
			var err error
			if text, err = (&assetPageBody{source: page}).appendJSON(text[:0]); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(text)))
	})
	b.Run("json", func(b *testing.B) {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		for b.Loop() {
			text.Reset()
			body := struct {
				Data  []*AssetBody `json:"data"`
				Total int          `json:"total"`
			}{Total: page.Total}
			for _, a := range page.Assets {
				body.Data = append(body.Data, assetBodyOf(a, nil))
			}
			if err := encoder.Encode(body); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(text.Len()))
	})
}

// BenchmarkAccept chooses among the formats of a history.
func BenchmarkAccept(b *testing.B) {
	offered := append([]string{mediaJSON}, tables...)
	lines := []string{"text/html, application/xhtml+xml;q=0.9, text/csv;q=0.8, application/json;q=0.7, */*;q=0.1"}
	for b.Loop() {
		if best := bestMedia(acceptedOf(lines), offered); best != mediaCSV {
			b.Fatal(best)
		}
	}
}

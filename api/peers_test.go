package api

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"ballast/catalog"
	"ballast/catalog/sample"
)

// The benchmark of this file compares what the package writes by hand with the
// library that would do the same. docs/dependencies.md has the figures.

// assetPage is a page of a screening.
func assetPage() *catalog.Page {
	return &catalog.Page{Assets: sample.Assets(rand.New(rand.NewPCG(1, 2)), 50), Total: 50}
}

// BenchmarkAssetPage writes a page of 50 assets, with encoding/json as the peer.
func BenchmarkAssetPage(b *testing.B) {
	page := assetPage()
	b.Run("own", func(b *testing.B) {
		var text []byte
		for b.Loop() {
			var err error
			if text, err = (&assetPageBody{source: page}).AppendJSON(text[:0]); err != nil {
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

package screen_test

import (
	"math/rand/v2"
	"testing"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/catalog/sample"
)

// BenchmarkFacets screens a whole catalog with filters that each match some thousand
// assets, with a different filter each time.
func BenchmarkFacets(b *testing.B) {
	s := snapshot(b, sample.Assets(rand.New(rand.NewPCG(11, 0)), 193_000))
	var filters []catalog.Filter
	for _, kind := range catalog.Types {
		for _, class := range classify.AssetClasses() {
			filters = append(filters, catalog.Filter{Type: kind, AssetClass: class, Limit: 50, Facets: true})
		}
	}
	b.ReportAllocs()
	rows := 0
	for i := 0; b.Loop(); i++ {
		rows += s.Screen(&filters[i%len(filters)]).Total
	}
	b.ReportMetric(float64(rows)/float64(b.N), "rows/op")
}

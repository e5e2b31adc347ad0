package screen_test

import (
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ballast/catalog"
	"ballast/catalog/sample"
	"ballast/catalog/screen"
	"ballast/internal/testenv"
)

// snapshot returns a snapshot of the assets.
func snapshot(t testing.TB, assets []*catalog.Asset) *screen.Snapshot {
	t.Helper()
	var b screen.Builder
	for _, a := range assets {
		if err := b.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	return b.Snapshot()
}

func TestScreenIsAPlainScan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		assets := sample.Assets(random, rapid.IntRange(1, 150).Draw(t, "assets"))
		var b screen.Builder
		for _, a := range assets {
			if err := b.Add(a); err != nil {
				t.Fatal(err)
			}
		}
		s := b.Snapshot()
		for range 5 {
			f := sample.Filter(random, assets)
			want, got := plain(assets, f), s.Screen(&f)
			if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%+v\n%s", f, d)
			}
		}
	})
}

// A catalog with both rare and frequent values exercises every way of counting and of
// finding a page.
func TestScreenOfALargeCatalog(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	assets := sample.Assets(random, 8_000)
	s := snapshot(t, assets)
	for range testenv.Rounds(12, 80) {
		f := sample.Filter(random, assets)
		want, got := plain(assets, f), s.Screen(&f)
		if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%+v\n%s", f, d)
		}
	}
}

func TestBuilderWantsSymbolsInOrder(t *testing.T) {
	t.Parallel()
	var b screen.Builder
	for _, step := range []struct {
		symbol string
		ok     bool
	}{{"B", true}, {"C", true}, {"C", false}, {"A", false}, {"D", true}} {
		if err := b.Add(&catalog.Asset{Symbol: step.symbol}); (err == nil) != step.ok {
			t.Errorf("%s: %v", step.symbol, err)
		}
	}
}

func TestScreenOfNothing(t *testing.T) {
	t.Parallel()
	s := snapshot(t, nil)
	for _, f := range []catalog.Filter{{}, {Query: "a b", Sort: "aum"}, {Issuer: "x", Type: "etf", Tags: []string{"size:large"}, Facets: true}} {
		f.Limit = 50
		if page := s.Screen(&f); page.Total != 0 || len(page.Assets) != 0 {
			t.Errorf("%+v finds %d", f, page.Total)
		}
	}
}

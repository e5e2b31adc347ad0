package postgres_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/catalog/sample"
	"ballast/catalog/screen"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

// Screening in memory finds the same assets as the same filter in SQL.
func TestScreenIsWhatSQLFinds(t *testing.T) {
	t.Parallel()
	db := open(t)
	random := rand.New(rand.NewPCG(7, 7))
	assets := sample.Assets(random, 600)
	change := bars.Change{Record: record("a.csv")}
	for _, a := range assets {
		a.ID = id.New(id.Asset)
		if a.FirstPriceDate != timeseries.NoDate {
			change.Assets = append(change.Assets, bars.Asset{
				ID: a.ID, Symbol: a.Symbol, Convention: bars.Adjusted, First: a.FirstPriceDate, Last: a.LastPriceDate, Rows: 2,
			})
		}
	}
	upsert(t, db, assets...)
	_, err := db.Commit(t.Context(), change)
	must(t, err)
	index := screen.NewIndex(db, screen.Config{})
	for range 400 {
		f := sample.Filter(random, assets)
		f.Sort, f.Ascending, f.Limit, f.Offset = "symbol", true, len(assets), 0
		page, err := index.Screen(t.Context(), f)
		must(t, err)
		found, err := db.AssetsAfter(t.Context(), f, "", len(assets))
		must(t, err)
		if d := cmp.Diff(symbolsOf(found), symbolsOf(page.Assets)); d != "" {
			t.Fatalf("%+v\n%s", f, d)
		}
		for i, a := range found { // records have fields that lists do not show
			shown := *a
			shown.BarsVersion, shown.Convention, shown.SevenDay = 0, "", false
			if d := cmp.Diff(&shown, page.Assets[i]); d != "" {
				t.Fatalf("%s: %s", a.Symbol, d)
			}
		}
	}
}

// An index shows imports of catalogs and of bars, and reads no more than it must.
func TestIndexFollowsImports(t *testing.T) {
	t.Parallel()
	db := open(t)
	upsert(t, db, asset("AAA", "First", "etf"))
	source := &counting{DB: db}
	index, other := screen.NewIndex(source, screen.Config{}), screen.NewIndex(db, screen.Config{}) // as in two processes
	list := func(index *screen.Index) string {
		t.Helper()
		page, err := index.Screen(t.Context(), catalog.Filter{Ascending: true, Limit: 50})
		must(t, err)
		var out []string
		for _, a := range page.Assets {
			out = append(out, a.Symbol+" "+a.Coverage())
		}
		return strings.Join(out, ", ")
	}
	commit := func(base bars.Version, a *catalog.Asset, last timeseries.Date) {
		t.Helper()
		_, err := db.Commit(t.Context(), bars.Change{Base: base, Record: record("a.csv"), Assets: []bars.Asset{
			{ID: a.ID, Symbol: a.Symbol, Convention: bars.Adjusted, First: 10, Last: last, Rows: 2},
		}})
		must(t, err)
	}
	for i, step := range []struct {
		change func()
		want   string
		reads  int // of the whole catalog, so far
	}{
		{func() {}, "AAA catalog", 1},
		{func() {}, "AAA catalog", 1},
		{func() { upsert(t, db, asset("BBB", "Second", "etf")) }, "AAA catalog, BBB catalog", 2},
		{func() { a, err := db.Asset(t.Context(), "BBB"); must(t, err); commit(0, a, 20) }, "AAA catalog, BBB stored", 2},
		{func() { a, err := db.Asset(t.Context(), "AAA"); must(t, err); commit(1, a, 20) }, "AAA stored, BBB stored", 2},
		{func() { commit(2, asset("CCC", "", ""), 20) }, "AAA stored, BBB stored, CCC stored", 3},
	} {
		step.change()
		if got := list(other); got != step.want {
			t.Errorf("step %d: another process shows %q, want %q", i, got, step.want)
		}
		if got := list(index); got != step.want || source.reads != step.reads {
			t.Errorf("step %d: %q after %d readings; want %q after %d", i, got, source.reads, step.want, step.reads)
		}
	}
	first := timeseries.Date(10)
	page, err := index.Screen(t.Context(), catalog.Filter{MaxFirstPriceDate: &first, Limit: 50})
	must(t, err)
	if page.Total != 3 {
		t.Errorf("%d with a first bar", page.Total)
	}
}

// counting counts how often the whole catalog is read.
type counting struct {
	*postgres.DB
	reads int
}

func (c *counting) EachAsset(ctx context.Context, f func(*catalog.Asset) error) (catalog.State, error) {
	c.reads++
	return c.DB.EachAsset(ctx, f)
}

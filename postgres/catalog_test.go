package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/catalog/screen"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

func ptr[T any](v T) *T { return &v }

// asset returns a catalog record.
func asset(symbol, name, kind string) *catalog.Asset {
	return &catalog.Asset{
		ID: id.New(id.Asset), Symbol: symbol, Name: name, Type: kind, TaxEvidence: "unclassified", Leverage: 1, Tags: []string{},
		InceptionDate: timeseries.NoDate, FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate,
	}
}

func upsert(t testing.TB, db *postgres.DB, assets ...*catalog.Asset) {
	t.Helper()
	merged(t, db, assets...)
}

// merged stores the records unchanged, and counts those added and changed.
func merged(t testing.TB, db *postgres.DB, assets ...*catalog.Asset) (added, changed int) {
	t.Helper()
	var symbols []string
	listings := make([]*catalog.Listing, len(assets))
	for i, a := range assets {
		symbols, listings[i] = append(symbols, a.Symbol), &catalog.Listing{Asset: *a}
	}
	added, changed, err := db.MergeListings(t.Context(), symbols, func(stored map[string]*catalog.Listing) ([]*catalog.Listing, error) {
		return slices.DeleteFunc(listings, func(l *catalog.Listing) bool {
			return stored[l.Symbol] != nil && l.Same(stored[l.Symbol])
		}), nil
	}, func(int, int) {})
	must(t, err)
	return added, changed
}

func symbolsOf(assets []*catalog.Asset) string {
	var out []string
	for _, a := range assets {
		out = append(out, a.Symbol)
	}
	return strings.Join(out, " ")
}

// screened lists the assets that a filter finds in memory.
func screened(t testing.TB, db *postgres.DB, f catalog.Filter) (symbols string, total int) {
	t.Helper()
	page, err := screen.NewIndex(db, screen.Config{}).Screen(t.Context(), f)
	must(t, err)
	return symbolsOf(page.Assets), page.Total
}

func TestMergeListings(t *testing.T) {
	t.Parallel()
	db := open(t)
	spy := asset("SPY", "SPDR S&P 500", "etf")
	spy.AUM, spy.ExpenseRatio, spy.Tags = ptr(6e11), ptr(0.000945), []string{"size:large", "region:us"}
	spy.InceptionDate, spy.Issuer, spy.Hedged = timeseries.NewDate(1993, 1, 22), "State Street", true
	odd := asset("ODD", "", "")
	odd.ID = ""

	before, err := db.CatalogState(t.Context())
	must(t, err)
	added, changed := merged(t, db, spy, odd)
	if added != 2 || changed != 0 {
		t.Errorf("added %d, changed %d; want 2, 0", added, changed)
	}
	got, err := db.Asset(t.Context(), "spy")
	must(t, err)
	if diff := cmp.Diff(spy, got); diff != "" {
		t.Error(diff)
	}
	got, err = db.Asset(t.Context(), "ODD")
	must(t, err)
	if got.Name != "ODD" || !strings.HasPrefix(got.ID, "asset_") || got.Coverage() != "catalog" {
		t.Errorf("%+v", got)
	}

	same := *spy
	same.ID = id.New(id.Asset)
	after, err := db.CatalogState(t.Context())
	must(t, err)
	added, changed = merged(t, db, &same)
	unmoved, err := db.CatalogState(t.Context())
	must(t, err)
	if after.Catalog != before.Catalog+1 || unmoved != after {
		t.Errorf("states %v, %v, %v", before, after, unmoved)
	}
	if added != 0 || changed != 0 {
		t.Errorf("the same again: added %d, changed %d", added, changed)
	}
	same.Delisted = true
	added, changed = merged(t, db, &same)
	if added != 0 || changed != 1 {
		t.Errorf("a change: added %d, changed %d; want 0, 1", added, changed)
	}
	got, err = db.Asset(t.Context(), spy.ID) // ids stay
	must(t, err)
	if !got.Delisted {
		t.Error("not changed")
	}
	legacy := "a-" + strings.TrimPrefix(spy.ID, "asset_")
	if got, err := db.Asset(t.Context(), legacy); err != nil || got.ID != spy.ID {
		t.Errorf("by %s: %v, %v", legacy, got, err)
	}
	for _, ref := range []string{"SP", id.New(id.Asset), "asset_x", ""} {
		_, err = db.Asset(t.Context(), ref)
		wantFault(t, err, fault.NotFound)
	}
}

func TestMergeListingsKeepsBars(t *testing.T) {
	t.Parallel()
	db := open(t)
	stored := bars.Asset{ID: id.New(id.Asset), Symbol: "BTC", Convention: bars.Adjusted, First: 100, Last: 200, Rows: 101, WeekendRows: 29, SevenDay: true}
	_, err := db.Commit(t.Context(), bars.Change{Record: record("a.csv"), Assets: []bars.Asset{stored}})
	must(t, err)
	upsert(t, db, asset("BTC", "Bitcoin", "crypto"))
	got, err := db.Asset(t.Context(), "BTC")
	must(t, err)
	want := asset("BTC", "Bitcoin", "crypto")
	want.ID, want.FirstPriceDate, want.LastPriceDate, want.SevenDay = stored.ID, 100, 200, true
	want.Convention, want.BarsVersion = "adjusted", 1
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAssetsList(t *testing.T) {
	t.Parallel()
	db := open(t)
	agg, spy, sple := asset("AGG", "iShares Core US Aggregate Bond", "etf"), asset("SPY", "SPDR S&P 500", "etf"), asset("SPYG", "SPDR Portfolio Growth", "etf")
	gle, gone := asset("GLE", "Société Générale", "stock"), asset("GONE", "Gone Bond Fund", "fund")
	agg.AUM, spy.AUM = ptr(1e11), ptr(6e11)
	spy.Leverage = 1
	sple.Leverage = -2
	gone.Delisted = true
	odd := asset("A_B%", "Odd", "fund")
	upsert(t, db, agg, spy, sple, gle, gone, odd)
	tests := []struct {
		name   string
		filter catalog.Filter
		want   string
		total  int
	}{
		{"all", catalog.Filter{Ascending: true, Limit: 50}, "AGG A_B% GLE SPY SPYG", 5},
		{"descending", catalog.Filter{Limit: 50}, "SPYG SPY GLE A_B% AGG", 5},
		{"delisted too", catalog.Filter{Ascending: true, Limit: 50, Delisted: true}, "AGG A_B% GLE GONE SPY SPYG", 6},
		{"type", catalog.Filter{Ascending: true, Limit: 50, Type: "etf"}, "AGG SPY SPYG", 3},
		{"page", catalog.Filter{Ascending: true, Limit: 2, Offset: 1}, "A_B% GLE", 5},
		{"page after the end", catalog.Filter{Ascending: true, Limit: 2, Offset: 9}, "", 5},
		{"by aum, unknown last", catalog.Filter{Sort: "aum", Ascending: true, Limit: 50, Type: "etf"}, "AGG SPY SPYG", 3},
		{"by aum, greatest first", catalog.Filter{Sort: "aum", Limit: 50, Type: "etf"}, "SPY AGG SPYG", 3},
		{"by leverage", catalog.Filter{Sort: "leverage", Ascending: true, Limit: 1}, "SPYG", 5},
		{"by name", catalog.Filter{Sort: "name", Ascending: true, Limit: 50}, "AGG A_B% GLE SPYG SPY", 5},
		{"ticker, then its prefix", catalog.Filter{Query: "spy", Ascending: true, Limit: 50}, "SPY SPYG", 2},
		{"ticker before names", catalog.Filter{Query: "agg", Limit: 50}, "AGG", 1},
		{"every word or its beginning", catalog.Filter{Query: "bond agg", Limit: 50}, "AGG", 1},
		{"a word missing", catalog.Filter{Query: "bond growth", Limit: 50}, "", 0},
		{"accents ignored", catalog.Filter{Query: "SOCIETE géné", Limit: 50}, "GLE", 1},
		{"not inside a word", catalog.Filter{Query: "ggregate", Limit: 50}, "", 0},
		{"pattern letters are plain", catalog.Filter{Query: "a_b%", Type: "fund", Limit: 50}, "A_B%", 1},
		{"no words", catalog.Filter{Query: "'&|!", Limit: 50}, "", 0},
		{"query and sort", catalog.Filter{Query: "spdr", Sort: "symbol", Limit: 50}, "SPYG SPY", 2},
		{"query of spaces", catalog.Filter{Query: "  ", Ascending: true, Limit: 1}, "AGG", 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, total := screened(t, db, test.filter)
			if got != test.want || total != test.total {
				t.Errorf("%q, total %d; want %q, %d", got, total, test.want, test.total)
			}
		})
	}
}

func TestNearestSymbols(t *testing.T) {
	t.Parallel()
	db := open(t)
	var all []*catalog.Asset
	for _, symbol := range []string{"SPY", "SPYG", "SPYD", "AGG", "GOOGL", "QQQ", "EFA", "ETH-EUR", "ETH-USD", "ETHA", "XBTUSD"} {
		all = append(all, asset(symbol, symbol, "etf"))
	}
	all[0].AUM, all[1].AUM = ptr(6e11), ptr(1e9)
	upsert(t, db, all...)
	_, err := db.Commit(t.Context(), bars.Change{Record: record("a.csv"), Assets: []bars.Asset{
		{ID: all[2].ID, Symbol: "SPYD", Convention: bars.Adjusted, First: 1, Last: 2, Rows: 2},
	}})
	must(t, err)
	got, err := db.NearestSymbols(t.Context(), []string{"SPX", "SPYX", "AGGG", "GOGLE", "XXXXXX", "Q", "EAF", "ZZZ", "ETH", "ETHUSD", "XBT", "XBT-USD"})
	must(t, err)
	want := map[string]string{
		"SPX":   "SPY",
		"SPYX":  "SPYD", // as close as SPY, and with bars
		"AGGG":  "AGG",
		"GOGLE": "GOOGL", // two edits
		"EAF":   "EFA",   // a swap

		"ETH": "ETH-USD", "ETHUSD": "ETH-USD", "XBT": "XBTUSD", "XBT-USD": "XBTUSD", // pairs with the dollar
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := db.NearestSymbols(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func BenchmarkNearestSymbols(b *testing.B) {
	db := open(b)
	var all []*catalog.Asset
	for i := range 190_000 {
		all = append(all, asset(fmt.Sprintf("S%d", i), fmt.Sprintf("Fund number %d of region %d", i, i%97), "etf"))
	}
	upsert(b, db, all...)
	_, err := db.Pool().Exec(b.Context(), "analyze assets")
	must(b, err)
	b.Run("nearest", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.NearestSymbols(b.Context(), []string{"S1234X", "SXX12Y"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

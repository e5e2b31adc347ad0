package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/export"
	"ballast/internal/id"
	"ballast/program"
	"ballast/timeseries/bars"
)

func TestAssetsAfterAreTheList(t *testing.T) {
	t.Parallel()
	db := open(t)
	var assets []*catalog.Asset
	for i := range 25 {
		a := asset(fmt.Sprintf("S%02d", (i*7)%25), fmt.Sprintf("Fund number %d", i), []string{"etf", "stock"}[i%2])
		a.Delisted = i%5 == 0
		assets = append(assets, a)
	}
	upsert(t, db, assets...)
	for name, f := range map[string]catalog.Filter{
		"all": {Delisted: true}, "listed": {}, "of a type": {Type: "etf"}, "by ticker": {Query: "S1", Delisted: true},
		"by words": {Query: "number fund 1", Delisted: true}, "none": {Query: "nothing like it"},
	} {
		f.Ascending, f.Limit = true, 100
		listed, _ := screened(t, db, f)
		want := strings.Fields(listed)
		slices.Sort(want)
		got := []string{}
		after := ""
		for {
			page, err := db.AssetsAfter(t.Context(), f, after, 4)
			must(t, err)
			if len(page) == 0 {
				break
			}
			got = append(got, strings.Fields(symbolsOf(page))...)
			after = page[len(page)-1].Symbol
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestBarAssetsAfter(t *testing.T) {
	t.Parallel()
	db := open(t)
	upsert(t, db, asset("NONE", "Without bars", "etf"))
	change := bars.Change{Record: record("one.csv")}
	for i, symbol := range []string{"CCC", "AAA", "BBB"} {
		a := bars.Asset{ID: id.New(id.Asset), Symbol: symbol, Convention: bars.Adjusted, First: 10, Last: 19, Rows: 10 * int64(i+1)}
		change.Assets = append(change.Assets, a)
		change.Added = append(change.Added, segment(a, "one", int64(100*i)))
	}
	_, err := db.Commit(t.Context(), change)
	must(t, err)
	for _, test := range []struct {
		name    string
		symbols []string
		after   string
		n       int
		want    []string
	}{
		{"all", nil, "", 10, []string{"AAA 20", "BBB 30", "CCC 10"}},
		{"a page", nil, "", 2, []string{"AAA 20", "BBB 30"}},
		{"the next", nil, "BBB", 2, []string{"CCC 10"}},
		{"some", []string{"CCC", "AAA", "NONE"}, "", 10, []string{"AAA 20", "CCC 10"}},
	} {
		page, err := db.BarAssetsAfter(t.Context(), test.symbols, test.after, test.n)
		must(t, err)
		if d := cmp.Diff(test.want, ids(page, func(a export.BarAsset) string { return fmt.Sprintf("%s %d", a.Symbol, a.Rows) })); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
	n, err := db.BarRows(t.Context(), nil)
	must(t, err)
	some, err := db.BarRows(t.Context(), []string{"AAA", "NONE"})
	must(t, err)
	if n != 60 || some != 20 {
		t.Errorf("%d rows, %d of AAA", n, some)
	}
}

func TestRunsAfter(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	one, two := active(t, db, a, "ONE"), active(t, db, a, "TWO")
	foreign := active(t, db, b, "ONE")
	var all []string // created at the same moment, so by id, the highest first
	for range 5 {
		r := newRun(one.model, one.build.ID, program.SourceManual)
		must(t, db.CreateRun(t.Context(), r, 0))
		publish(t, db, r.ID)
		all = append(all, r.ID)
	}
	ofOne := append([]string{one.run.ID}, all...)
	everything := append([]string{one.run.ID, two.run.ID}, all...)
	read := func(account string, f export.RunFilter, n int) []string {
		t.Helper()
		got := []string{}
		for mark := (*export.RunMark)(nil); ; {
			page, err := db.RunsAfter(t.Context(), account, f, mark, n)
			must(t, err)
			if len(page) == 0 {
				return got
			}
			for i, r := range page {
				if r.ProgramName == "" || i > 0 && page[i-1].CreatedAt.Before(r.CreatedAt) {
					t.Errorf("run %+v", r)
				}
				got = append(got, r.ID)
			}
			last := page[len(page)-1]
			mark = &export.RunMark{CreatedAt: last.CreatedAt, ID: last.ID}
		}
	}
	for _, test := range []struct {
		name    string
		account string
		filter  export.RunFilter
		want    []string
	}{
		{"all", a, export.RunFilter{}, everything},
		{"another account", b, export.RunFilter{}, []string{foreign.run.ID}},
		{"of a model", a, export.RunFilter{ProgramIDs: []string{one.model.ID}}, ofOne},
		{"of a foreign model", a, export.RunFilter{ProgramIDs: []string{foreign.model.ID}}, []string{}},
		{"refreshes alone", a, export.RunFilter{UpdatesOnly: true}, []string{}},
		{"by source", a, export.RunFilter{Source: program.SourceManual}, all},
		{"by status", a, export.RunFilter{Status: program.RunFailed}, []string{}},
	} {
		for _, n := range []int{1, 3, 100} {
			got := read(test.account, test.filter, n)
			slices.Sort(got)
			want := slices.Clone(test.want)
			slices.Sort(want)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s, %d at a time: %s", test.name, n, d)
			}
		}
	}
	live, err := db.LiveRunsAfter(t.Context(), a, "", 1)
	must(t, err)
	more, err := db.LiveRunsAfter(t.Context(), a, live[0].ProgramID, 10)
	must(t, err)
	want := []export.LiveRun{
		{ProgramID: one.model.ID, RunID: sheet(t, db, one.model.ID).LiveRunID, Symbol: "ONE", Name: "Model ONE"},
		{ProgramID: two.model.ID, RunID: two.run.ID, Symbol: "TWO", Name: "Model TWO"},
	}
	slices.SortFunc(want, func(x, y export.LiveRun) int { return strings.Compare(x.ProgramID, y.ProgramID) })
	if d := cmp.Diff(want, append(live, more...)); d != "" {
		t.Error(d)
	}
}

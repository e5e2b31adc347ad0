package postgres_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/id"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

func record(file string) bars.Record {
	return bars.Record{
		Kind: bars.ImportKind, File: file, Rows: 3, Report: []byte(`{"doubts": []}`), At: morning,
		SHA256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	}
}

func segment(a bars.Asset, object string, offset int64) bars.Segment {
	return bars.Segment{Ref: bars.Ref{Object: object, RowGroup: 1, Offset: offset}, AssetID: a.ID, Rows: a.Rows, First: a.First, Last: a.Last}
}

func TestManifestVersions(t *testing.T) {
	t.Parallel()
	m := open(t)
	empty, err := m.BySymbol(t.Context(), []string{"SPY"})
	must(t, err)
	if empty.Version != 0 || len(empty.Assets) != 0 || len(empty.Segments) != 0 {
		t.Errorf("empty store: %+v", empty)
	}

	spy := bars.Asset{ID: id.New(id.Asset), Symbol: "SPY", Convention: bars.Adjusted, First: 10, Last: 19, Rows: 10}
	agg := bars.Asset{ID: id.New(id.Asset), Symbol: "AGG", Convention: bars.CloseDividend, First: 12, Last: 19, Rows: 8, WeekendRows: 2, SevenDay: true}
	v1, err := m.Commit(t.Context(), bars.Change{
		Record: record("one.csv"), Assets: []bars.Asset{spy, agg},
		Added: []bars.Segment{segment(spy, "one", 0), segment(agg, "one", 10)},
	})
	must(t, err)
	// The second import restates SPY; AGG stays.
	longer := spy
	longer.Last, longer.Rows = 29, 20
	v2, err := m.Commit(t.Context(), bars.Change{
		Base: v1, Record: record("two.csv"), Assets: []bars.Asset{longer},
		Added:   []bars.Segment{segment(longer, "two", 0)},
		Removed: []bars.Ref{segment(spy, "one", 0).Ref},
	})
	must(t, err)
	if v1 != 1 || v2 != 2 {
		t.Errorf("versions %d, %d", v1, v2)
	}

	agg.Version, longer.Version = v1, v2
	old, current, other := segment(spy, "one", 0), segment(longer, "two", 0), segment(agg, "one", 10)
	old.AddedIn, old.RemovedIn = v1, v2
	current.AddedIn, other.AddedIn = v2, v1
	byAsset := func(segments ...bars.Segment) []bars.Segment {
		slices.SortFunc(segments, func(a, b bars.Segment) int {
			if a.AssetID < b.AssetID {
				return -1
			}
			return 1
		})
		return segments
	}
	tests := []struct {
		name string
		at   bars.Version
		want []bars.Segment
	}{
		{"latest", bars.Latest, byAsset(current, other)},
		{"first", v1, byAsset(old, other)},
		{"second", v2, byAsset(current, other)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := m.ByID(t.Context(), []string{spy.ID, agg.ID, id.New(id.Asset)}, test.at)
			must(t, err)
			slices.SortFunc(got.Assets, func(a, b bars.Asset) int { return int(a.First - b.First) })
			want := bars.Snapshot{Version: v2, Assets: []bars.Asset{longer, agg}, Segments: test.want}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	got, err := m.BySymbol(t.Context(), []string{"AGG", "agg", "NONE"})
	must(t, err)
	if diff := cmp.Diff(bars.Snapshot{Version: v2, Assets: []bars.Asset{agg}, Segments: []bars.Segment{other}}, got); diff != "" {
		t.Error(diff)
	}
	objects, err := m.Objects(t.Context())
	must(t, err)
	slices.Sort(objects)
	if diff := cmp.Diff([]string{"one", "two"}, objects); diff != "" {
		t.Error(diff)
	}
}

func TestManifestConflicts(t *testing.T) {
	t.Parallel()
	db := open(t)
	m := db
	upsert(t, db, asset("TAKEN", "Taken", "etf"))
	spy := bars.Asset{ID: id.New(id.Asset), Symbol: "SPY", Convention: bars.TotalReturn, First: 10, Last: 19, Rows: 10}
	first := segment(spy, "one", 0)
	v1, err := m.Commit(t.Context(), bars.Change{Record: record("one.csv"), Assets: []bars.Asset{spy}, Added: []bars.Segment{first}})
	must(t, err)
	taken := spy
	taken.ID, taken.Symbol = id.New(id.Asset), "TAKEN"
	tests := []struct {
		name   string
		change bars.Change
	}{
		{"stale base", bars.Change{Base: 0}},
		{"base of the future", bars.Change{Base: v1 + 1}},
		{"symbol under another id", bars.Change{Base: v1, Assets: []bars.Asset{taken}}},
		{"removed segment is not there", bars.Change{Base: v1, Removed: []bars.Ref{{Object: "none"}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.change.Record = record("two.csv")
			if _, err := m.Commit(t.Context(), test.change); !errors.Is(err, bars.ErrConflict) {
				t.Errorf("error %v, want ErrConflict", err)
			}
			got, err := m.BySymbol(t.Context(), []string{"SPY", "TAKEN"})
			must(t, err)
			if got.Version != v1 || len(got.Segments) != 1 {
				t.Errorf("changed: %+v", got)
			}
		})
	}
	v2, err := m.Commit(t.Context(), bars.Change{Base: v1, Record: bars.Record{Kind: bars.CompactionKind, At: morning}, Removed: []bars.Ref{first.Ref}})
	must(t, err)
	if _, err := m.Commit(t.Context(), bars.Change{Base: v2, Record: record("x"), Removed: []bars.Ref{first.Ref}}); !errors.Is(err, bars.ErrConflict) {
		t.Errorf("removed twice: %v", err)
	}
}

func TestManifestCommitsRace(t *testing.T) {
	t.Parallel()
	m := open(t)
	const racers = 6
	type result struct {
		version bars.Version
		err     error
	}
	results := make(chan result, racers)
	for range racers {
		go func() {
			v, err := m.Commit(t.Context(), bars.Change{Record: record("race.csv")})
			results <- result{v, err}
		}()
	}
	won := 0
	for range racers {
		switch r := <-results; {
		case r.err == nil && r.version == 1:
			won++
		case !errors.Is(r.err, bars.ErrConflict):
			t.Errorf("version %d, error %v", r.version, r.err)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d commits onto the same version won", won, racers)
	}
}

func TestFragmented(t *testing.T) {
	t.Parallel()
	m := open(t)
	var assets []bars.Asset
	var added []bars.Segment
	for i := range 3 {
		a := bars.Asset{ID: id.New(id.Asset), Symbol: string(rune('A' + i)), Convention: bars.Adjusted, First: 0, Last: 99, Rows: 100}
		assets = append(assets, a)
		for part := range i + 1 {
			s := segment(a, a.Symbol, int64(part))
			s.First, s.Last = timeseries.Date(part*10), timeseries.Date(part*10+9)
			added = append(added, s)
		}
	}
	_, err := m.Commit(t.Context(), bars.Change{Record: record("a.csv"), Assets: assets, Added: added})
	must(t, err)
	got, err := m.Fragmented(t.Context(), 2, 10)
	must(t, err)
	if diff := cmp.Diff([]string{assets[2].ID, assets[1].ID}, got); diff != "" {
		t.Error(diff)
	}
	got, err = m.Fragmented(t.Context(), 2, 1)
	must(t, err)
	if len(got) != 1 {
		t.Errorf("%d, want 1", len(got))
	}
}

//go:build duckdb_arrow

package importing_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"ballast/storage/columnar"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

// racing commits another change before the first commit that it sees.
type racing struct {
	*bars.Memory
	before func()
}

func (r *racing) Commit(ctx ctx, c bars.Change) (bars.Version, error) {
	if r.before != nil {
		before := r.before
		r.before = nil
		before()
	}
	return r.Memory.Commit(ctx, c)
}

func TestConflictStartsAnew(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	path := m.file("a.csv", "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-03,1.1\n")
	other := m.file("b.csv", "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-04,1.2\n")
	store := &racing{Memory: m.store, before: func() { m.mustImport(other) }}
	slow := importing.New(importing.Config{Store: store, Bucket: m.bucket, DB: m.db})
	report, err := slow.Import(t.Context(), path, importing.Options{})
	if err != nil || report.Version != 2 || report.Added != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if d := cmp.Diff([]float64{ratio(1.1, 1), ratio(1.2, 1.1)}, m.load("A", bars.Latest).Returns); d != "" {
		t.Error(d)
	}
	keys, err := m.store.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var stored []columnar.Entry
	for e, err := range m.bucket.List(t.Context(), bars.Prefix) {
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, e)
	}
	if len(stored) != len(keys) {
		t.Errorf("%d objects, %d named", len(stored), len(keys))
	}
}

// TestImportsAtTheSameTime imports files of one symbol each through one importer.
func TestImportsAtTheSameTime(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	const files = 6 // fewer than the attempts of an import
	paths := make([]string, files)
	for i := range paths {
		paths[i] = m.file(fmt.Sprintf("S%d.csv", i), fmt.Sprintf("date,adj_close\n2024-01-02,100\n2024-01-03,%d\n", 101+i))
	}
	var group errgroup.Group
	for i, path := range paths {
		group.Go(func() error {
			report, err := m.importer.Import(t.Context(), path, importing.Options{Symbol: fmt.Sprintf("S%d", i)})
			if err == nil && (report.Added != 2 || report.NewSymbols != 1) {
				err = fmt.Errorf("%s: %+v", path, report)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for i := range paths {
		if d := cmp.Diff([]float64{ratio(float64(101+i), 100)}, m.load(fmt.Sprintf("S%d", i), bars.Latest).Returns); d != "" {
			t.Errorf("S%d (-want +got):\n%s", i, d)
		}
	}
}

func TestCancelledImportChangesNothing(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	path := m.file("x.csv.gz", "symbol,date,adj_close\n"+days("A", 2000))
	for _, step := range []importing.Step{importing.Reading, importing.Checking, importing.Merging, importing.Writing, importing.Committing} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := m.importer.Import(ctx, path, importing.Options{Progress: func(p importing.Progress) {
			if p.Step == step {
				cancel()
			}
		}})
		cancel()
		// Once the manifest has been asked, it decides.
		if step != importing.Committing && (!errors.Is(err, context.Canceled) || len(m.store.Records()) != 0) {
			t.Errorf("cancelled while %s: %v", step, err)
		}
	}
	for e := range m.bucket.List(t.Context(), "") {
		if keys, err := m.store.Objects(t.Context()); err != nil || !slices.Contains(keys, e.Key) {
			t.Errorf("%s was left behind", e.Key)
		}
	}
}

//go:build duckdb_arrow

package syncing_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/reports"
	"ballast/timeseries/bars/syncing"
)

func statusOf(s string) syncing.Status { return syncing.Status(s) }

// importFile imports a file for X with one column besides the date.
func (m *market) importFile(column string, adjusted []float64) {
	m.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "date,%s\n", column)
	for i, p := range adjusted {
		v := p
		if column == "total_return" {
			if v = 0; i > 0 {
				v = p/adjusted[i-1] - 1
			}
		}
		fmt.Fprintf(&b, "%s,%v\n", day(i), v)
	}
	path := filepath.Join(m.dir, "X.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		m.t.Fatal(err)
	}
	if _, err := m.importer.Import(m.t.Context(), path, importing.Options{}); err != nil {
		m.t.Fatal(err)
	}
}

// shelf is a bar store of one asset without DuckDB and Parquet. Parquet's encoders are
// shared with other tests and so cannot be used in a synctest bubble.
type shelf struct {
	mu     sync.Mutex
	series timeseries.Series
}

func (s *shelf) LoadAssets(_ context.Context, ids []string, _ bars.Version) ([]bars.Loaded, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []bars.Loaded{{Asset: bars.Asset{ID: ids[0]}, Series: s.series}}, nil
}

// ImportSymbol stores 30 days, whatever the file holds.
func (s *shelf) ImportSymbol(context.Context, string, string) (*reports.Report, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.series = timeseries.Series{Base: day(0)}
	for i := range 29 {
		s.series.Dates, s.series.Returns = append(s.series.Dates, day(i+1)), append(s.series.Returns, 0.01)
	}
	return &reports.Report{Added: 30, NewSymbols: 1}, nil
}

func TestReadsShareOneLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store, stored := &leases{now: day(29).Time().Add(22 * time.Hour), states: map[string]*held{}}, &shelf{series: timeseries.Series{Base: timeseries.NoDate}}
		a := &source{name: "a", bars: prices(0, walk(30)...), gate: make(chan struct{})}
		process := func() *syncing.Syncer {
			return syncing.New(syncing.Config{
				Providers: []provider.Provider{a}, Store: store, Reader: stored, Importer: stored, TempDir: dir,
				Session: func(now time.Time) timeseries.Date { return timeseries.FromTime(now.UTC()) },
				Logger:  slog.New(slog.DiscardHandler), Now: store.time,
			})
		}
		here, there := process(), process()
		defer here.Close()
		defer there.Close()
		asset := syncing.Asset{ID: "asset_x", Symbol: "X", Last: timeseries.NoDate}
		if r := here.Read(t.Context(), asset, timeseries.NoDate, time.Millisecond); r.Status != syncing.Loading {
			t.Errorf("a read that does not wait: %+v", r)
		}
		var reads sync.WaitGroup
		results := make([]syncing.Result, 8)
		for i := range results {
			l := here
			if i%2 == 1 {
				l = there
			}
			reads.Go(func() { results[i] = l.Read(t.Context(), asset, timeseries.NoDate, time.Minute) })
		}
		synctest.Wait() // until every read waits
		close(a.gate)
		reads.Wait()
		for i, r := range results {
			if r.Status != syncing.Loaded {
				t.Errorf("read %d: %+v", i, r)
			}
		}
		if n := a.asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestLeaseOfAKilledProcess(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	if _, ok, _ := m.leases.BeginLoad(t.Context(), m.asset.ID, "killed", time.Minute, false); !ok {
		t.Fatal("no lease")
	}
	l := m.loader(&source{name: "a", bars: prices(0, walk(30)...)})
	m.want(l.Read(t.Context(), m.asset, timeseries.NoDate, 150*time.Millisecond), "loading")
	m.leases.advance(2 * time.Minute)
	m.want(l.Read(t.Context(), m.asset, timeseries.NoDate, soon), "loaded")
}

// lapsing is a store whose first lease expires when it is looked at.
type lapsing struct {
	syncing.Store
	asked atomic.Int64
}

func (l *lapsing) BeginLoad(ctx context.Context, assetID, holder string, lease time.Duration, force bool) (syncing.State, bool, error) {
	if l.asked.Add(1) == 1 {
		return syncing.State{}, false, nil
	}
	return l.Store.BeginLoad(ctx, assetID, holder, lease, force)
}

func TestLeaseThatLapsesMeanwhile(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	l := syncing.New(syncing.Config{
		Providers: []provider.Provider{&source{name: "a", bars: prices(0, walk(30)...)}}, Store: &lapsing{Store: m.leases},
		Reader: m.reader, Importer: m.importer, TempDir: m.dir, Logger: slog.New(slog.DiscardHandler), Now: m.leases.time,
		Session: func(now time.Time) timeseries.Date { return timeseries.FromTime(now.UTC()) },
	})
	t.Cleanup(l.Close)
	m.want(l.Read(t.Context(), m.asset, timeseries.NoDate, soon), "loaded")
}

func TestCloseEndsLoads(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	a := &source{name: "a", bars: prices(0, walk(30)...), gate: make(chan struct{})}
	l := m.loader(a)
	m.want(l.Read(t.Context(), m.asset, timeseries.NoDate, 50*time.Millisecond), "loading")
	l.Close()
	if !m.series().Empty() {
		t.Error("bars were stored")
	}
	// The lease is free, and others may request bars at once.
	a.gate = nil
	m.want(m.loader(a).Read(t.Context(), m.asset, timeseries.NoDate, soon), "loaded")
}

//go:build duckdb_arrow

package loading_test

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
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/loading"
	"ballast/timeseries/bars/provider"
)

func statusOf(s string) loading.Status { return loading.Status(s) }

// importFile imports a file of X with one column besides the date.
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

func TestReadsShareOneLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMarket(t)
		a := &source{name: "a", bars: prices(0, walk(30)...), gate: make(chan struct{})}
		here, there := m.loader(a), m.loader(a) // two processes
		m.want(here.Read(t.Context(), m.now(), timeseries.NoDate, time.Millisecond), "loading")
		var reads sync.WaitGroup
		results := make([]loading.Result, 8)
		for i := range results {
			l := here
			if i%2 == 1 {
				l = there
			}
			reads.Go(func() { results[i] = l.Read(t.Context(), m.asset, timeseries.NoDate, soon) })
		}
		synctest.Wait() // until every read waits
		close(a.gate)
		reads.Wait()
		for i, r := range results {
			if r.Status != loading.Loaded {
				t.Errorf("read %d: %+v", i, r)
			}
		}
		if n := a.asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
		here.Close()
		there.Close()
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

// lapsing is a store whose first lease lapses while it is looked at.
type lapsing struct {
	loading.Store
	asked atomic.Int64
}

func (l *lapsing) BeginLoad(ctx context.Context, assetID, holder string, lease time.Duration, force bool) (loading.State, bool, error) {
	if l.asked.Add(1) == 1 {
		return loading.State{}, false, nil
	}
	return l.Store.BeginLoad(ctx, assetID, holder, lease, force)
}

func TestLeaseThatLapsesMeanwhile(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	l := loading.New(loading.Config{
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
	// The lease is free, and nothing keeps others from asking at once.
	a.gate = nil
	m.want(m.loader(a).Read(t.Context(), m.asset, timeseries.NoDate, soon), "loaded")
}

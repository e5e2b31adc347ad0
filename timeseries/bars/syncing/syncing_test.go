//go:build duckdb_arrow

package syncing_test

import (
	"context"
	"log/slog"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ballast/internal/id"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/syncing"
)

// source is a provider with answers from memory.
type source struct {
	name     string
	mu       sync.Mutex
	bars     []provider.Bar // nil: unknown
	err      error
	gate     chan struct{} // if set, answers wait for it
	asked    atomic.Int64
	from     []timeseries.Date
	rounding float64
}

func (s *source) Name() string { return s.name }

func (s *source) Bars(ctx context.Context, r provider.Request) (*provider.Answer, error) {
	s.asked.Add(1)
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = append(s.from, r.From)
	if s.err != nil {
		return nil, s.err
	}
	if s.bars == nil {
		return nil, provider.NoSymbol(s.name, r.Symbol)
	}
	var out []provider.Bar
	for _, b := range s.bars {
		if b.Date >= r.From {
			out = append(out, b)
		}
	}
	return &provider.Answer{Bars: out, Rounding: s.rounding}, nil
}

func (s *source) give(b []provider.Bar, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bars, s.err = b, err
}

// leases is a syncing.Store in memory, with a clock that tests move.
type leases struct {
	mu     sync.Mutex
	now    time.Time
	states map[string]*held
}

type held struct {
	syncing.State
	holder  string
	until   time.Time
	after   time.Time
	wholeAt time.Time
}

func (l *leases) BeginLoad(_ context.Context, assetID, holder string, lease time.Duration, force bool) (syncing.State, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.states[assetID]
	if h == nil {
		h = &held{}
		l.states[assetID] = h
	}
	s := h.State
	s.Leased, s.AskIn = h.until.After(l.now), max(0, h.after.Sub(l.now))
	if !h.wholeAt.IsZero() {
		s.WholeAge = l.now.Sub(h.wholeAt)
	}
	if s.Leased || !force && s.AskIn > 0 {
		return s, false, nil
	}
	h.holder, h.until = holder, l.now.Add(lease)
	return s, true, nil
}

func (l *leases) RenewLoad(_ context.Context, assetID, holder string, lease time.Duration) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.states[assetID]
	if h.holder != holder {
		return false, nil
	}
	h.until = l.now.Add(lease)
	return true, nil
}

func (l *leases) EndLoad(_ context.Context, assetID, holder string, e syncing.End) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.states[assetID]
	if h.holder != holder {
		return nil
	}
	h.State = syncing.State{Provider: e.Provider, Outcome: e.Outcome, Message: e.Message, Quiet: e.Quiet}
	h.holder, h.until, h.after = "", time.Time{}, l.now.Add(e.Wait)
	if e.Whole {
		h.wholeAt = l.now
	}
	return nil
}

func (l *leases) advance(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

func (l *leases) time() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// market is a bar store with one asset, X, without bars.
type market struct {
	t        *testing.T
	asset    syncing.Asset
	manifest *bars.Memory
	reader   *bars.Reader
	importer *importing.Importer
	leases   *leases
	restated atomic.Int64
	dir      string
}

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{t: t, dir: t.TempDir(), manifest: bars.NewMemory(), leases: &leases{
		now: day(29).Time().Add(22 * time.Hour), states: map[string]*held{},
	}}
	bucket, err := columnar.OpenBucket(t.Context(), filepath.Join(m.dir, "bucket"), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Config{MemoryLimit: 1 << 30, TempDir: filepath.Join(m.dir, "spill")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	m.reader = bars.NewReader(m.manifest, bucket, bars.DefaultCache)
	m.importer = importing.New(importing.Config{Store: m.manifest, Bucket: bucket, DB: db})
	m.asset = syncing.Asset{ID: id.New(id.Asset), Symbol: "X", Last: timeseries.NoDate}
	if _, err := m.manifest.Commit(t.Context(), bars.Change{Assets: []bars.Asset{{ID: m.asset.ID, Symbol: "X", First: timeseries.NoDate, Last: timeseries.NoDate}}}); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *market) loader(providers ...provider.Provider) *syncing.Syncer {
	l := syncing.New(syncing.Config{
		Providers: providers, Store: m.leases, Reader: m.reader, Importer: m.importer, TempDir: m.dir,
		Session:  func(now time.Time) timeseries.Date { return timeseries.FromTime(now.UTC()) },
		Restated: func(context.Context, string) error { m.restated.Add(1); return nil },
		Logger:   slog.New(slog.DiscardHandler), Now: m.leases.time,
	})
	m.t.Cleanup(l.Close)
	return l
}

// series returns the stored series of X.
func (m *market) series() timeseries.Series {
	m.t.Helper()
	loaded, err := m.reader.Load(m.t.Context(), []string{m.asset.ID}, bars.Latest)
	if err != nil {
		m.t.Fatal(err)
	}
	return loaded[m.asset.ID]
}

func (m *market) now() syncing.Asset {
	a := m.asset
	a.Last = m.series().Last()
	return a
}

func (m *market) version() int64 {
	s, err := m.manifest.ByID(m.t.Context(), nil, bars.Latest)
	if err != nil {
		m.t.Fatal(err)
	}
	return s.Version
}

// day returns the n-th day of an endless January.
func day(n int) timeseries.Date {
	return timeseries.NewDate(2024, time.January, 1) + timeseries.Date(n)
}

// prices returns bars with the adjusted closes for consecutive days from the given one;
// the closes are ten times as high.
func prices(first int, adjusted ...float64) []provider.Bar {
	out := make([]provider.Bar, len(adjusted))
	for i, p := range adjusted {
		out[i] = provider.Bar{Date: day(first + i), Close: 10 * p, Adjusted: p, Dividend: 0, Split: 1}
	}
	return out
}

// walk returns n plausible prices.
func walk(n int) []float64 {
	out, p := make([]float64, n), 100.0
	for i := range out {
		out[i] = math.Round(p*1e4) / 1e4
		p *= 1 + 0.01*math.Sin(float64(7*i))
	}
	return out
}

// scaled multiplies prices, as vendors do after every dividend and split.
func scaled(x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * by
	}
	return out
}

// holds checks that the stored series is that of the adjusted closes.
func (m *market) holds(first int, adjusted []float64) {
	m.t.Helper()
	s := m.series()
	if s.Base != day(first) || len(s.Returns) != len(adjusted)-1 {
		m.t.Fatalf("base %s, %d returns, want %s, %d", s.Base, len(s.Returns), day(first), len(adjusted)-1)
	}
	for i, r := range s.Returns {
		if want := adjusted[i+1]/adjusted[i] - 1; math.Abs(r-want) > 1e-12 || s.Dates[i] != day(first+i+1) {
			m.t.Fatalf("%s: return %v, want %v", s.Dates[i], r, want)
		}
	}
}

func (m *market) want(r syncing.Result, status syncing.Status) {
	m.t.Helper()
	if r.Status != status {
		m.t.Fatalf("status %s (%s), want %s", r.Status, r.Message, status)
	}
}

var errDown = &provider.Error{Provider: "a", Kind: provider.Unavailable, Detail: "status 500"}

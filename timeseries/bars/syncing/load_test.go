//go:build duckdb_arrow

package syncing_test

import (
	"strings"
	"testing"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/provider"
)

const soon = 10 * time.Second

func TestFirstLoadThenAppend(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	p := walk(32)
	a := &source{name: "a", bars: prices(0, p[:30]...)}
	l := m.loader(a)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	m.holds(0, p[:30])

	// Nothing is requested if no newer session can exist, or if the read ends before it.
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "current")
	m.leases.advance(48 * time.Hour)
	m.want(l.Read(t.Context(), m.now(), day(29), soon), "current")
	if n := a.asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}

	// A split since then has halved all earlier prices: the stored history stays.
	version := m.version()
	halved := scaled(p, 0.5)
	a.give(prices(0, halved...), nil)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	m.holds(0, p)
	if m.restated.Load() != 0 || m.version() != version+1 {
		t.Errorf("restated %d times, version %d", m.restated.Load(), m.version())
	}
	if a.from[1] == timeseries.NoDate {
		t.Error("the whole history was requested again")
	}
}

func TestBarsOfDaysThatAreNotOver(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	p := walk(31)
	l := m.loader(&source{name: "a", bars: prices(0, p...)}) // the last is tomorrow's
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	m.holds(0, p[:30])
}

func TestRestatedHistory(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	p := walk(80)
	m.leases.advance(49 * 24 * time.Hour)
	a := &source{name: "a", bars: prices(0, p[:79]...)}
	l := m.loader(a)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")

	// The requested overlap shows that a bar near the end has changed: the whole history
	// is requested, which also brings earlier changes.
	m.leases.advance(24 * time.Hour)
	q := append([]float64{}, p...)
	q[5] *= 1.02
	q[75] *= 1.01
	a.give(prices(0, q...), nil)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	m.holds(0, q)
	if m.restated.Load() != 1 {
		t.Errorf("%d restatements reported", m.restated.Load())
	}
	// If only early bars have changed, the change is found within a month.
	m.leases.advance(31 * 24 * time.Hour)
	q[5] /= 1.02
	a.give(prices(0, q...), nil)
	m.want(l.Load(t.Context(), m.now()), "loaded")
	m.holds(0, q)
	if m.restated.Load() != 2 {
		t.Errorf("%d restatements reported", m.restated.Load())
	}
}

func TestRoundingIsNoRestatement(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	a := &source{name: "a", rounding: 1e-4, bars: prices(0, 0.0501, 0.0512, 0.0498, 0.0503)}
	l := m.loader(a)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	before := m.series()
	m.leases.advance(24 * time.Hour)
	a.give(prices(0, 0.0251, 0.0256, 0.0249, 0.0252, 0.0253), nil)
	m.want(l.Load(t.Context(), m.now()), "loaded")
	after := m.series()
	for i, r := range before.Returns {
		if after.Returns[i] != r {
			t.Errorf("%s: %v became %v", before.Dates[i], r, after.Returns[i])
		}
	}
	if m.restated.Load() != 0 {
		t.Error("a restatement was reported")
	}
}

func TestFailedLoadsKeepStoredBars(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	p := walk(33)
	a := &source{name: "a", bars: prices(0, p[:30]...)}
	l := m.loader(a)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	for _, kind := range []provider.Kind{provider.Unavailable, provider.Throttled, provider.Denied, provider.Malformed} {
		m.leases.advance(24 * time.Hour)
		a.give(nil, &provider.Error{Provider: "a", Kind: kind, Detail: "secret detail", Wait: 3 * time.Hour})
		asked := a.asked.Load()
		r := l.Read(t.Context(), m.now(), timeseries.NoDate, soon)
		m.want(r, "failed")
		if r.Message == "" || strings.Contains(r.Message, "secret") {
			t.Errorf("%s: the message is %q", kind, r.Message)
		}
		// It is not requested again, not even by another process, until the time that the
		// service asked for.
		m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "failed")
		m.leases.advance(2 * time.Hour)
		m.want(m.loader(a).Read(t.Context(), m.now(), timeseries.NoDate, soon), "failed")
		if a.asked.Load() != asked+1 {
			t.Errorf("%s: asked %d times", kind, a.asked.Load()-asked)
		}
		m.holds(0, p[:30])
	}
	// If the provider has dropped a symbol, as after a delisting, its history stays as it
	// was.
	m.leases.advance(24 * time.Hour)
	a.give(nil, nil)
	m.want(l.Load(t.Context(), m.now()), "none")
	m.holds(0, p[:30])
}

func TestNothingNewIsRemembered(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	a := &source{name: "a", bars: prices(0, walk(20)...)} // its last bar is ten days old: delisted, in effect
	l := m.loader(a)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "current")
	m.leases.advance(20 * time.Minute)
	for range 5 {
		m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "current")
	}
	if n := a.asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
	// The recurring refresh still requests bars.
	m.want(l.Load(t.Context(), m.now()), "current")
	if n := a.asked.Load(); n != 3 {
		t.Errorf("asked %d times", n)
	}
	delisted := m.now()
	delisted.Delisted = true
	if l.Behind(delisted, timeseries.NoDate) {
		t.Error("a delisted asset is behind")
	}
}

func TestProvidersInOrder(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	p := walk(33)
	first, second := &source{name: "first"}, &source{name: "second", bars: prices(0, p[:30]...)}
	l := m.loader(first, second)
	m.want(l.Read(t.Context(), m.now(), timeseries.NoDate, soon), "loaded")
	// The history stays with the provider that supplied it, even if that provider fails.
	first.give(prices(0, scaled(walk(33), 3)...), nil)
	m.leases.advance(24 * time.Hour)
	second.give(nil, errDown)
	m.want(l.Load(t.Context(), m.now()), "failed")
	if first.asked.Load() != 1 {
		t.Error("another provider was asked")
	}
	// If that provider no longer has the symbol, another takes over with its whole
	// history.
	second.give(nil, nil)
	m.leases.advance(48 * time.Hour)
	q := walk(33)
	q[3] *= 1.5
	first.give(prices(0, q...), nil)
	m.want(l.Load(t.Context(), m.now()), "loaded")
	m.holds(0, q)
	if m.restated.Load() != 1 {
		t.Errorf("%d restatements reported", m.restated.Load())
	}
}

func TestNobodyHasTheSymbol(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	l := m.loader(&source{name: "a"}, &source{name: "b"})
	r := l.Read(t.Context(), m.now(), timeseries.NoDate, soon)
	m.want(r, "none")
	if r.Message != "No provider has bars of X." {
		t.Error(r.Message)
	}
	// The error of a provider that may have the symbol is more informative than
	// "unknown".
	other := newMarket(t)
	l = other.loader(&source{name: "a", err: errDown}, &source{name: "b"})
	other.want(l.Read(t.Context(), other.now(), timeseries.NoDate, soon), "failed")
}

func TestImportedBars(t *testing.T) {
	t.Parallel()
	p := walk(33)
	for _, test := range []struct {
		name   string
		header string
		offer  []float64
		status string
		stored []float64
	}{
		{"agreeing bars are continued", "adj_close", p[:31], "loaded", p[:31]},
		{"returns are continued", "total_return", p[:31], "loaded", p[:31]},
		{"closes are not", "close", p[:31], "refused", p[:30]},
		{"others stay as they are", "adj_close", append(append([]float64{}, p[:28]...), 1.1*p[28], p[29], p[30]), "refused", p[:30]},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMarket(t)
			m.importFile(test.header, p[:30])
			m.leases.advance(24 * time.Hour)
			l := m.loader(&source{name: "a", bars: prices(0, test.offer...)})
			m.want(l.Load(t.Context(), m.now()), statusOf(test.status))
			m.holds(0, test.stored)
			if test.status != "refused" {
				return
			}
			// An operator can replace them with the provider's history.
			m.want(l.Replace(t.Context(), m.now()), "loaded")
			m.holds(0, test.offer)
		})
	}
}

func TestIntroduce(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	p := walk(30)
	l := m.loader(&source{name: "a", bars: prices(0, p...)})
	if err := l.Introduce(t.Context(), "NEW"); err != nil {
		t.Fatal(err)
	}
	s, err := m.manifest.BySymbol(t.Context(), []string{"NEW"})
	if err != nil || len(s.Assets) != 1 || s.Assets[0].Rows != 30 || s.Assets[0].Convention != bars.Adjusted {
		t.Errorf("%+v, %v", s.Assets, err)
	}
	if err := m.loader(&source{name: "b"}).Introduce(t.Context(), "NOPE"); provider.KindOf(err) != provider.Unknown {
		t.Error(err)
	}
}

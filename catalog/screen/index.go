package screen

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"ballast/catalog"
)

// Source is where the catalog is kept.
type Source interface {
	// CatalogState tells where catalog and bars stand now.
	CatalogState(ctx context.Context) (catalog.State, error)
	// EachAsset calls f with every record by symbol, as they are at the state that
	// it returns. The record is f's until it returns.
	EachAsset(ctx context.Context, f func(*catalog.Asset) error) (catalog.State, error)
	// BarRangesSince returns the bar ranges that have changed after a version of
	// the bar store, and its latest.
	BarRangesSince(ctx context.Context, version int64) ([]catalog.BarRange, int64, error)
}

// Config is how an Index keeps up.
type Config struct {
	CheckEvery time.Duration    // how old an answer's knowledge of the state may be; 200 ms where 0
	Patience   time.Duration    // how long a caller waits for a newer snapshot where there is an older one; 100 ms where 0
	MaxAge     time.Duration    // of a state that callers are answered from without waiting for the latest; 30 s where 0
	Logger     *slog.Logger     // nil logs nothing
	Now        func() time.Time // time.Now where nil
}

// Index screens the latest catalog. It reads nothing before it is first asked.
type Index struct {
	source Source
	config Config

	latest  atomic.Pointer[held]
	mu      sync.Mutex
	renewal *renewal // under way, nil where none is
}

// held is a snapshot with the state that it shows, and when that was last seen
// to be the latest.
type held struct {
	snapshot *Snapshot
	state    catalog.State
	checked  time.Time
}

// renewal is a look at the state under way, and a new snapshot where it needs one.
type renewal struct {
	done chan struct{}
	err  error
}

// NewIndex makes an Index.
func NewIndex(source Source, c Config) *Index {
	if c.CheckEvery == 0 {
		c.CheckEvery = 200 * time.Millisecond
	}
	if c.Patience == 0 {
		c.Patience = 100 * time.Millisecond
	}
	if c.MaxAge == 0 {
		c.MaxAge = 30 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Index{source: source, config: c}
}

// Screen returns a page, the total before paging, and the facets where the
// filter asks for them, all of one snapshot. Records are shared and not to be
// written to.
func (x *Index) Screen(ctx context.Context, f catalog.Filter) (*catalog.Page, error) {
	s, err := x.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return s.Screen(&f), nil
}

// Screen is Index.Screen on one snapshot.
func (s *Snapshot) Screen(f *catalog.Filter) *catalog.Page {
	lent := s.match(f)
	defer s.scratch.give(lent)
	rows := *lent
	page := &catalog.Page{Total: rows.count()}
	page.Assets = s.assets(s.page(rows, page.Total, f))
	if f.Facets {
		page.Facets = s.facets(rows, page.Total)
	}
	return page
}

// Snapshot returns one that shows the state of at most CheckEvery ago; one of at
// most MaxAge ago while that is read for longer than Patience; an older one where
// it cannot be read. So the first to ask after a quiet time sees what was imported
// in it.
func (x *Index) Snapshot(ctx context.Context) (*Snapshot, error) {
	h, now := x.latest.Load(), x.config.Now()
	if h != nil && now.Sub(h.checked) < x.config.CheckEvery {
		return h.snapshot, nil
	}
	r := x.renew(ctx)
	var impatient <-chan time.Time
	if h != nil && now.Sub(h.checked) < x.config.MaxAge {
		timer := time.NewTimer(x.config.Patience)
		defer timer.Stop()
		impatient = timer.C
	}
	select {
	case <-r.done:
		if latest := x.latest.Load(); latest != nil {
			return latest.snapshot, nil
		}
		return nil, r.err
	case <-impatient:
		return h.snapshot, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// renew looks at the state, once for all who ask meanwhile; it outlives them.
func (x *Index) renew(ctx context.Context) *renewal {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.renewal != nil {
		return x.renewal
	}
	r := &renewal{done: make(chan struct{})}
	x.renewal = r
	go func() {
		next, err := x.read(context.WithoutCancel(ctx), x.latest.Load())
		if err != nil {
			r.err = err
			x.config.Logger.Error("the catalog could not be read for screening", "error", err)
		} else {
			x.latest.Store(next)
		}
		x.mu.Lock()
		x.renewal = nil
		x.mu.Unlock()
		close(r.done)
	}()
	return r
}

// read returns what shows the latest state: h itself where nothing has changed,
// h with other bar ranges where bars alone have, else the catalog read anew.
func (x *Index) read(ctx context.Context, h *held) (*held, error) {
	now := x.config.Now()
	if h != nil {
		state, err := x.source.CatalogState(ctx)
		if err != nil {
			return nil, err
		}
		if state == h.state {
			return &held{h.snapshot, state, now}, nil
		}
		if state.Catalog == h.state.Catalog {
			ranges, version, err := x.source.BarRangesSince(ctx, h.state.Bars)
			if err != nil {
				return nil, err
			}
			if s, ok := h.snapshot.withBars(ranges); ok {
				return &held{s, catalog.State{Catalog: state.Catalog, Bars: version}, now}, nil
			}
		}
	}
	var b Builder
	state, err := x.source.EachAsset(ctx, b.Add)
	if err != nil {
		return nil, err
	}
	s := b.Snapshot()
	b = Builder{}
	debug.FreeOSMemory() // reading takes more than what it leaves, and comes seldom
	x.config.Logger.Info("catalog read for screening", "assets", s.Len(), "catalog_version", state.Catalog, "bars_version", state.Bars, "took", x.config.Now().Sub(now))
	return &held{s, state, now}, nil
}

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

// Source stores the catalog.
type Source interface {
	// CatalogState returns the current versions of the catalog and the bars.
	CatalogState(ctx context.Context) (catalog.State, error)
	// EachAsset calls f with every record, in the order of symbols, and returns the state
	// that they belong to. f must not keep the record.
	EachAsset(ctx context.Context, f func(*catalog.Asset) error) (catalog.State, error)
	// BarRangesSince returns the bar ranges that have changed after a version of the bar
	// store, and the latest version.
	BarRangesSince(ctx context.Context, version int64) ([]catalog.BarRange, int64, error)
}

// Config configures an Index.
type Config struct {
	Logger *slog.Logger     // nil logs nothing
	Now    func() time.Time // nil: time.Now
}

// Index screens the latest catalog. It reads nothing before the first call.
type Index struct {
	source Source
	config Config

	latest  atomic.Pointer[held]
	mu      sync.Mutex
	running bool     // a renewal is in progress
	next    *renewal // for callers that came since then; nil if there are none
}

// held is a snapshot with its state.
type held struct {
	snapshot *Snapshot
	state    catalog.State
}

// renewal is a check of the state, and a new snapshot if it has changed.
type renewal struct {
	done chan struct{}
	err  error
}

// NewIndex returns an Index.
func NewIndex(source Source, c Config) *Index {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Index{source: source, config: c}
}

// Screen returns a page, the total before paging, and the facets if the filter asks for
// them, all from one snapshot. Records are shared; callers must not change them.
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

// Snapshot returns a snapshot at least as recent as the call, so that a caller whose
// import has returned sees it. If the state cannot be read, it returns an older one.
func (x *Index) Snapshot(ctx context.Context) (*Snapshot, error) {
	r := x.renew(ctx)
	select {
	case <-r.done:
		if latest := x.latest.Load(); latest != nil {
			return latest.snapshot, nil
		}
		return nil, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// renew returns a check of the state that begins after this call. All callers that come
// while the previous check runs share it. It does not end with its callers.
func (x *Index) renew(ctx context.Context) *renewal {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.next == nil {
		x.next = &renewal{done: make(chan struct{})}
	}
	r := x.next
	if !x.running {
		x.running = true
		go x.run(context.WithoutCancel(ctx))
	}
	return r
}

// run carries out renewals until none is requested.
func (x *Index) run(ctx context.Context) {
	for {
		x.mu.Lock()
		r := x.next
		x.next, x.running = nil, r != nil
		x.mu.Unlock()
		if r == nil {
			return
		}
		next, err := x.read(ctx, x.latest.Load())
		if err != nil {
			r.err = err
			x.config.Logger.Error("cannot read the catalog for screening", "error", err)
		} else {
			x.latest.Store(next)
		}
		close(r.done)
	}
}

// read returns the latest state: h itself if nothing has changed, h with other bar ranges
// if only the bars have changed, else the catalog, read again.
func (x *Index) read(ctx context.Context, h *held) (*held, error) {
	began := x.config.Now()
	if h != nil {
		state, err := x.source.CatalogState(ctx)
		if err != nil {
			return nil, err
		}
		if state == h.state {
			return h, nil
		}
		if state.Catalog == h.state.Catalog {
			ranges, version, err := x.source.BarRangesSince(ctx, h.state.Bars)
			if err != nil {
				return nil, err
			}
			if s, ok := h.snapshot.withBars(ranges); ok {
				return &held{s, catalog.State{Catalog: state.Catalog, Bars: version}}, nil
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
	debug.FreeOSMemory() // reading needs more memory than the result, and happens seldom
	x.config.Logger.Info("catalog read for screening", "assets", s.Len(), "catalog_version", state.Catalog, "bars_version", state.Bars, "took", x.config.Now().Sub(began))
	return &held{s, state}, nil
}

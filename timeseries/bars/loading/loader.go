package loading

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/reports"
)

// Asset is what a load is of.
type Asset struct {
	ID       string
	Symbol   string
	Coin     bool            // a crypto currency
	SevenDay bool            // has bars at weekends
	Delisted bool            // no more bars come
	Last     timeseries.Date // stored bar; NoDate without
}

// Reader reads what is stored of an asset. bars.Reader is one.
type Reader interface {
	LoadAssets(ctx context.Context, assetIDs []string, version bars.Version) ([]bars.Loaded, error)
}

// Importer merges a file of one symbol onto the stored bars, all or nothing.
// importing.Importer is one.
type Importer interface {
	// ImportSymbol returns what the file held and what it changed. A file that
	// cannot be taken is a fault.InvalidBody, which wraps reports.ErrRefused where
	// the reason is among the report's problems.
	ImportSymbol(ctx context.Context, path, symbol string) (*reports.Report, error)
}

// Config is what a Loader is made of.
type Config struct {
	Providers []provider.Provider // in the order in which they are asked for an asset without bars
	Store     Store
	Reader    Reader
	Importer  Importer
	// Session is the last session of the exchange whose bars are to be had by a time.
	Session func(now time.Time) timeseries.Date
	// Restated is told of an asset whose stored history a load has changed; nil
	// tells nobody.
	Restated   func(ctx context.Context, assetID string) error
	TempDir    string
	Registerer prometheus.Registerer // nil counts nothing
	Logger     *slog.Logger
	Now        func() time.Time // time.Now where nil
}

// Loader loads bars. It is safe for concurrent use; the caller closes it.
type Loader struct {
	c       Config
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	slots   chan struct{} // loads at the same time
	memory  *memory
	metrics *metrics

	mu      sync.Mutex
	closed  bool
	flights map[string]*flight // by asset id
}

const (
	// loadsAtOnce bounds the loads of one process that work at the same time.
	loadsAtOnce = 8
	// mostFlights bounds those that work or wait for a slot.
	mostFlights = 256
)

// New makes a Loader.
func New(c Config) *Loader {
	if c.Now == nil {
		c.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Loader{
		c: c, ctx: ctx, cancel: cancel, slots: make(chan struct{}, loadsAtOnce),
		memory: newMemory(c.Now), metrics: newMetrics(c.Registerer), flights: map[string]*flight{},
	}
}

// Close cancels the loads under way and waits for them. What they have not
// committed is as it was.
func (l *Loader) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.running.Wait()
}

// Status is where a load is.
type Status string

// The statuses.
const (
	Current Status = "current" // nothing newer is to be had now, as far as is known
	Loaded  Status = "loaded"  // a load has ended that has brought bars
	Loading Status = "loading" // a load is in flight
	None    Status = "none"    // no provider has bars of the asset
	Broken  Status = "failed"  // the load has failed; it is tried again later
	Refused Status = "refused" // the provider's bars do not fit the stored ones, which stay
)

// Result is what has become of a request for bars.
type Result struct {
	Status  Status
	Message string // why no bars have come, for callers; "" without
}

// Behind reports whether a read up to a date (NoDate: to the end) could have
// bars that are not stored yet.
func (l *Loader) Behind(a Asset, until timeseries.Date) bool {
	if a.Last == timeseries.NoDate {
		return true
	}
	if a.Delisted || until != timeseries.NoDate && until <= a.Last {
		return false
	}
	return a.Last < l.expected(a)
}

// expected is the last day whose bar is to be had by now.
func (l *Loader) expected(a Asset) timeseries.Date {
	now := l.c.Now()
	if a.SevenDay || a.Coin {
		return timeseries.FromTime(now.UTC()) - 1 // the days of coins end at midnight in Greenwich
	}
	return l.c.Session(now)
}

// Read asks for the bars that a read up to a date lacks and waits for them, up
// to wait and as long as ctx lasts; a load goes on without its callers. What was
// asked for in vain is not asked for again for a while.
func (l *Loader) Read(ctx context.Context, a Asset, until timeseries.Date, wait time.Duration) Result {
	if len(l.c.Providers) == 0 || !l.Behind(a, until) {
		return Result{Status: Current}
	}
	if r, ok := l.memory.get(a.ID); ok {
		return r
	}
	f, ok := l.start(a, request{})
	if !ok {
		return Result{Status: Loading} // its turn comes when the callers ask again
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-f.done:
		return f.result
	case <-timer.C:
	case <-ctx.Done():
	}
	return Result{Status: Loading}
}

// Load asks for bars even where that was in vain lately, and waits for the end.
func (l *Loader) Load(ctx context.Context, a Asset) Result {
	return l.finish(ctx, a, request{force: true})
}

// Replace asks for the whole history and takes it in the place of what is
// stored, where that differs.
func (l *Loader) Replace(ctx context.Context, a Asset) Result {
	return l.finish(ctx, a, request{force: true, replace: true})
}

func (l *Loader) finish(ctx context.Context, a Asset, r request) Result {
	for {
		f, ok := l.start(a, r)
		if !ok {
			select {
			case <-ctx.Done():
				return Result{Status: Broken, Message: "The load was canceled."}
			case <-l.ctx.Done():
				return Result{Status: Broken, Message: "The service is stopping."}
			case <-time.After(leasePoll):
			}
			continue
		}
		select {
		case <-f.done:
			if f.request == r {
				return f.result
			}
		case <-ctx.Done():
			return Result{Status: Loading}
		}
	}
}

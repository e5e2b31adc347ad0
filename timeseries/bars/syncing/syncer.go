package syncing

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

// Asset is the asset to load.
type Asset struct {
	ID       string
	Symbol   string
	Coin     bool            // a cryptocurrency
	SevenDay bool            // has bars at weekends
	Delisted bool            // will have no more bars
	Last     timeseries.Date // last stored bar; NoDate if there is none
}

// Reader reads the stored bars of an asset. bars.Reader is one.
type Reader interface {
	LoadAssets(ctx context.Context, assetIDs []string, version bars.Version) ([]bars.Loaded, error)
}

// Importer merges a file of one symbol into the stored bars, all or nothing.
// importing.Importer is one.
type Importer interface {
	// ImportSymbol returns what the file held and what it changed. A file that
	// cannot be imported is a fault.InvalidBody, which wraps reports.ErrRefused if
	// the report lists the reason.
	ImportSymbol(ctx context.Context, path, symbol string) (*reports.Report, error)
}

// Config configures a Syncer.
type Config struct {
	Providers []provider.Provider // in the order in which they are tried for an asset without bars
	Store     Store
	Reader    Reader
	Importer  Importer
	// Session returns the last session of the exchange whose bars should be
	// available at a time.
	Session func(now time.Time) timeseries.Date
	// Restated is called with an asset whose stored history a load has changed;
	// may be nil.
	Restated   func(ctx context.Context, assetID string) error
	TempDir    string
	Registerer prometheus.Registerer // nil counts nothing
	Logger     *slog.Logger
	Now        func() time.Time // nil: time.Now
}

// Syncer loads bars. It is safe for concurrent use; the caller closes it.
type Syncer struct {
	c       Config
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	slots   chan struct{} // for concurrent loads
	memory  *memory
	metrics *metrics

	mu      sync.Mutex
	closed  bool
	flights map[string]*flight // by asset id
}

const (
	// loadsAtOnce limits the concurrent loads of one process.
	loadsAtOnce = 8
	// mostFlights limits the loads that run or wait for a slot.
	mostFlights = 256
)

// New returns a Syncer.
func New(c Config) *Syncer {
	if c.Now == nil {
		c.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Syncer{
		c: c, ctx: ctx, cancel: cancel, slots: make(chan struct{}, loadsAtOnce),
		memory: newMemory(c.Now), metrics: newMetrics(c.Registerer), flights: map[string]*flight{},
	}
}

// Close cancels the loads in progress and waits for them. Loads that have not committed
// change nothing.
func (l *Syncer) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.running.Wait()
}

// Status is the state of a load.
type Status string

// The statuses.
const (
	Current Status = "current" // as far as is known, there is nothing newer now
	Loaded  Status = "loaded"  // a load has brought bars
	Loading Status = "loading" // a load is in flight
	None    Status = "none"    // no provider has bars of the asset
	Broken  Status = "failed"  // the load failed; it will be tried again later
	Refused Status = "refused" // the provider's bars do not fit the stored ones, which stay
)

// Result is the outcome of a request for bars.
type Result struct {
	Status  Status
	Message string // why no bars came, for callers; may be ""
}

// Behind reports whether bars that a read up to a date (NoDate: to the end) covers
// may not be stored yet.
func (l *Syncer) Behind(a Asset, until timeseries.Date) bool {
	if a.Last == timeseries.NoDate {
		return true
	}
	if a.Delisted || until != timeseries.NoDate && until <= a.Last {
		return false
	}
	return a.Last < l.expected(a)
}

// expected returns the last day whose bar should be available by now.
func (l *Syncer) expected(a Asset) timeseries.Date {
	now := l.c.Now()
	if a.SevenDay || a.Coin {
		return timeseries.FromTime(now.UTC()) - 1 // the days of coins end at midnight UTC
	}
	return l.c.Session(now)
}

// Read requests the bars that a read up to a date lacks and waits for them, at most
// for wait or until ctx ends. The load continues without its callers. After a load
// that brought nothing, Read does not start another for a while.
func (l *Syncer) Read(ctx context.Context, a Asset, until timeseries.Date, wait time.Duration) Result {
	if len(l.c.Providers) == 0 || !l.Behind(a, until) {
		return Result{Status: Current}
	}
	if r, ok := l.memory.get(a.ID); ok {
		return r
	}
	f, ok := l.start(a, request{})
	if !ok {
		return Result{Status: Loading} // too many loads are in flight; callers that ask again will start it
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

// Load requests bars even if a recent load brought nothing, and waits for the end.
func (l *Syncer) Load(ctx context.Context, a Asset) Result {
	return l.finish(ctx, a, request{force: true})
}

// Replace requests the whole history, and replaces the stored one if it differs.
func (l *Syncer) Replace(ctx context.Context, a Asset) Result {
	return l.finish(ctx, a, request{force: true, replace: true})
}

func (l *Syncer) finish(ctx context.Context, a Asset, r request) Result {
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

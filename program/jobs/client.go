package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"ballast/program"
	"ballast/program/execution"
	"ballast/program/result"
)

const (
	// fetchCooldown is the shortest time between two fetches. A caller who waits for
	// a run notices it.
	fetchCooldown = 2 * time.Millisecond
	// fetchPollInterval is how long a job waits at most if its notification was lost.
	fetchPollInterval = 250 * time.Millisecond
	sweepInterval     = time.Hour

	// Jobs that wait for other people's servers use no worker for runs.
	eventsPollInterval = 2 * time.Second
	generationsAtOnce  = 16 // they compute within the executor's limit, as other runs do
	// firstsAtOnce is for how many accounts a run may be in progress in addition to
	// the workers. A run that waits to compute costs a goroutine but no bars.
	firstsAtOnce = 64

	// Deliveries mostly wait, so many may run at once. An account gets a few of them,
	// and each of its endpoints fewer, because one that does not respond blocks its
	// share.
	deliveriesAtOnce  = 128
	deliveriesAccount = 8
	deliveriesWebhook = 2
	mailsAtOnce       = 8
	mailsPerAccount   = 1
)

// Leases tell live workers from dead ones, so that the jobs of dead workers are
// resumed.
type Leases interface {
	// Renew records that the worker is alive, and how many runs it executes at a time.
	Renew(ctx context.Context, worker string, slots Slots) error
	// Rescue makes the running jobs of workers without a current lease available
	// again and returns how many there were.
	Rescue(ctx context.Context, olderThan time.Duration) (int, error)
}

// Slots are how many runs a process executes at the same time, in addition to one per
// account.
type Slots struct{ Runs, Generations int }

// Config holds what New needs.
type Config struct {
	Pool      *pgxpool.Pool
	Executor  *execution.Executor
	Sweepers  []Sweeper
	Gatherer  Gatherer
	Lake      *Publishing          // nil: no periodic publication
	Figures   *result.FigureFiller // nil if another process fills in figures
	Refresher *program.Refresher   // nil: no recurring refresh
	Leases    Leases
	Lanes     Lanes
	Workers   int // runs at the same time, in addition to one per account; 0: this process executes none
	Deliverer Deliverer
	Notifier  Notifier // nil if no mail server is configured; then another process sends the mails
	Logger    *slog.Logger
	Metrics   prometheus.Registerer // nil: no metrics
}

// Client works on the queue in this process.
type Client struct {
	river    *river.Client[pgx.Tx]
	leases   Leases
	lanes    *lanes
	releaser *releaser
	slots    Slots
	log      *slog.Logger
	stopping *atomic.Bool
	cancel   context.CancelFunc
	ended    sync.WaitGroup // goroutines beside the queue
}

// New creates a Client; Start begins the work.
func New(c Config) (*Client, error) {
	stopping := &atomic.Bool{}
	lanes := newLanes(c.Lanes, c.Logger)
	slots := Slots{Runs: c.Workers, Generations: generationsAtOnce}
	releaser := newReleaser(c.Lanes, slots, c.Logger)
	queues := queuesOf(c)
	measure, err := newMeasure(c.Metrics, queues)
	if err != nil {
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(c.Pool), &river.Config{
		Queues:            queues,
		Workers:           workersOf(c, lanes, releaser),
		FetchCooldown:     fetchCooldown,
		FetchPollInterval: fetchPollInterval,
		Logger:            slog.New(calm{Handler: c.Logger.Handler(), stopping: stopping}).With("component", "queue"),
		PeriodicJobs:      periodicOf(c),
		Middleware:        []rivertype.Middleware{measure},
	})
	if err != nil {
		return nil, fmt.Errorf("configure the queue: %w", err)
	}
	return &Client{river: client, leases: c.Leases, lanes: lanes, releaser: releaser, slots: slots, log: c.Logger, stopping: stopping}, nil
}

const (
	leaseInterval = 3 * time.Second
	leaseExpiry   = 20 * time.Second
)

// Start works on jobs, and rescues those of dead workers, until Stop.
func (c *Client) Start(ctx context.Context) error {
	if err := c.leases.Renew(ctx, c.river.ID(), c.slots); err != nil {
		return fmt.Errorf("renew the worker's lease: %w", err)
	}
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c.cancel = cancel
	c.ended.Go(func() { c.keepLease(background) })
	c.ended.Go(func() { c.lanes.fill(background) })
	recorded, unsubscribe := c.river.Subscribe(river.EventKindJobCompleted, river.EventKindJobCancelled, river.EventKindJobFailed, river.EventKindJobSnoozed)
	c.ended.Go(func() {
		defer unsubscribe()
		c.releaser.work(background, recorded)
	})
	return c.river.Start(background)
}

func (c *Client) keepLease(ctx context.Context) {
	tick := time.NewTicker(leaseInterval)
	defer tick.Stop()
	for {
		if n, err := c.leases.Rescue(ctx, leaseExpiry); err != nil {
			c.warn(ctx, "jobs of dead workers not rescued", err)
		} else if n > 0 {
			c.log.InfoContext(ctx, "took up the jobs of dead workers", "jobs", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := c.leases.Renew(ctx, c.river.ID(), c.slots); err != nil {
			c.warn(ctx, "lease not renewed", err)
		}
	}
}

func (c *Client) warn(ctx context.Context, message string, err error) {
	if ctx.Err() == nil {
		c.log.WarnContext(ctx, message, "error", err)
	}
}

// Stop lets running jobs finish until ctx is done, then cancels them; the next start
// resumes them.
func (c *Client) Stop(ctx context.Context) error {
	c.stopping.Store(true)
	defer func() {
		c.cancel()
		c.ended.Wait()
	}()
	if err := c.river.Stop(ctx); err != nil && ctx.Err() == nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	if ctx.Err() == nil {
		return nil
	}
	hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return c.river.StopAndCancel(hard)
}

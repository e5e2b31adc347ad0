package service

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/internal/fair"
	"ballast/postgres"
	"ballast/program"
	"ballast/program/execution"
	"ballast/program/jobs"
	"ballast/program/result"
	"ballast/script/sandbox"
	"ballast/timeseries/bars/syncing"
)

// work is the part of a process that executes runs.
type work struct {
	sandboxes *sandbox.Pool
	executor  *execution.Executor
	loader    *syncing.Syncer
	client    *jobs.Client
}

// newWork starts the sandboxes and the work on the queue.
func newWork(ctx context.Context, c Config, s *Storage, results *result.Store, log *slog.Logger, metrics prometheus.Registerer) (_ *work, err error) {
	if err := c.Refresh.Check(); err != nil {
		return nil, err
	}
	languageModel, err := c.Generator.open(log)
	if err != nil {
		return nil, err
	}
	w := &work{}
	if w.loader, err = NewLoader(c, s, log, metrics); err != nil {
		return nil, err
	}
	events, err := newEvents(c, s, results, log)
	if err != nil {
		return nil, err
	}
	if w.sandboxes, err = NewSandboxes(ctx, c, log, metrics); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	w.executor = execution.NewExecutor(execution.ExecutorConfig{
		Kinds: Kinds,
		Store: s.DB, Programs: s.DB, Members: s.DB, Backfills: s.DB, Optimizers: s.DB, Series: s.DB, SeriesReads: s.DB, Assets: s.DB,
		Bars: s.Bars, Loads: loads(c, w.loader), Results: results, Sandbox: w.sandboxes,
		Snapshots: program.New(program.Config{
			Known: Kinds, Stores: s.DB.ProgramStores(), Assets: s.DB, Sessions: results, DailyRunLimit: c.Limits.DailyRuns, Logger: log,
		}).Runs,
		Author: program.NewAuthor(program.AuthorConfig{
			Scripts: s.DB, Builds: s.DB, Members: s.DB, Symbols: s.DB, Assets: s.DB, Series: s.DB, LanguageModel: languageModel, Prices: s.Policy.Prices,
		}),
		NextRefresh: c.Refresh.next(), Prices: s.Policy.Prices, Logger: log,
		Computing: computing(c),
	})
	if err := forgetFormerProcess(ctx, s); err != nil {
		return nil, err
	}
	if w.client, err = jobs.New(jobs.Config{
		Pool: s.DB.Pool(), Executor: w.executor, Refresher: recurring(c, s, w.loader, log), Leases: s.DB, Lanes: s.DB,
		Workers: c.Workers.Runs, Logger: log, Metrics: metrics,
		Deliverer: events.deliverer, Notifier: events.notifier, Sweepers: sweepers(c, s, log),
		Figures:  &result.FigureFiller{Store: s.DB, Results: results, Logger: log},
		Gatherer: NewGatherer(s, log), Lake: publishing(c, s, log),
	}); err != nil {
		return nil, err
	}
	return w, w.client.Start(ctx)
}

// forgetFormerProcess clears what an ended process left behind.
func forgetFormerProcess(ctx context.Context, s *Storage) error {
	// There may be other providers or new files now, so ask again for bars that
	// nobody had.
	if err := s.DB.ForgetUnknown(ctx); err != nil {
		return err
	}
	if s.server == nil {
		return nil
	}
	// The private database has one owner, so whatever ran in it died with the
	// previous one.
	if _, err := s.DB.Rescue(ctx, 0); err != nil {
		return err
	}
	return postgres.StaleReports{DB: s.DB}.Sweep(ctx)
}

// stop lets running jobs finish until ctx is done.
func (w *work) stop(ctx context.Context) error { return w.client.Stop(ctx) }

// close ends the loads in progress and the sandboxes.
func (w *work) close() error {
	w.loader.Close()
	return w.sandboxes.Close()
}

// NewSandboxes starts sandbox processes, which run this program.
func NewSandboxes(ctx context.Context, c Config, log *slog.Logger, metrics prometheus.Registerer) (*sandbox.Pool, error) {
	strict, err := c.Sandbox.strict()
	if err != nil {
		return nil, err
	}
	return sandbox.NewPool(ctx, sandbox.Config{
		Command: []string{"/proc/self/exe", "sandbox"},
		Size:    c.Workers.Sandboxes,
		Most:    mostSandboxes(c),
		Strict:  strict,
		Defaults: sandbox.Limits{
			Deadline: c.Sandbox.Deadline,
			Memory:   int64(c.Sandbox.MemoryMiB) << 20,
		},
		Logger:     log,
		Registerer: metrics,
	})
}

// MissingGuards starts one sandbox process and one that answers SQL, and returns the
// guards that this kernel lacks, and whether the configuration requires all of them.
func MissingGuards(ctx context.Context, c Config, temporary string) (missing []string, strict bool, err error) {
	if strict, err = c.Sandbox.strict(); err != nil {
		return nil, strict, err
	}
	c.Sandbox.Guards, c.Workers.Sandboxes = guardsAvailable, 1
	pool, err := NewSandboxes(ctx, c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return nil, strict, err
	}
	missing = pool.Guards().Missing()
	if err := pool.Close(); err != nil {
		return nil, strict, err
	}
	guards, err := queryGuards(ctx, temporary)
	for _, name := range guards.Missing() {
		if !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing, strict, err
}

// mostSandboxes returns the number of sandboxes including the extra ones, which are
// started for accounts that hold none of the others.
func mostSandboxes(c Config) int { return 2 * c.Workers.Sandboxes }

// computing limits the runs that have bars in memory. One more run than can compute
// reads its bars ahead. Runs that were stopped to make room for others may take all
// sandboxes but one, so that further ones wait without their bars.
func computing(c Config) fair.Size {
	return fair.Size{Places: c.Workers.Sandboxes + 1, Most: mostSandboxes(c) + 1, Long: mostSandboxes(c) - 1}
}

// sweepers returns the periodic jobs that delete what is no longer needed. The Trash
// and the retention come first, because what they delete leaves orphaned files.
func sweepers(c Config, s *Storage, log *slog.Logger) []jobs.Sweeper {
	o := c.Operation
	return []jobs.Sweeper{
		&program.TrashSweeper{Store: s.DB, Logger: log, Now: time.Now},
		postgres.Retention{DB: s.DB},
		postgres.StaleReports{DB: s.DB, Age: o.SweepGrace},
		postgres.SeriesVersions{DB: s.DB, Grace: o.SweepGrace},
		ResultSweeper(s, o.SweepGrace, log),
		BarSweeper(s, o.SweepGrace, log),
		SegmentSweeper(s, o.SweepGrace, log),
		postgres.AuditRetention{DB: s.DB, Keep: time.Duration(o.AuditKeepDays) * 24 * time.Hour},
		temporarySweeper{dir: s.Temporary, log: log},
		s.DB,
	}
}

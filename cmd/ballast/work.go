package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"ballast/internal/fair"
	"ballast/postgres"
	"ballast/program"
	"ballast/program/execution"
	"ballast/program/jobs"
	"ballast/program/result"
	"ballast/script/sandbox"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/loading"
)

// work is the part of a process that executes runs.
type work struct {
	pool     *sandbox.Pool
	executor *execution.Executor
	loader   *loading.Loader
	client   *jobs.Client
}

// newWork starts sandboxes and queue.
func newWork(ctx context.Context, c Config, s *storage, results *result.Store, log *slog.Logger, metrics prometheus.Registerer) (*work, error) {
	if err := checkRefresh(c); err != nil {
		return nil, err
	}
	writer, err := languageModel(c, log)
	if err != nil {
		return nil, err
	}
	loader, err := newLoader(c, s, log, metrics)
	if err != nil {
		return nil, err
	}
	// Other providers, or newly placed files, may have what none had before.
	if err := s.db.ForgetUnknown(ctx); err != nil {
		return nil, err
	}
	telling, err := newEvents(c, s, results, log)
	if err != nil {
		return nil, err
	}
	pool, err := newSandboxes(ctx, c, log, metrics)
	if err != nil {
		return nil, err
	}
	executor := execution.NewExecutor(execution.ExecutorConfig{
		Store: s.db, Programs: s.db, Members: s.db, Backfills: s.db, Assets: s.db, Bars: s.bars, Loads: loads(c, loader), Results: results, Sandbox: pool,
		Author: program.NewAuthor(program.AuthorConfig{
			Scripts: s.db, Builds: s.db, Members: s.db, Symbols: s.db, Assets: s.db, LanguageModel: writer, Prices: s.policy.Prices,
		}),
		NextRefresh: nextRefresh(c), Prices: s.policy.Prices, Logger: log,
		Computing: computing(c),
	})
	if s.server != nil {
		// The private database was ours alone: whatever ran in it died with its last owner.
		if _, err := s.db.Rescue(ctx, 0); err != nil {
			return nil, errors.Join(err, pool.Close())
		}
		if err := (postgres.StaleReports{DB: s.db}).Sweep(ctx); err != nil {
			return nil, errors.Join(err, pool.Close())
		}
	}
	client, err := jobs.New(jobs.Config{
		Pool: s.db.Pool(), Executor: executor, Refresher: recurring(c, s, loader, log), Leases: s.db, Lanes: s.db, Workers: c.Workers, Logger: log, Metrics: metrics,
		Deliverer: telling.deliverer, Writer: telling.writer,
		Sweepers: []jobs.Sweeper{
			&program.TrashSweeper{Store: s.db, Logger: log, Now: time.Now}, // first: what it purges leaves orphans
			postgres.Retention{DB: s.db},                                   // likewise
			postgres.StaleReports{DB: s.db, Age: c.SweepGrace},
			&result.Sweeper{Store: s.db, Bucket: s.bucket, Grace: c.SweepGrace, Logger: log, Now: time.Now},
			barSweeper{s: s, grace: c.SweepGrace, log: log},
			postgres.AuditRetention{DB: s.db, Keep: time.Duration(c.Access.AuditKeepDays) * 24 * time.Hour},
			temporarySweeper{dir: s.temporary, log: log},
			s.db,
		},
	})
	if err == nil {
		err = client.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &work{pool: pool, executor: executor, loader: loader, client: client}, nil
}

// stop lets running jobs finish until ctx is done.
func (w *work) stop(ctx context.Context) error { return w.client.Stop(ctx) }

// close ends the loads under way and the sandboxes.
func (w *work) close() error {
	w.loader.Close()
	return w.pool.Close()
}

func newSandboxes(ctx context.Context, c Config, log *slog.Logger, metrics prometheus.Registerer) (*sandbox.Pool, error) {
	if c.Sandbox != "available" && c.Sandbox != "strict" {
		return nil, usage("sandbox %q: accepted are available and strict", c.Sandbox)
	}
	return sandbox.NewPool(ctx, sandbox.Config{
		Command: []string{"/proc/self/exe", "sandbox"},
		Size:    c.Sandboxes,
		Most:    mostSandboxes(c),
		Strict:  c.Sandbox == "strict",
		Defaults: sandbox.Limits{
			Deadline: c.RunDeadline,
			Memory:   int64(c.RunMemoryMiB) << 20,
		},
		Logger:     log,
		Registerer: metrics,
	})
}

// mostSandboxes is the number of sandbox processes with the extra ones, which are
// started for accounts that compute in none of the others.
func mostSandboxes(c Config) int { return 2 * c.Sandboxes }

// computing bounds the runs that have their bars in memory: one beside those that
// compute gets its bars ready. Of runs that made room for others as many as the
// sandboxes take, so that they wait for these without their bars.
func computing(c Config) fair.Size {
	return fair.Size{Places: c.Sandboxes + 1, Most: mostSandboxes(c) + 1, Long: mostSandboxes(c) - 1}
}

func workerCommand() *cobra.Command {
	c := defaultConfig()
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Execute runs of a service, on this machine or another",
		Long: `Works the queue of a service beside it. Any number of workers may share the work;
on other machines they need the service's --database-url and --bucket-url.`,
		Example: "  ballast worker --database-url postgres://db/ballast --bucket-url 's3://models?region=eu-central-1'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := newLogger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return worker(cmd.Context(), c, log)
		},
	}
	storageFlags(cmd.Flags(), &c)
	workFlags(cmd.Flags(), &c)
	return cmd
}

// worker executes runs until ctx is done, then lets the running ones finish.
func worker(ctx context.Context, c Config, log *slog.Logger) (err error) {
	s, err := openStorage(ctx, c, log, serviceDatabase)
	if ctx.Err() != nil {
		return nil // stopped while it waited
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	defer reserve()()
	results, err := result.NewStore(s.bucket, int64(c.CacheMiB)<<20)
	if err != nil {
		return err
	}
	metrics := newTelemetry(s, results)
	w, err := newWork(ctx, c, s, results, log, metrics)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	failed := make(chan error, 1)
	closePrivate, err := servePrivate(ctx, c.PrivateListen, metrics, log, failed)
	if err != nil {
		return err
	}
	defer closePrivate()
	log.InfoContext(ctx, "working")
	go releaseStart()
	select {
	case <-ctx.Done():
	case err := <-failed:
		return fmt.Errorf("serve metrics and profiles: %w", err)
	case <-s.lost():
		return errDatabaseEnded
	}
	log.Info("stopping: finishing runs", "grace", c.ShutdownGrace)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.ShutdownGrace)
	defer cancel()
	return w.stop(grace)
}

func sandboxCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "sandbox",
		Short:  "Run scripts for the service; it starts this command itself",
		Hidden: true,
		Args:   cobra.NoArgs,
		// The child has no environment and no files: it takes no configuration.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE:              func(*cobra.Command, []string) error { return exitCode(sandbox.Main()) },
	}
}

func migrateCommand() *cobra.Command {
	c := defaultConfig()
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "Bring the database's tables up to date; serve does so by itself",
		Example: "  ballast migrate --database-url postgres://db/ballast",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, c, func(context.Context, *storage) error { return nil })
		},
	}
	storageFlags(cmd.Flags(), &c)
	return cmd
}

// barSweeper deletes bar objects that no version names.
type barSweeper struct {
	s     *storage
	grace time.Duration
	log   *slog.Logger
}

func (b barSweeper) Sweep(ctx context.Context) error {
	deleted, err := bars.Sweep(ctx, b.s.db, b.s.bucket, b.grace)
	for _, key := range deleted {
		b.log.InfoContext(ctx, "deleted orphaned bars", "object", key)
	}
	return err
}

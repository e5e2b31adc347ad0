package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"ballast/api"
	"ballast/catalog"
	"ballast/catalog/screen"
	"ballast/postgres"
	"ballast/program"
	"ballast/program/execution"
	"ballast/program/generate/grammar"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/webhook"
)

func serveCommand() *cobra.Command {
	c := defaultConfig()
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service: interface, queue and sandbox in one process",
		Long: `Runs the service on a data folder. Without --database-url it starts a private
PostgreSQL in the folder and stops it with itself; without --bucket-url bars and
results are files in the folder.

When the service is ready it prints one line of JSON with its url on standard
output. A stop signal lets requests and runs finish first.`,
		Example: `  ballast serve --data-dir data
  ballast serve --listen 127.0.0.1:0                  # any free port
  ballast serve --database-url postgres://db/ballast --bucket-url 's3://models?region=eu-central-1'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := newLogger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return serve(cmd.Context(), c, log, func(url string) {
				_ = json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]string{"url": url})
			})
		},
	}
	storageFlags(cmd.Flags(), &c)
	workFlags(cmd.Flags(), &c)
	accessFlags(cmd.Flags(), &c.Access)
	signinFlags(cmd.Flags(), &c.Access)
	cmd.Flags().StringVar(&c.Listen, "listen", c.Listen, "address of the REST interface; port 0 picks a free one")
	cmd.Flags().BoolVar(&c.PublicMetrics, "public-metrics", c.PublicMetrics, "serve /metrics at the address of the REST interface too, to everybody")
	cmd.Flags().IntVar(&c.DailyRunLimit, "daily-run-limit", c.DailyRunLimit, "manual runs that an account may start a day")
	return cmd
}

// serve runs the service until ctx is done, then drains it. ready is told the
// address once requests are answered.
func serve(ctx context.Context, c Config, log *slog.Logger, ready func(url string)) (err error) {
	if err := os.MkdirAll(c.DataDir, 0o750); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	limits, err := c.Access.limits()
	if err != nil {
		return err
	}
	signin, err := c.Access.signin(c.PublicURL)
	if err != nil {
		return err
	}
	rules, err := webhookRules(c)
	if err != nil {
		return err
	}
	unlock, err := lockFolder(c.DataDir)
	if err != nil {
		return err
	}
	defer unlock()
	defer reserve()()

	s, err := openStorage(ctx, c, log, ownDatabase)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()

	results, err := result.NewStore(s.bucket, int64(c.CacheMiB)<<20)
	if err != nil {
		return err
	}
	metrics := newTelemetry(s, results)
	metrics.MustRegister(postgres.NewQueueCollector(s.db))
	work, err := newWork(ctx, c, s, results, log, metrics)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, work.close()) }()

	shifts, err := execution.NewShifts(execution.ShiftsConfig{
		Executor: work.executor, Reports: s.db, Parallel: c.Sandboxes - 1, Deadline: c.RunDeadline, DailyRunLimit: c.DailyRunLimit, Logger: log,
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w; choose another address with --listen, or port 0 for a free one", c.Listen, err)
	}
	splicer := program.NewSplicer(s.db, s.bars, results)
	index := screen.NewIndex(s.db, screen.Config{Logger: log})
	go func() { _, _ = index.Snapshot(ctx) }() // so that the first caller need not wait for it; failures are logged
	assets := catalog.NewService(s.db, s.bars, index, loads(c, work.loader), splicer)
	programs := program.New(program.Config{
		Stores: s.db.ProgramStores(), Assets: s.db, Sessions: results,
		Grammar: grammar.New(), LanguageModel: c.Generator != grammarAlone,
		DailyRunLimit: c.DailyRunLimit, Wait: waitLimit, Logger: log,
	})
	histories := history.New(history.Config{
		Models: programs.Models, Runs: programs.Runs, Store: s.db, Trials: s.db, Assets: s.db, Benchmarks: assets, Results: results, Shifts: shifts,
	})
	backfills := program.NewBackfills(program.BackfillsConfig{Store: s.db, Members: s.db, Assets: s.db, Splicer: splicer, Logger: log})
	endpoints := webhook.NewService(s.db, s.db, rules, time.Now)
	handler, err := api.New(api.Config{
		Models:           programs.Models,
		Builder:          programs.Builder,
		Builds:           programs.Models,
		Runs:             programs.Runs,
		RunChanges:       programs.Runs,
		Drafts:           programs.Drafts,
		Revisions:        programs.Drafts,
		Trash:            programs.Trash,
		Histories:        histories,
		Catalog:          assets,
		Backfills:        backfills,
		BackfilledAssets: backfills,
		Exports:          newExports(s, programs, histories, exportsAtOnce),
		Credentials:      s.db,
		Accounts:         s.db,
		Keys:             s.db,
		Sessions:         s.db,
		Signins:          s.db,
		Billing:          s.db,
		Policy:           s.policy,
		Webhooks:         endpoints,
		Deliveries:       endpoints,
		Idempotency:      s.db,
		Ready:            map[string]api.Check{"database": s.db.Ping},
		NextRefresh:      nextRefresh(c),
		PublicURL:        strings.TrimSuffix(c.PublicURL, "/"),
		Origins:          c.Access.Origins,
		Version:          version,
		Limits:           limits,
		Signin:           signin,
		Audit:            s.db,
		Logger:           log,
		Registerer:       metrics,
		Gatherer:         publicMetrics(c, metrics),
	})
	if err != nil {
		return err
	}
	server := newHTTPServer(handler)
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(listener) }()
	closePrivate, err := servePrivate(ctx, c.PrivateListen, metrics, log, failed)
	if err != nil {
		return err
	}
	defer closePrivate()

	url := "http://" + listener.Addr().String()
	log.InfoContext(ctx, "ready", "url", url, "data_dir", c.DataDir)
	ready(url)
	go releaseStart()

	select {
	case <-ctx.Done():
		log.Info("stopping: finishing requests and runs", "grace", c.ShutdownGrace)
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-s.lost():
		return errDatabaseEnded
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.ShutdownGrace)
	defer cancel()
	return errors.Join(server.Shutdown(grace), work.stop(grace))
}

var errDatabaseEnded = errors.New("the private PostgreSQL ended; its log is in the data folder, postgres/postgres.log")

// version is the version of the interface document.
const version = "1.0.0"

// waitLimit is the longest that a request with wait=true waits for its run.
const waitLimit = 60 * time.Second

// exportsAtOnce bounds the exports under way, each of which takes some 35 MB.
const exportsAtOnce = 8

// lockFolder makes this process the one service of the data folder.
func lockFolder(dir string) (unlock func(), err error) {
	lock := flock.New(filepath.Join(dir, "service.lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if !locked {
		return nil, fmt.Errorf("another ballast serves the data folder %s already; stop it first, or choose another folder with --data-dir", dir)
	}
	return func() { _ = lock.Unlock() }, nil
}

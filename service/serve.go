package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/api/limit"
	"ballast/postgres"
	"ballast/program/result"
)

// Serve runs the service until ctx is done, then lets requests and runs finish. ready
// is called with the address once requests are answered.
func Serve(ctx context.Context, c Config, log *slog.Logger, ready func(url string)) (err error) {
	if err := os.MkdirAll(c.Storage.DataDir, 0o750); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	access, err := c.access()
	if err != nil {
		return err
	}
	unlock, err := lockFolder(c.Storage.DataDir)
	if err != nil {
		return err
	}
	defer unlock()
	return with(ctx, c, log, ownDatabase, func(p *process) error {
		p.metrics.MustRegister(postgres.NewQueueCollector(p.storage.DB))
		return p.serve(ctx, c, access, ready)
	})
}

// Work executes runs until ctx is done, then lets the running ones finish.
func Work(ctx context.Context, c Config, log *slog.Logger) error {
	err := with(ctx, c, log, serviceDatabase, func(p *process) error {
		failed := make(chan error, 1)
		closePrivate, err := servePrivate(ctx, c.HTTP.PrivateListen, p.metrics, log, failed)
		if err != nil {
			return err
		}
		defer closePrivate()
		log.InfoContext(ctx, "working")
		go releaseStart()
		return p.until(ctx, c, failed, 0, func(grace context.Context) error { return p.work.stop(grace) })
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil // stopped while waiting for the service's database
	}
	return err
}

// process is what a service and a worker have in common.
type process struct {
	storage *Storage
	results *result.Store
	metrics *prometheus.Registry
	work    *work
	log     *slog.Logger
}

// with opens a process that executes runs, calls do with it, and closes it.
func with(ctx context.Context, c Config, log *slog.Logger, private PrivateDatabase, do func(*process) error) (err error) {
	defer reserve()()
	p := &process{log: log}
	if p.storage, err = Open(ctx, c, log, private); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.storage.Close()) }()
	if p.results, err = p.storage.Results(c); err != nil {
		return err
	}
	p.metrics = newTelemetry(p.storage, p.results)
	if p.work, err = newWork(ctx, c, p.storage, p.results, log, p.metrics); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.work.close()) }()
	return do(p)
}

// serve answers requests until ctx is done.
func (p *process) serve(ctx context.Context, c Config, access access, ready func(url string)) (err error) {
	shifts, err := p.shifts(c)
	if err != nil {
		return err
	}
	if err := checkQueryGuards(ctx, c, p.storage.Temporary, p.log); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w; choose another address with --listen, or port 0 for a free one", c.HTTP.Listen, err)
	}
	queries, err := p.storage.Queries(c, warmQueries, p.storage.DB, p.log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, queries.Close()) }()
	if p.storage.shared() {
		access.limits.Exchange = limit.NewExchange(p.storage.DB, p.log)
	}
	handler, err := NewHandler(ctx, c, p.storage, Parts{
		Queries: queries, Results: p.results, Loads: loads(c, p.work.loader), Shifts: shifts, Paths: p.work.executor, Scripts: p.work.sandboxes, Webhooks: access.webhooks,
		Limits: access.limits, Signin: access.signin, Metrics: p.metrics, Logger: p.log,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if access.limits.Exchange != nil {
		exchanging, stop := context.WithCancel(context.WithoutCancel(ctx))
		var exchanged sync.WaitGroup
		exchanged.Go(func() { access.limits.Exchange.Run(exchanging) })
		defer func() { stop(); exchanged.Wait() }()
	}
	server := newHTTPServer(handler)
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(listener) }()
	closePrivate, err := servePrivate(ctx, c.HTTP.PrivateListen, p.metrics, p.log, failed)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	defer closePrivate()

	url := "http://" + listener.Addr().String()
	p.log.InfoContext(ctx, "ready", "url", url, "data_dir", c.Storage.DataDir)
	ready(url)
	go releaseStart()
	return p.until(ctx, c, failed, c.Operation.ShutdownDelay, func(grace context.Context) error {
		return errors.Join(server.Shutdown(grace), p.work.stop(grace))
	})
}

// until waits for ctx to be done and for the delay after it, then lets stop finish the
// work in progress. It returns at once if a listener or the database fails.
func (p *process) until(ctx context.Context, c Config, failed <-chan error, delay time.Duration, stop func(grace context.Context) error) error {
	ended := func(over <-chan struct{}) error {
		select {
		case <-over:
			return nil
		case err := <-failed:
			return fmt.Errorf("serve: %w", err)
		case <-p.storage.lost():
			return errDatabaseEnded
		}
	}
	if err := ended(ctx.Done()); err != nil {
		return err
	}
	if delay > 0 {
		p.log.Info("stopping: not ready any more, still accepting requests", "delay", delay)
		waited, cancel := context.WithTimeout(context.WithoutCancel(ctx), delay)
		defer cancel()
		if err := ended(waited.Done()); err != nil {
			return err
		}
	}
	p.log.Info("stopping: finishing requests and runs", "grace", c.Operation.ShutdownGrace)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Operation.ShutdownGrace)
	defer cancel()
	return stop(grace)
}

var errDatabaseEnded = errors.New("the private PostgreSQL ended; its log is in the data folder, postgres/postgres.log")

// waitLimit is the longest that a request with wait=true waits for its run.
const waitLimit = 60 * time.Second

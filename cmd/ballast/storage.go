package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"ballast/billing"
	"ballast/postgres"
	"ballast/postgres/embedded"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

// storage is what every command that reads or writes state works on.
type storage struct {
	db        *postgres.DB
	bucket    columnar.Bucket
	duck      *duck.DB
	bars      *bars.Reader
	importer  *importing.Importer
	temporary string // folder
	policy    billing.Policy
	server    *embedded.Server // the private PostgreSQL, where this process started it
}

// openStorage opens database, bucket and DuckDB. Without a database URL private
// gives the PostgreSQL of the data folder.
func openStorage(ctx context.Context, c Config, log *slog.Logger, private privateDatabase) (*storage, error) {
	s, err := openStorageAsIs(ctx, c, log, private)
	if err != nil {
		return nil, err
	}
	if err := s.db.Migrate(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// openStorageAsIs is openStorage without migrating the database.
func openStorageAsIs(ctx context.Context, c Config, log *slog.Logger, private privateDatabase) (_ *storage, err error) {
	temporary := filepath.Join(c.DataDir, "tmp")
	if err := os.MkdirAll(temporary, 0o750); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	s := &storage{temporary: temporary}
	if s.policy, err = billingPolicy(c); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	dsn := c.DatabaseURL
	if dsn == "" {
		if dsn, s.server, err = private(ctx, c, log); err != nil {
			return nil, err
		}
	}
	if s.db, err = postgres.Open(ctx, dsn, postgres.Config{Logger: log, Billing: s.policy, Letters: c.SMTPURL != ""}); err != nil {
		return nil, err
	}
	place := c.BucketURL
	if place == "" {
		place = filepath.Join(c.DataDir, "objects")
	}
	if s.bucket, err = columnar.OpenBucket(ctx, place, columnar.BucketOptions{CacheDir: filepath.Join(c.DataDir, "cache")}); err != nil {
		return nil, err
	}
	s.duck, err = duck.Open(ctx, duck.Config{MemoryLimit: int64(c.DuckDBMemoryMiB) << 20, TempDir: temporary})
	if err != nil {
		return nil, err
	}
	s.bars = bars.NewReader(s.db, s.bucket, int64(c.CacheMiB)<<20)
	s.importer = importing.New(importing.Config{Store: s.db, Bucket: s.bucket, DB: s.duck})
	return s, nil
}

// privateDatabase gives the connection string of the data folder's PostgreSQL,
// and its server where this process started it.
type privateDatabase func(ctx context.Context, c Config, log *slog.Logger) (dsn string, server *embedded.Server, err error)

// sharedDatabase is what commands use: the running service's PostgreSQL, or one
// that lives as long as the command.
func sharedDatabase(ctx context.Context, c Config, log *slog.Logger) (string, *embedded.Server, error) {
	deadline := time.Now().Add(databasePatience)
	for {
		if dsn, ok := embedded.Attach(c.DataDir); ok {
			return dsn, nil, nil
		}
		server, err := embedded.Start(ctx, embedded.Config{Dir: c.DataDir, Logger: log})
		if err == nil {
			return server.DSN(), server, nil
		}
		// Another process started it since: it is up in a moment.
		if !errors.Is(err, embedded.ErrRunning) || time.Now().After(deadline) {
			return "", nil, err
		}
		if err := pause(ctx); err != nil {
			return "", nil, err
		}
	}
}

// serviceDatabase is what a worker uses: the running service's PostgreSQL, whose
// start it waits for. One of its own would keep the service from starting.
func serviceDatabase(ctx context.Context, c Config, log *slog.Logger) (string, *embedded.Server, error) {
	for waited := false; ; waited = true {
		if dsn, ok := embedded.Attach(c.DataDir); ok {
			return dsn, nil, nil
		}
		if !waited {
			log.InfoContext(ctx, "waiting for the service of the data folder to start", "data_dir", c.DataDir)
		}
		if err := pause(ctx); err != nil {
			return "", nil, err
		}
	}
}

// ownDatabase is what the service uses: a PostgreSQL that ends with it alone. A
// command that holds the data folder's would take it away from under the
// service, so its end is waited for.
func ownDatabase(ctx context.Context, c Config, log *slog.Logger) (string, *embedded.Server, error) {
	deadline := time.Now().Add(databasePatience)
	for waited := false; ; waited = true {
		server, err := embedded.Start(ctx, embedded.Config{Dir: c.DataDir, Logger: log})
		if err == nil {
			return server.DSN(), server, nil
		}
		if !errors.Is(err, embedded.ErrRunning) {
			return "", nil, err
		}
		if time.Now().After(deadline) {
			return "", nil, fmt.Errorf("another ballast command (an import, a worker) runs the database of the data folder %s; wait until it has ended or stop it, then start the service again: %w", c.DataDir, err)
		}
		if !waited {
			log.InfoContext(ctx, "waiting for another command to end, which runs the database", "data_dir", c.DataDir)
		}
		if err := pause(ctx); err != nil {
			return "", nil, err
		}
	}
}

// databasePatience is how long a process waits for a PostgreSQL that another one
// starts or is about to stop.
const databasePatience = 10 * time.Second

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// close releases everything, the private PostgreSQL last.
func (s *storage) close() error {
	var problems []error
	if s.duck != nil {
		problems = append(problems, s.duck.Close())
	}
	if s.bucket != nil {
		problems = append(problems, s.bucket.Close())
	}
	if s.db != nil {
		s.db.Close()
	}
	if s.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		problems = append(problems, s.server.Stop(ctx))
	}
	return errors.Join(problems...)
}

func discardLogger() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// lost is closed when the private PostgreSQL that this process started has ended.
func (s *storage) lost() <-chan struct{} {
	if s.server == nil {
		return nil
	}
	return s.server.Done()
}

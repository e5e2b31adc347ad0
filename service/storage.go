package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"ballast/billing"
	"ballast/postgres"
	"ballast/postgres/embedded"
	"ballast/program/result"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

// Storage is what every command that reads or writes state uses.
type Storage struct {
	DB        *postgres.DB
	Bucket    columnar.Bucket
	DuckDB    *duck.DB
	Bars      *bars.Reader
	Importer  *importing.Importer
	Place     string // address of the bucket
	Temporary string // path of a folder
	Policy    billing.Policy
	server    *embedded.Server // the private PostgreSQL, if this process started it
}

// Open opens database, bucket and DuckDB, and migrates the database if the configuration
// says so. It returns an error if the schema does not suit this program. Without a
// database URL, private provides the PostgreSQL of the data folder.
func Open(ctx context.Context, c Config, log *slog.Logger, private PrivateDatabase) (*Storage, error) {
	s, err := OpenAsIs(ctx, c, log, private)
	if err != nil {
		return nil, err
	}
	if c.Storage.Migrate {
		err = s.DB.Migrate(ctx)
	}
	if err == nil {
		err = s.DB.CheckSchema(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenAsIs is Open without migrating the database.
func OpenAsIs(ctx context.Context, c Config, log *slog.Logger, private PrivateDatabase) (_ *Storage, err error) {
	temporary := filepath.Join(c.Storage.DataDir, "tmp")
	if err := os.MkdirAll(temporary, 0o750); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	s := &Storage{Temporary: temporary}
	if s.Policy, err = c.Billing.policy(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	dsn := c.Storage.DatabaseURL
	if dsn == "" {
		if dsn, s.server, err = private(ctx, c, log); err != nil {
			return nil, err
		}
	}
	if s.DB, err = postgres.Open(ctx, dsn, postgres.Config{Logger: log, Billing: s.Policy, Mails: c.Mail.SMTPURL != ""}); err != nil {
		return nil, err
	}
	place := c.Storage.BucketURL
	if place == "" {
		place = filepath.Join(c.Storage.DataDir, "objects")
	}
	s.Place = place
	if s.Bucket, err = columnar.OpenBucket(ctx, place, columnar.BucketOptions{CacheDir: filepath.Join(c.Storage.DataDir, "cache")}); err != nil {
		return nil, err
	}
	s.DuckDB, err = duck.Open(ctx, duck.Config{MemoryLimit: int64(c.Storage.DuckDBMemoryMiB) << 20, TempDir: temporary})
	if err != nil {
		return nil, err
	}
	s.Bars = bars.NewReader(s.DB, s.Bucket, int64(c.Storage.CacheMiB)<<20)
	s.Importer = importing.New(importing.Config{Store: s.DB, Bucket: s.Bucket, DB: s.DuckDB})
	return s, nil
}

// PrivateDatabase returns the connection string of the data folder's PostgreSQL, and
// its server if this process started it.
type PrivateDatabase func(ctx context.Context, c Config, log *slog.Logger) (dsn string, server *embedded.Server, err error)

// SharedDatabase is for commands: it uses the running service's PostgreSQL, or one
// that runs as long as the command.
func SharedDatabase(ctx context.Context, c Config, log *slog.Logger) (string, *embedded.Server, error) {
	deadline := time.Now().Add(DatabasePatience)
	for {
		if dsn, ok := embedded.Attach(c.Storage.DataDir); ok {
			return dsn, nil, nil
		}
		server, err := embedded.Start(ctx, embedded.Config{Dir: c.Storage.DataDir, Logger: log})
		if err == nil {
			return server.DSN(), server, nil
		}
		// Another process has just started it and it will be up shortly.
		if !errors.Is(err, embedded.ErrRunning) || time.Now().After(deadline) {
			return "", nil, err
		}
		if err := pause(ctx); err != nil {
			return "", nil, err
		}
	}
}

// serviceDatabase is for workers: it waits for the running service's PostgreSQL. A
// database of the worker's own would keep the service from starting.
func serviceDatabase(ctx context.Context, c Config, log *slog.Logger) (string, *embedded.Server, error) {
	for waited := false; ; waited = true {
		if dsn, ok := embedded.Attach(c.Storage.DataDir); ok {
			return dsn, nil, nil
		}
		if !waited {
			log.InfoContext(ctx, "waiting for the service of the data folder to start", "data_dir", c.Storage.DataDir)
		}
		if err := pause(ctx); err != nil {
			return "", nil, err
		}
	}
}

// ownDatabase is for the service: a PostgreSQL that only ends with the service. If a
// command runs the data folder's database, it would stop it under the service, so the
// service waits for the command to end.
func ownDatabase(ctx context.Context, c Config, log *slog.Logger) (string, *embedded.Server, error) {
	deadline := time.Now().Add(DatabasePatience)
	for waited := false; ; waited = true {
		server, err := embedded.Start(ctx, embedded.Config{Dir: c.Storage.DataDir, Logger: log})
		if err == nil {
			return server.DSN(), server, nil
		}
		if !errors.Is(err, embedded.ErrRunning) {
			return "", nil, err
		}
		if time.Now().After(deadline) {
			return "", nil, fmt.Errorf("another ballast command (an import, a worker) runs the database of the data folder %s; wait until it has ended or stop it, then start the service again: %w", c.Storage.DataDir, err)
		}
		if !waited {
			log.InfoContext(ctx, "waiting for another command to end, because it runs the database", "data_dir", c.Storage.DataDir)
		}
		if err := pause(ctx); err != nil {
			return "", nil, err
		}
	}
}

// DatabasePatience is how long a process waits for a PostgreSQL that another process
// is starting or about to stop.
const DatabasePatience = 10 * time.Second

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// Close releases everything, the private PostgreSQL last.
func (s *Storage) Close() error {
	var problems []error
	if s.DuckDB != nil {
		problems = append(problems, s.DuckDB.Close())
	}
	if s.Bucket != nil {
		problems = append(problems, s.Bucket.Close())
	}
	if s.DB != nil {
		s.DB.Close()
	}
	if s.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		problems = append(problems, s.server.Stop(ctx))
	}
	return errors.Join(problems...)
}

// shared reports whether other services may use the same database: not if this process
// started it.
func (s *Storage) shared() bool { return s.server == nil }

// lost is closed when the private PostgreSQL that this process started has ended.
func (s *Storage) lost() <-chan struct{} {
	if s.server == nil {
		return nil
	}
	return s.server.Done()
}

// Results returns a store of results, with its own cache.
func (s *Storage) Results(c Config) (*result.Store, error) {
	return result.NewStore(s.Bucket, int64(c.Storage.CacheMiB)<<20)
}

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

	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/storage/postgres"
	"ballast/storage/postgres/embedded"
	"ballast/timeseries/bars"
)

// storage is what every command that reads or writes state works on.
type storage struct {
	db       *postgres.DB
	bucket   columnar.Bucket
	duck     *duck.DB
	bars     *bars.Reader
	importer *bars.Importer
	server   *embedded.Server // the private PostgreSQL, where this process started it
}

// openStorage opens database, bucket and DuckDB. Without a database URL it uses
// the private PostgreSQL of the data folder: the running service's, or one that
// it starts for as long as the storage is open.
func openStorage(ctx context.Context, c Config, log *slog.Logger) (_ *storage, err error) {
	temporary := filepath.Join(c.DataDir, "tmp")
	if err := os.MkdirAll(temporary, 0o750); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	s := &storage{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	dsn := c.DatabaseURL
	if dsn == "" {
		if dsn, err = s.private(ctx, c, log); err != nil {
			return nil, err
		}
	}
	if s.db, err = postgres.Open(ctx, dsn, postgres.Config{Logger: log}); err != nil {
		return nil, err
	}
	if err := s.db.Migrate(ctx); err != nil {
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
	s.importer = bars.NewImporter(bars.Config{Store: s.db, Bucket: s.bucket, DB: s.duck, TempDir: temporary})
	return s, nil
}

// private attaches to the data folder's PostgreSQL or starts it.
func (s *storage) private(ctx context.Context, c Config, log *slog.Logger) (string, error) {
	if dsn, ok := embedded.Attach(c.DataDir); ok {
		return dsn, nil
	}
	server, err := embedded.Start(ctx, embedded.Config{Dir: c.DataDir, Logger: log})
	if errors.Is(err, embedded.ErrRunning) {
		// Another command started it since: it is up in a moment.
		for range 50 {
			if dsn, ok := embedded.Attach(c.DataDir); ok {
				return dsn, nil
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	if err != nil {
		return "", err
	}
	s.server = server
	return server.DSN(), nil
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

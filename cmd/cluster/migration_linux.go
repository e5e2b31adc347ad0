package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"ballast/internal/bed"
)

// migration migrates a database of an older build while a transaction of 20 seconds holds
// a lock on its largest tables, and reads go on.
func migration(ctx context.Context, o options) ([]figure, error) {
	o.ballast = cmp.Or(o.before, o.ballast)
	return onFleet(ctx, o, 1, func(f *fleet, c *client) (figures []figure, err error) {
		if err := f.createAll(ctx, c, 4, "BASE", light); err != nil {
			return nil, err
		}
		var before int
		if err := f.pool.QueryRow(ctx, "select max(version_id) from goose_db_version").Scan(&before); err != nil {
			return nil, fmt.Errorf("read the version: %w", err)
		}
		long, err := f.pool.Begin(ctx)
		if err != nil {
			return nil, fmt.Errorf("begin a transaction: %w", err)
		}
		if _, err := long.Exec(ctx, "lock table runs, programs, accounts, builds in access share mode"); err != nil {
			return nil, fmt.Errorf("hold a lock: %w", err)
		}
		var slowest atomic.Int64
		reading, stop := context.WithCancel(ctx)
		read := make(chan error, 1)
		go func() { read <- f.readOn(reading, &slowest) }()
		done := make(chan error, 1)
		began := time.Now()
		go func() {
			out, err := f.user.Run(ctx, bed.Command{Path: o.newest, Args: append([]string{"migrate"}, f.places(f.user.Files("commands"))...), Env: environment()})
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			done <- err
		}()
		if err := pause(ctx, 20*time.Second); err != nil {
			stop()
			return nil, err
		}
		if err := long.Rollback(ctx); err != nil {
			stop()
			return nil, fmt.Errorf("end the transaction: %w", err)
		}
		migrated := <-done
		took := time.Since(began)
		stop()
		if err := <-read; err != nil {
			return nil, err
		}
		var after int
		if err := f.pool.QueryRow(ctx, "select max(version_id) from goose_db_version").Scan(&after); err != nil {
			return nil, fmt.Errorf("read the version: %w", err)
		}
		said := fmt.Sprintf("from %d to %d in %v", before, after, took.Round(100*time.Millisecond))
		if migrated != nil {
			said = strings.Split(migrated.Error(), "\n")[0]
		}
		longest := time.Duration(slowest.Load())
		return []figure{
			{"migration beside a transaction of 20 s", said, "it succeeds", migrated == nil},
			{"slowest query meanwhile", longest.Round(time.Millisecond).String(), "≤ 1 s", longest <= time.Second},
		}, nil
	})
}

// readOn reads the locked tables again and again, and keeps the longest time of a read.
func (f *fleet) readOn(ctx context.Context, slowest *atomic.Int64) error {
	for ctx.Err() == nil {
		began := time.Now()
		var n int
		if err := f.pool.QueryRow(ctx, "select count(*) from runs join programs on programs.id = runs.program_id").Scan(&n); err != nil && ctx.Err() == nil {
			return fmt.Errorf("read beside the migration: %w", err)
		}
		if took := int64(time.Since(began)); ctx.Err() == nil && took > slowest.Load() {
			slowest.Store(took)
		}
		_ = pause(ctx, 20*time.Millisecond) // ended by ctx, which is asked above
	}
	return nil
}

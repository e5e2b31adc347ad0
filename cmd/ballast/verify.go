package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"ballast/program/execution"
	"ballast/program/result"
)

// verify carries a stored run out again and says whether it gives the same.
func verify(cmd *cobra.Command, r *localRun) error {
	log, err := newLogger(r.config, r.errs)
	if err != nil {
		return err
	}
	return withStorage(cmd, r.config, func(ctx context.Context, s *storage) (err error) {
		results, err := result.NewStore(s.bucket, int64(r.config.CacheMiB)<<20)
		if err != nil {
			return err
		}
		pool, err := newSandboxes(ctx, r.config, log, prometheus.NewRegistry())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, pool.Close()) }()
		executor := execution.NewExecutor(execution.ExecutorConfig{
			Programs: s.db, Backfills: s.db, Assets: s.db, Bars: s.bars, Results: results, Sandbox: pool, Logger: log,
		})
		v, err := executor.Verify(ctx, r.verify)
		if err != nil {
			return err
		}
		if v.Same {
			fmt.Fprintf(r.out, "%s: the same result, %s\n", v.RunID, v.Now)
			return nil
		}
		fmt.Fprintf(r.out, "%s: ANOTHER RESULT\n  stored  %s, harness %s\n  now     %s, harness %s\n", v.RunID, v.Stored, v.HarnessVersion, v.Now, v.Current)
		return exitCode(1)
	})
}

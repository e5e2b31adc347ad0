package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"ballast/program/execution"
	"ballast/service"
)

// verify carries out a stored run again and says whether the result is the same.
func verify(cmd *cobra.Command, r *localRun) error {
	log, err := service.NewLogger(r.config.Log, r.errs)
	if err != nil {
		return err
	}
	return withStorage(cmd, r.config, func(ctx context.Context, s *service.Storage) (err error) {
		results, err := s.Results(r.config)
		if err != nil {
			return err
		}
		pool, err := service.NewSandboxes(ctx, r.config, log, prometheus.NewRegistry())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, pool.Close()) }()
		executor := execution.NewExecutor(execution.ExecutorConfig{
			Kinds:    service.Kinds,
			Programs: s.DB, Backfills: s.DB, Series: s.DB, SeriesReads: s.DB, Assets: s.DB, Bars: s.Bars, Results: results, Sandbox: pool, Logger: log,
		})
		v, err := executor.Verify(ctx, r.verify)
		if err != nil {
			return err
		}
		if v.Same {
			fmt.Fprintf(r.out, "%s: the same result, %s\n", v.RunID, v.Now)
			return nil
		}
		fmt.Fprintf(r.out, "%s: DIFFERENT RESULT\n  stored  %s, harness %s\n  now     %s, harness %s\n", v.RunID, v.Stored, v.HarnessVersion, v.Now, v.Current)
		return exitCode(1)
	})
}

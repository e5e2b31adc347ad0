package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ballast/program"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/loading"
)

// refreshFlags say when models follow new bars by themselves.
func refreshFlags(f *pflag.FlagSet, c *Config) {
	f.BoolVar(&c.Refresh, "refresh", c.Refresh, "refresh models after each session of the New York Stock Exchange")
	f.DurationVar(&c.RefreshDelay, "refresh-delay", c.RefreshDelay, "how long after the session's close, from 0 to under 24h")
	f.StringSliceVar(&c.RefreshBars, "refresh-bars", c.RefreshBars, "files of bars that are imported before each refresh")
}

// nextRefresh tells when the recurring refresh is due, nil where there is none.
func nextRefresh(c Config) func(time.Time) time.Time {
	if !c.Refresh {
		return nil
	}
	return program.Nightly{Delay: c.RefreshDelay}.Next
}

// recurring is the recurring refresh, nil where it is switched off.
func recurring(c Config, s *storage, loader *loading.Loader, log *slog.Logger) *program.Refresher {
	if !c.Refresh {
		return nil
	}
	return refresher(c, s, loader, log)
}

func refresher(c Config, s *storage, loader *loading.Loader, log *slog.Logger) *program.Refresher {
	r := &program.Refresher{Store: s.db, When: program.Nightly{Delay: c.RefreshDelay}, Logger: log, Now: time.Now}
	if len(c.RefreshBars) > 0 || len(c.Providers) > 0 {
		r.Bars = func(ctx context.Context) error {
			problems := importEach(ctx, s, c.RefreshBars)
			if len(c.Providers) > 0 {
				problems = append(problems, loadHeld(ctx, s, loader))
			}
			return errors.Join(problems...)
		}
	}
	return r
}

func importEach(ctx context.Context, s *storage, paths []string) (problems []error) {
	for _, path := range paths {
		if _, err := s.importer.Import(ctx, path, importing.Options{}); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", path, err))
		}
	}
	return problems
}

// checkRefresh reports settings of the refresh that make no sense.
func checkRefresh(c Config) error {
	if c.RefreshDelay < 0 || c.RefreshDelay >= 24*time.Hour {
		return usage("refresh-delay %s: accepted are 0 to under 24h", c.RefreshDelay)
	}
	return nil
}

func refreshCommand() *cobra.Command {
	c := defaultConfig()
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Queue the models whose bars or members have moved; serve does so after each session",
		Long: `Imports the files that --refresh-bars names, asks the providers for new bars of the
assets that models hold, then queues every model that refreshes
itself and whose bars or members have moved since its live run, members before
what holds them. A running service or worker carries the runs out.`,
		Example: "  ballast refresh --data-dir data --refresh-bars prices.csv.gz",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkRefresh(c); err != nil {
				return err
			}
			log, err := newLogger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				loader, err := newLoader(c, s, log, prometheus.NewRegistry())
				if err != nil {
					return err
				}
				defer loader.Close()
				return refresher(c, s, loader, log).Refresh(ctx, true)
			})
		},
	}
	storageFlags(cmd.Flags(), &c)
	refreshFlags(cmd.Flags(), &c)
	providerFlags(cmd.Flags(), &c)
	return cmd
}

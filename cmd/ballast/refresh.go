package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ballast/program"
	"ballast/timeseries/bars"
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
func recurring(c Config, s *storage, log *slog.Logger) *program.Refresher {
	if !c.Refresh {
		return nil
	}
	return refresher(c, s, log)
}

func refresher(c Config, s *storage, log *slog.Logger) *program.Refresher {
	r := &program.Refresher{Store: s.db, When: program.Nightly{Delay: c.RefreshDelay}, Logger: log, Now: time.Now}
	if len(c.RefreshBars) > 0 {
		r.Bars = func(ctx context.Context) error {
			var problems []error
			for _, path := range c.RefreshBars {
				if _, err := s.importer.Import(ctx, path, bars.Options{}); err != nil {
					problems = append(problems, fmt.Errorf("%s: %w", path, err))
				}
			}
			return errors.Join(problems...)
		}
	}
	return r
}

// checkRefresh reports settings of the refresh that make no sense.
func checkRefresh(c Config) error {
	if c.RefreshDelay < 0 || c.RefreshDelay >= 24*time.Hour {
		return fmt.Errorf("refresh-delay %s: accepted are 0 to under 24h", c.RefreshDelay)
	}
	return nil
}

func refreshCommand() *cobra.Command {
	c := defaultConfig()
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Queue the models whose bars or members have moved; serve does so after each session",
		Long: `Imports the files that --refresh-bars names, then queues every model that refreshes
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
				return refresher(c, s, log).Refresh(ctx, true)
			})
		},
	}
	storageFlags(cmd.Flags(), &c)
	refreshFlags(cmd.Flags(), &c)
	return cmd
}

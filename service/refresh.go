package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"ballast/program"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/syncing"
)

// next returns when the recurring refresh is due, or nil if there is none.
func (c RefreshConfig) next() func(time.Time) time.Time {
	if !c.Enabled {
		return nil
	}
	return program.Nightly{Delay: c.Delay}.Next
}

// recurring returns the recurring refresh, or nil if it is switched off.
func recurring(c Config, s *Storage, loader *syncing.Syncer, log *slog.Logger) *program.Refresher {
	if !c.Refresh.Enabled {
		return nil
	}
	return NewRefresher(c, s, loader, log)
}

// NewRefresher creates the refresher of all accounts' models: it imports the
// configured files, asks the providers, and queues the models that have to follow.
func NewRefresher(c Config, s *Storage, loader *syncing.Syncer, log *slog.Logger) *program.Refresher {
	r := &program.Refresher{Store: s.DB, When: program.Nightly{Delay: c.Refresh.Delay}, Logger: log, Now: time.Now}
	if len(c.Refresh.Bars) > 0 || len(c.Providers.Names) > 0 {
		r.Bars = func(ctx context.Context) error {
			problems := importEach(ctx, s, c.Refresh.Bars)
			if len(c.Providers.Names) > 0 {
				problems = append(problems, loadHeld(ctx, s, loader))
			}
			return errors.Join(problems...)
		}
	}
	return r
}

func importEach(ctx context.Context, s *Storage, paths []string) (problems []error) {
	for _, path := range paths {
		if _, err := s.Importer.Import(ctx, path, importing.Options{}); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", path, err))
		}
	}
	return problems
}

// Check reports invalid settings.
func (c RefreshConfig) Check() error {
	if c.Delay < 0 || c.Delay >= 24*time.Hour {
		return invalid("--refresh-delay %s: accepted are 0 to under 24h", c.Delay)
	}
	return nil
}

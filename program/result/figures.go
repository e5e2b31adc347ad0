package result

import (
	"context"
	"fmt"
	"log/slog"

	"ballast/metrics"
	"ballast/program"
)

// FigureStore keeps the figures of runs.
type FigureStore interface {
	// RunsWithoutFigures lists up to n complete runs of models, in the order of ids
	// after a given one, that have no figures of metrics.FiguresVersion.
	RunsWithoutFigures(ctx context.Context, after string, n int) ([]string, error)
	// RunsByID reads several runs; those that do not exist are left out.
	RunsByID(ctx context.Context, ids []string) (map[string]*program.Run, error)
	// KeepFigures stores the figures of a complete run. It does nothing if the run
	// was deleted.
	KeepFigures(ctx context.Context, runID string, f *metrics.Figures) error
}

// FigureFiller computes missing figures: those of runs that were published before
// figures were stored, or with an earlier version of the formulas. Each run is stored
// separately, so a filler that was stopped continues where it was.
type FigureFiller struct {
	Store   FigureStore
	Results *Store
	Logger  *slog.Logger
}

// fillPage is how many runs are listed at a time.
const fillPage = 100

// Fill goes through all runs once. A run whose result cannot be read is logged and
// tried again next time.
func (f *FigureFiller) Fill(ctx context.Context) error {
	filled, failed := 0, 0
	for after := ""; ; {
		ids, err := f.Store.RunsWithoutFigures(ctx, after, fillPage)
		if err != nil {
			return err
		}
		runs, err := f.Store.RunsByID(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if runs[id] == nil {
				continue // deleted meanwhile
			}
			if err := f.fill(ctx, runs[id]); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				failed++
				f.Logger.WarnContext(ctx, "figures not computed", "run_id", id, "error", err)
				continue
			}
			filled++
		}
		if len(ids) < fillPage {
			break
		}
		after = ids[len(ids)-1]
	}
	if filled+failed > 0 {
		f.Logger.InfoContext(ctx, "computed the figures of runs", "runs", filled, "failed", failed)
	}
	return nil
}

func (f *FigureFiller) fill(ctx context.Context, run *program.Run) error {
	if run.Summary == nil {
		return fmt.Errorf("the run %s has no summary", run.ID)
	}
	d, err := f.Results.Daily(ctx, run)
	if err != nil {
		return err
	}
	return f.Store.KeepFigures(ctx, run.ID, d.Figures(run.Summary.Alignment.BarsPerYear))
}

package result

import (
	"context"
	"fmt"
	"math"

	"ballast/metrics"
	"ballast/operate/doctor"
	"ballast/program"
	"ballast/timeseries"
)

// FigureRows are the stored figures, as a check reads and corrects them.
type FigureRows interface {
	FigureStore
	// RunsWithFigures lists up to n complete runs, in the order of ids after a given one,
	// that have figures of metrics.FiguresVersion.
	RunsWithFigures(ctx context.Context, after string, n int) ([]string, error)
	// FiguresOf reads the figures of runs, by run id.
	FiguresOf(ctx context.Context, runIDs []string) (map[string]*metrics.Figures, error)
	// FigureFaults returns complete runs whose row contradicts the run or its model or is
	// missing although the run is served, and runs with a row that are not complete.
	FigureFaults(ctx context.Context) (faults, stray []program.Finding, err error)
	// DropStrayFigures deletes the rows of runs that are not complete.
	DropStrayFigures(ctx context.Context) error
}

// FigureChecker compares the stored figures with the results that they describe.
type FigureChecker struct {
	Rows   FigureRows
	Filler *FigureFiller
}

// Check computes the figures of all runs again. Mending replaces those that differ.
func (c *FigureChecker) Check() doctor.Check {
	return doctor.Check{Name: "figures", Look: c.look, Repair: c.repair}
}

func (c *FigureChecker) look(ctx context.Context) ([]doctor.Finding, error) {
	var findings []doctor.Finding
	add := func(runID, message, advice string) {
		findings = append(findings, doctor.Finding{Subject: runID, Message: message, Advice: advice})
	}
	faults, stray, err := c.Rows.FigureFaults(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, f := range faults {
		found[f.ID] = true
		add(f.ID, f.Message, "--fix computes the figures again from the result")
	}
	for _, f := range stray {
		add(f.ID, f.Message, "--fix deletes the figures")
	}
	missing := func(run *program.Run) error {
		if !found[run.ID] {
			add(run.ID, "has no figures of the current formulas", "no action needed: a running service computes them within the hour, and --fix does it now")
		}
		return nil
	}
	if err := c.each(ctx, c.Rows.RunsWithoutFigures, missing); err != nil {
		return findings, err
	}
	err = c.different(ctx, func(run *program.Run, name string, stored, computed any) error {
		add(run.ID, fmt.Sprintf("has the stored figure %s = %v, but its result gives %v", name, stored, computed), "--fix computes the figures again from the result")
		return nil
	})
	return findings, err
}

func (c *FigureChecker) repair(ctx context.Context) error {
	if err := c.Rows.DropStrayFigures(ctx); err != nil {
		return err
	}
	faults, _, err := c.Rows.FigureFaults(ctx)
	if err != nil {
		return err
	}
	ids := make([]string, len(faults))
	for i, f := range faults {
		ids[i] = f.ID
	}
	runs, err := c.Rows.RunsByID(ctx, ids)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := c.Filler.fill(ctx, run); err != nil {
			return fmt.Errorf("figures of run %s: %w", run.ID, err)
		}
	}
	err = c.different(ctx, func(run *program.Run, _ string, _, _ any) error { return c.Filler.fill(ctx, run) })
	if err != nil {
		return err
	}
	return c.Filler.Fill(ctx)
}

// different calls do for each run whose stored figures are not those of its result, with
// the first figure that differs. Runs whose result cannot be read are left to the check of
// objects.
func (c *FigureChecker) different(ctx context.Context, do func(run *program.Run, name string, stored, computed any) error) error {
	return c.each(ctx, c.Rows.RunsWithFigures, func(run *program.Run) error {
		found, err := c.Rows.FiguresOf(ctx, []string{run.ID})
		if err != nil || found[run.ID] == nil || run.Summary == nil {
			return err
		}
		d, err := c.Filler.Results.Daily(ctx, run)
		if err != nil {
			return ctx.Err()
		}
		stored, computed := found[run.ID], d.Figures(run.Summary.Alignment.BarsPerYear)
		for i, name := range metrics.FigureNames {
			if !sameFigure(stored.Values[i], computed.Values[i]) {
				return do(run, name, stored.Values[i], computed.Values[i])
			}
		}
		for _, date := range []struct {
			name             string
			stored, computed timeseries.Date
		}{
			{"start_date", stored.Start, computed.Start}, {"end_date", stored.End, computed.End}, {"max_drawdown_peak", stored.Peak, computed.Peak},
			{"max_drawdown_valley", stored.Valley, computed.Valley}, {"max_drawdown_recovery", stored.Recovery, computed.Recovery},
		} {
			if date.stored != date.computed {
				return do(run, date.name, date.stored, date.computed)
			}
		}
		return nil
	})
}

// each goes through the runs that list gives, in pages.
func (c *FigureChecker) each(ctx context.Context, list func(ctx context.Context, after string, n int) ([]string, error), do func(*program.Run) error) error {
	for after := ""; ; {
		ids, err := list(ctx, after, fillPage)
		if err != nil {
			return err
		}
		runs, err := c.Rows.RunsByID(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if run := runs[id]; run != nil { // not deleted meanwhile
				if err := do(run); err != nil {
					return err
				}
			}
		}
		if len(ids) < fillPage {
			return nil
		}
		after = ids[len(ids)-1]
	}
}

// sameFigure allows for the last digits, which differ between kinds of processors.
func sameFigure(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

package e2e

import (
	"io"
	"log/slog"
	"testing"

	"ballast/catalog/series"
	"ballast/program"
	"ballast/timeseries"
)

// readsCurve takes long enough to be continued, and trades by a series.
const readsCurve = `NAME = "Reads a curve"
SYMBOL = "READS"
SCHEDULE = "daily"
UNIVERSE = ["AAA", "BBB"]


def decide(ctx):
    busy = sum([i for i in range(200)])
    known = ctx.series("CURVE.SPREAD")
    if len(known) == 0:
        return {}
    ctx.record("known", len(known) + busy * 0)
    return {"AAA": 1.0} if known.last() > 0 else {"BBB": 1.0}
`

// A run can be computed again on the versions of series that it has read, whatever was
// added, restated or deleted since. A run that continues an earlier one gives what a run
// from the beginning gives.
func TestRunsKeepTheirSeries(t *testing.T) {
	t.Parallel()
	c := openCounts(t)
	ctx := t.Context()
	outside := series.New(c.db, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	put := func(day string, value float64) {
		t.Helper()
		d, err := timeseries.ParseDate(day)
		check(t, err)
		_, _, err = outside.Put(ctx, c.account, series.Post{Name: "CURVE", Kind: series.Rate, Dates: []timeseries.Date{d}, Keys: []string{"SPREAD"}, Columns: [][]float64{{value}}})
		check(t, err)
	}
	put("2015-06-01", 0.01)
	put("2017-03-01", -0.01)
	m := c.build(c.models, readsCurve)
	runs := []*program.Run{m.Live}
	if source := m.Live.Summary.SeriesSources["CURVE.SPREAD"]; source.Version != 2 || source.Last != "2017-03-01" {
		t.Fatalf("%+v", m.Live.Summary.SeriesSources)
	}
	follow := func() *program.Run {
		t.Helper()
		next := c.queued(m.ID)
		if next == "" {
			t.Fatal("the model is not queued")
		}
		c.execute(next)
		m, err := c.db.Sheet(ctx, m.ID)
		check(t, err)
		runs = append(runs, m.Live)
		return m.Live
	}
	put("2030-01-01", 0.02) // after the last session: nothing that was known changes
	if added := follow(); added.ResultHash != runs[0].ResultHash || added.Summary.ContinuedFrom == nil {
		t.Errorf("a value of the future changes the result, or the run is not continued: %v", added.Summary.ContinuedFrom)
	}
	put("2018-05-01", 0.03) // known to decisions of the past
	if restated := follow(); restated.ResultHash == runs[0].ResultHash || restated.Summary.ContinuedFrom != nil {
		t.Errorf("the past of the series is not read again: %v", restated.Summary.ContinuedFrom)
	}
	_, err := outside.Delete(ctx, c.account, "CURVE")
	check(t, err)
	for i, run := range runs {
		v, err := c.executor.Verify(ctx, run.ID)
		check(t, err)
		if !v.Same {
			t.Errorf("run %d: %+v", i, v)
		}
	}
}

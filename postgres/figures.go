package postgres

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"ballast/metrics"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/timeseries"
)

// figureDates are the figures that are dates, by column.
var figureDates = map[string]func(*metrics.Figures) *timeseries.Date{
	"start_date":            func(f *metrics.Figures) *timeseries.Date { return &f.Start },
	"end_date":              func(f *metrics.Figures) *timeseries.Date { return &f.End },
	"max_drawdown_peak":     func(f *metrics.Figures) *timeseries.Date { return &f.Peak },
	"max_drawdown_valley":   func(f *metrics.Figures) *timeseries.Date { return &f.Valley },
	"max_drawdown_recovery": func(f *metrics.Figures) *timeseries.Date { return &f.Recovery },
}

// figureDateColumns are the columns of figureDates, sorted.
var figureDateColumns = slices.Sorted(maps.Keys(figureDates))

// keepFigures stores the figures of a complete run and replaces those computed by earlier
// formulas. $2 are the numbers in the order of metrics.FigureNames, $3 the dates in the
// order of figureDateColumns, $5 whether the model is about to serve the run, in the same
// transaction. The lock keeps the model from serving another run meanwhile. The columns
// are those of package metrics, so the statement is composed here.
var keepFigures = func() string {
	var values, replaced strings.Builder
	columns := slices.Concat(metrics.FigureNames, figureDateColumns)
	for i, column := range columns {
		if i < len(metrics.FigureNames) {
			fmt.Fprintf(&values, ", ($2::double precision[])[%d]", i+1)
		} else {
			fmt.Fprintf(&values, ", ($3::date[])[%d]", i+1-len(metrics.FigureNames))
		}
		fmt.Fprintf(&replaced, ", %s = excluded.%[1]s", column)
	}
	return `
insert into figures (run_id, program_id, account_id, live, version, created_at, ` + strings.Join(columns, ", ") + `)
select r.id, r.program_id, r.account_id, ($5::boolean or p.live_run_id is not distinct from r.id) and p.deleted_at is null, $4::integer, p.created_at` + values.String() + `
from runs r join programs p on p.id = r.program_id
where r.id = $1 and r.status = 'complete' for share of p
on conflict (run_id) do update set program_id = excluded.program_id, account_id = excluded.account_id, created_at = excluded.created_at,
	live = excluded.live, version = excluded.version` + replaced.String()
}()

// putFigures stores the figures of a run. served says that the model is about to serve it.
func putFigures(ctx context.Context, tx dbsqlc.DBTX, runID string, f *metrics.Figures, served bool) error {
	numbers := make([]pgtype.Float8, len(f.Values))
	for i, v := range f.Values {
		numbers[i] = pgtype.Float8{Float64: v, Valid: !math.IsNaN(v) && !math.IsInf(v, 0)}
	}
	dates := make([]pgtype.Date, len(figureDateColumns))
	for i, column := range figureDateColumns {
		dates[i] = toDate(*figureDates[column](f))
	}
	_, err := tx.Exec(ctx, keepFigures, runID, numbers, dates, metrics.FiguresVersion, served)
	return err
}

// readFigures reads the figures of runs: the numbers in the order of metrics.FigureNames,
// the dates in the order of figureDateColumns. Arrays take less to encode and decode than
// rows as JSON objects, and a list reads a row for each model that it shows.
var readFigures = "select run_id, array[" + strings.Join(metrics.FigureNames, ", ") + "]::double precision[], array[" +
	strings.Join(figureDateColumns, ", ") + "]::date[] from figures where run_id = any($1::text[]) and version > 0"

// RunsWithoutFigures lists up to n complete runs of models without figures of the current
// formulas, in ascending order of ids, starting after an id.
func (db *DB) RunsWithoutFigures(ctx context.Context, after string, n int) ([]string, error) {
	ids, err := db.queries.RunsWithoutFigures(ctx, dbsqlc.RunsWithoutFiguresParams{After: after, Version: metrics.FiguresVersion, Most: int32(n)})
	return ids, wrap(err, "find runs without figures")
}

// KeepFigures stores the figures of a complete run. It changes nothing if the run no
// longer exists.
func (db *DB) KeepFigures(ctx context.Context, runID string, f *metrics.Figures) error {
	err := putFigures(ctx, db.pool, runID, f, false)
	return wrap(err, "store the figures of run %s", runID)
}

// FiguresOf reads the figures of runs, by run id. Runs without figures are left out.
func (db *DB) FiguresOf(ctx context.Context, runIDs []string) (map[string]*metrics.Figures, error) {
	found, err := figuresByRun(ctx, db.pool, runIDs)
	return found, wrap(err, "read the figures of runs")
}

func figuresByRun(ctx context.Context, tx dbsqlc.DBTX, runIDs []string) (map[string]*metrics.Figures, error) {
	rows, err := tx.Query(ctx, readFigures, runIDs)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*metrics.Figures, len(runIDs))
	var runID string
	var numbers []pgtype.Float8
	var dates []pgtype.Date
	_, err = pgx.ForEachRow(rows, []any{&runID, &numbers, &dates}, func() error {
		f := &metrics.Figures{Values: make([]float64, len(metrics.FigureNames))}
		for i, v := range numbers {
			f.Values[i] = math.NaN()
			if v.Valid {
				f.Values[i] = v.Float64
			}
		}
		for i, column := range figureDateColumns {
			*figureDates[column](f) = fromDate(dates[i])
		}
		found[runID] = f
		return nil
	})
	return found, err
}

// RunsWithFigures lists up to n complete runs that have figures of the current formulas,
// in ascending order of ids, starting after an id.
func (db *DB) RunsWithFigures(ctx context.Context, after string, n int) ([]string, error) {
	ids, err := db.queries.RunsWithFigures(ctx, dbsqlc.RunsWithFiguresParams{After: after, Version: metrics.FiguresVersion, Most: int32(n)})
	return ids, wrap(err, "find runs with figures")
}

// FigureFaults returns the rows of figures that contradict their run or model, and the
// served runs without a row. stray are those whose run is not complete.
func (db *DB) FigureFaults(ctx context.Context) (faults, stray []program.Finding, err error) {
	rows, err := db.queries.FigureFaults(ctx)
	for _, r := range rows {
		finding := program.Finding{ID: r.RunID, Message: r.Message}
		if r.Stray {
			stray = append(stray, finding)
		} else {
			faults = append(faults, finding)
		}
	}
	return faults, stray, wrap(err, "check figures")
}

// DropStrayFigures deletes the figures of runs that are not complete.
func (db *DB) DropStrayFigures(ctx context.Context) error {
	return wrap(db.queries.DropStrayFigures(ctx), "delete stray figures")
}

package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	wire "ballast/internal/number"
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

// figuresRow returns figures as a JSON object from column to value, or nil if f is nil.
func figuresRow(f *metrics.Figures) (json.RawMessage, error) {
	if f == nil {
		return nil, nil
	}
	row := make(map[string]any, len(metrics.FigureNames)+len(figureDates))
	for i, name := range metrics.FigureNames {
		row[name] = wire.Float(f.Values[i])
	}
	for column, date := range figureDates {
		row[column] = nil
		if d := *date(f); d != timeseries.NoDate {
			row[column] = d.String()
		}
	}
	b, err := json.Marshal(row)
	if err != nil {
		return nil, fmt.Errorf("encode figures: %w", err)
	}
	return b, nil
}

// keepFigures stores the figures of a complete run and replaces those computed by
// earlier formulas. The lock keeps the model from serving another run meanwhile. sqlc
// cannot expand a record of the table's own type, so the statement is here.
var keepFigures = `
with of as (
	select r.id as run_id, r.program_id, r.account_id, p.created_at, p.live_run_id is not distinct from r.id and p.deleted_at is null as live
	from runs r join programs p on p.id = r.program_id
	where r.id = $1 and r.status = 'complete' for share of p
)
insert into figures
select f.* from of, jsonb_populate_record(null::figures, $2::jsonb || jsonb_build_object(
	'run_id', of.run_id, 'program_id', of.program_id, 'account_id', of.account_id, 'live', of.live, 'created_at', of.created_at, 'version', $3::integer)) f
on conflict (run_id) do update set program_id = excluded.program_id, account_id = excluded.account_id, created_at = excluded.created_at,
	live = excluded.live, version = excluded.version` + replacedFigures()

// replacedFigures returns assignments that set each column to the value of the
// conflicting insert.
func replacedFigures() string {
	var b strings.Builder
	for _, column := range slices.Concat(slices.Sorted(maps.Keys(figureDates)), metrics.FigureNames) {
		fmt.Fprintf(&b, ", %s = excluded.%s", column, column)
	}
	return b.String()
}

func putFigures(ctx context.Context, tx dbsqlc.DBTX, runID string, figures json.RawMessage) error {
	_, err := tx.Exec(ctx, keepFigures, runID, figures, metrics.FiguresVersion)
	return err
}

// figuresOf is the inverse of figuresRow.
func figuresOf(row json.RawMessage) (*metrics.Figures, error) {
	var columns map[string]any
	if err := json.Unmarshal(row, &columns); err != nil {
		return nil, fmt.Errorf("decode figures: %w", err)
	}
	f := &metrics.Figures{Values: make([]float64, len(metrics.FigureNames))}
	for i, name := range metrics.FigureNames {
		f.Values[i] = math.NaN()
		if v, ok := columns[name].(float64); ok {
			f.Values[i] = v
		}
	}
	for column, date := range figureDates {
		*date(f) = timeseries.NoDate
		if text, ok := columns[column].(string); ok {
			d, err := timeseries.ParseDate(text)
			if err != nil {
				return nil, fmt.Errorf("decode figures: %w", err)
			}
			*date(f) = d
		}
	}
	return f, nil
}

// RunsWithoutFigures lists up to n complete runs of models without figures of the current
// formulas, in ascending order of ids, starting after an id.
func (db *DB) RunsWithoutFigures(ctx context.Context, after string, n int) ([]string, error) {
	ids, err := db.queries.RunsWithoutFigures(ctx, dbsqlc.RunsWithoutFiguresParams{After: after, Version: metrics.FiguresVersion, Most: int32(n)})
	return ids, wrap(err, "find runs without figures")
}

// KeepFigures stores the figures of a complete run. It changes nothing if the run no
// longer exists.
func (db *DB) KeepFigures(ctx context.Context, runID string, f *metrics.Figures) error {
	row, err := figuresRow(f)
	if err == nil {
		err = putFigures(ctx, db.pool, runID, row)
	}
	return wrap(err, "store the figures of run %s", runID)
}

// FiguresOf reads the figures of runs, by run id. Runs without figures are left out.
func (db *DB) FiguresOf(ctx context.Context, runIDs []string) (map[string]*metrics.Figures, error) {
	found, err := figuresByRun(ctx, db.queries, runIDs)
	return found, wrap(err, "read the figures of runs")
}

func figuresByRun(ctx context.Context, q *dbsqlc.Queries, runIDs []string) (map[string]*metrics.Figures, error) {
	rows, err := q.FiguresOfRuns(ctx, runIDs)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*metrics.Figures, len(rows))
	for _, r := range rows {
		if found[r.RunID], err = figuresOf(r.Figures); err != nil {
			return nil, fmt.Errorf("run %s: %w", r.RunID, err)
		}
	}
	return found, nil
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

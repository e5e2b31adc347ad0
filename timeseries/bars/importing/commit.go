//go:build duckdb_arrow

package importing

import (
	"context"
	"encoding/json"
	"errors"

	"ballast/internal/fault"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/reports"
)

// attempts is how often an import starts again because others have committed meanwhile.
const attempts = 8

func (im *Importer) merge(ctx context.Context, s *staging, o Options) error {
	first, err := s.symbols(ctx)
	if err != nil {
		return err
	}
	symbols := make([]string, 0, len(first))
	for symbol := range first {
		symbols = append(symbols, symbol)
	}
	staged := *s.report
	for range attempts {
		*s.report = staged
		s.report.Problems = append([]reports.Problem{}, staged.Problems...)
		m := &merging{staging: s, bucket: im.c.Bucket}
		err := inSteps(ctx, o, Merging,
			func(ctx context.Context) error {
				snapshot, err := im.c.Store.BySymbol(ctx, symbols)
				if err != nil {
					return err
				}
				return m.lookup(ctx, snapshot, first)
			},
			m.merge, m.checkMerge, m.checkSeries,
			func(context.Context) error { return m.refuse(o.Strict) },
		)
		if err != nil {
			return err
		}
		if err := im.commit(ctx, m, o); !errors.Is(err, bars.ErrConflict) {
			return err
		}
	}
	return fault.New(fault.Unavailable, "other imports kept changing the bars during this one; try again")
}

// commit writes the objects and makes the change current.
func (im *Importer) commit(ctx context.Context, m *merging, o Options) error {
	change, out, err := m.change(ctx)
	if err != nil {
		return err
	}
	m.report.Version = m.base
	if len(out) == 0 {
		return nil
	}
	var total int64
	for _, a := range out {
		total += a.rows
	}
	rows, err := m.conn.Read(ctx, `SELECT date, m.total_return, close, adj_close, dividend, split FROM m JOIN u USING (symbol)
		WHERE restated OR date > u.stored_last ORDER BY symbol, date`)
	if err != nil {
		return err
	}
	w := &objectWriter{bucket: im.c.Bucket, assets: out, rows: rows, progress: func(done int64) { o.Progress(Progress{Writing, done, total}) }}
	change.Added, err = w.write(ctx)
	rows.Release()
	if err != nil {
		return err
	}
	o.Progress(Progress{Committing, 0, 1})
	m.report.Version = m.base + 1 // the version if the commit succeeds
	report, err := json.Marshal(m.report)
	if err != nil {
		return err
	}
	change.Record = bars.Record{Kind: bars.ImportKind, File: m.report.File, SHA256: m.report.SHA256, Rows: m.report.Rows, Report: report, At: im.c.Now()}
	version, err := im.c.Store.Commit(ctx, change)
	if errors.Is(err, bars.ErrConflict) {
		return errors.Join(err, w.undo(ctx))
	}
	if err != nil {
		return err // the commit may have succeeded, so its objects stay until a sweep decides
	}
	m.report.Version = version
	o.Progress(Progress{Committing, 1, 1})
	return nil
}

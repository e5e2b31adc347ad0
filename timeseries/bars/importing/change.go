//go:build duckdb_arrow

package importing

import (
	"context"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

// change computes from m what the import changes: symbols with changed bars are restated,
// which rewrites their whole history; symbols with only later bars get another segment.
// It fills the report's counts and u, and returns the assets whose rows must be written,
// in order.
func (m *merging) change(ctx context.Context) (bars.Change, []outgoing, error) {
	c := bars.Change{Base: m.base}
	if err := m.exec(ctx, `CREATE OR REPLACE TEMP TABLE u AS SELECT symbol, coalesce(a.last, DATE '0001-01-01') AS stored_last,
			NOT any_value(known) OR coalesce(bool_or(status <> 'same' AND date <= a.last), false) AS restated,
			min(date) FILTER (WHERE status <> 'same') AS moved
		FROM m JOIN a USING (symbol) GROUP BY symbol, a.last HAVING bool_or(status <> 'same')`); err != nil {
		return c, nil, err
	}
	if err := m.count(ctx); err != nil {
		return c, nil, err
	}
	if err := m.loadRest(ctx); err != nil {
		return c, nil, err
	}
	records, err := m.conn.Query(ctx, `SELECT symbol, restated, count(*), min(date), max(date), count(*) FILTER (WHERE isodow(date) > 5), any_value(a.convention), any_value(u.moved)
		FROM m JOIN u USING (symbol) JOIN a USING (symbol) WHERE restated OR date > u.stored_last GROUP BY symbol, restated ORDER BY symbol`)
	if err != nil {
		return c, nil, err
	}
	defer duck.Release(records)
	var out []outgoing
	for _, r := range records {
		for i := range int(r.NumRows()) {
			symbol := strings.Clone(r.Column(0).(*array.String).Value(i))
			a := m.assets[symbol]
			restated := r.Column(1).(*array.Boolean).Value(i)
			o := outgoing{assetID: a.ID, symbol: symbol, rows: r.Column(2).(*array.Int64).Value(i),
				first: timeseries.Date(r.Column(3).(*array.Date32).Value(i)), last: timeseries.Date(r.Column(4).(*array.Date32).Value(i))}
			weekend := r.Column(5).(*array.Int64).Value(i)
			if restated {
				if a.Rows > 0 {
					m.report.Restated++
					c.Restated = append(c.Restated, bars.Restatement{AssetID: a.ID, Symbol: symbol, From: timeseries.Date(r.Column(7).(*array.Date32).Value(i))})
				} else {
					m.report.NewSymbols++
				}
				a.Rows, a.WeekendRows, a.First = 0, 0, o.first
				for _, g := range m.present[symbol] {
					c.Removed = append(c.Removed, g.Ref)
				}
			}
			a.Rows += o.rows
			a.WeekendRows += weekend
			a.Last = o.last
			a.SevenDay = 20*a.WeekendRows > a.Rows
			a.Convention = bars.Convention(strings.Clone(r.Column(6).(*array.String).Value(i)))
			c.Assets = append(c.Assets, a)
			out = append(out, o)
		}
	}
	return c, out, nil
}

func (m *merging) count(ctx context.Context) error {
	records, err := m.conn.Query(ctx, `SELECT count(*) FILTER (WHERE status = 'added'), count(*) FILTER (WHERE status = 'changed'),
		count(*) FILTER (WHERE in_file AND status = 'same') FROM m`)
	if err != nil {
		return err
	}
	defer duck.Release(records)
	for i, n := range []*int64{&m.report.Added, &m.report.Changed, &m.report.Unchanged} {
		*n = records[0].Column(i).(*array.Int64).Value(0)
	}
	return nil
}

// loadRest adds the stored bars before those that the file touches, for the symbols that
// are rewritten whole.
func (m *merging) loadRest(ctx context.Context) error {
	records, err := m.conn.Query(ctx, "SELECT symbol FROM u WHERE restated")
	if err != nil {
		return err
	}
	defer duck.Release(records)
	var segments []bars.Segment
	for _, r := range records {
		for i := range int(r.NumRows()) {
			segments = append(segments, m.rest[r.Column(0).(*array.String).Value(i)]...)
		}
	}
	return m.loadStored(ctx, segments, "INSERT INTO m SELECT g.symbol, p.date, false, 'same', NULL, NULL, p.total_return, p.close, p.adj_close, p.dividend, p.split")
}

//go:build duckdb_arrow

package importing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars/files"
	"ballast/timeseries/bars/reports"
)

// staging is one file on its way through a DuckDB session of its own. Tables:
//
//	t    the records of files.Schema
//	w    t with the row before of the same symbol (prow, pline, pdate, pclose, padj)
//	sym  one row per symbol: counts, dates, convention
type staging struct {
	conn   *duck.Conn
	file   *files.File
	report *reports.Report
}

func (s *staging) exec(ctx context.Context, query string) error {
	if err := s.conn.Exec(ctx, query); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("import %s: %w", s.file.Name(), err)
	}
	return nil
}

// read fills t and sym from the file.
func (s *staging) read(ctx context.Context) (err error) {
	records := s.file.Records(ctx)
	defer records.Release()
	release, err := s.conn.View("arriving", records)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	err = s.exec(ctx, "CREATE TEMP TABLE t AS SELECT * FROM arriving")
	if records.Err() != nil {
		return records.Err() // DuckDB would return only its text
	}
	if err != nil {
		return err
	}
	return s.exec(ctx, `CREATE TEMP TABLE sym AS SELECT symbol, count(*) AS n, min(date) AS first, max(date) AS last,
		CASE WHEN count(adj_close) > 0 THEN 'adjusted' WHEN count(close) > 0 THEN 'close_dividend' ELSE 'total_return' END AS convention,
		count(*) FILTER (WHERE isodow(date) > 5) AS weekend FROM t GROUP BY symbol`)
}

// unreadable adds the unreadable cells to the report.
func (s *staging) unreadable(kind reports.ProblemKind) {
	listed, total := s.file.Problems(files.Kind(kind))
	slices.SortStableFunc(listed, func(a, b files.Problem) int {
		return cmp.Or(cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Date, b.Date))
	})
	for _, p := range listed {
		s.report.Add(reports.Problem{Severity: reports.Error, Kind: kind, Symbol: p.Symbol, Date: p.Date, Message: p.Message})
	}
	if more := total - int64(len(listed)); more > 0 {
		s.report.Add(reports.Problem{Severity: reports.Error, Kind: kind, Date: timeseries.NoDate, Message: fmt.Sprintf("and %d more like these", more), Count: more})
	}
}

// order fills w from t.
func (s *staging) order(ctx context.Context) error {
	return s.exec(ctx, `CREATE OR REPLACE TEMP TABLE w AS SELECT *,
		lag("row") OVER z AS prow, lag(line) OVER z AS pline, lag(date) OVER z AS pdate, lag(close) OVER z AS pclose, lag(adj_close) OVER z AS padj,
		close IS NOT DISTINCT FROM lag(close) OVER z AND adj_close IS NOT DISTINCT FROM lag(adj_close) OVER z
			AND dividend IS NOT DISTINCT FROM lag(dividend) OVER z AND split IS NOT DISTINCT FROM lag(split) OVER z
			AND total_return IS NOT DISTINCT FROM lag(total_return) OVER z AS same
		FROM t WINDOW z AS (PARTITION BY symbol ORDER BY date, "row")`)
}

// texts copies a string column of a record.
func texts(r arrow.RecordBatch, column int) []string {
	values := r.Column(column).(*array.String)
	out := make([]string, values.Len())
	for i := range out {
		out[i] = strings.Clone(values.Value(i))
	}
	return out
}

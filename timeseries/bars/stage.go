//go:build duckdb_arrow

package bars

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/fault"
	"ballast/storage/duck"
)

// staging is one file on its way through a DuckDB session of its own. Tables:
//
//	raw  the file's cells, as text or as the numbers of a Parquet file
//	t    "row", symbol, date and the numbers, typed; what is unreadable is null
//	w    t with the row before of the same symbol (prow, pdate, pclose, padj)
//	sym  a row a symbol: counts, dates, convention
type staging struct {
	conn   *duck.Conn
	source *source
	layout *layout
	typed  map[role]bool // numbers that arrive as numbers
	report *Report
}

// missing are the texts that stand for an empty cell, besides NULL.
const missing = `('', 'null', 'nan', 'na', 'n/a', 'none', '-', '#n/a', 'nat')`

func (s *staging) exec(ctx context.Context, query string) error {
	if err := s.conn.Exec(ctx, query); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("import %s: %w", s.source.name, err)
	}
	return nil
}

// read loads the file into raw.
func (s *staging) read(ctx context.Context) error {
	if s.source.parquet {
		return s.readParquet(ctx)
	}
	l, err := detect(s.source.header, s.source.symbol())
	if err != nil {
		return err
	}
	s.layout = l
	columns := make([]string, len(s.source.header))
	for i := range columns {
		columns[i] = fmt.Sprintf("c%d: 'VARCHAR'", i)
	}
	// The strict reader finds surplus cells, but fails on files that mix line ends.
	for _, strict := range []bool{true, false} {
		err = s.exec(ctx, fmt.Sprintf(`CREATE TEMP TABLE raw AS SELECT %s FROM read_csv(%s, auto_detect = false, header = true, skip = %d,
			delim = %s, quote = '"', escape = '"', strict_mode = %t, columns = {%s}, store_rejects = true)`,
			s.selection(func(i int, _ role) string { return fmt.Sprintf("c%d", i) }),
			duck.Literal(s.source.path), s.source.skip, duck.Literal(s.source.comma), strict, strings.Join(columns, ", ")))
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
	return fault.New(fault.InvalidBody, "%s cannot be read as CSV; %s", s.source.name, acceptedColumns).Wrap(err)
}

func (s *staging) readParquet(ctx context.Context) error {
	unreadable := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault.New(fault.InvalidBody, "%s is not a readable Parquet file; fetch it again", s.source.name).Wrap(err)
	}
	records, err := s.conn.Query(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(?))", s.source.path)
	if err != nil {
		return unreadable(err)
	}
	var names, types []string
	for _, r := range records {
		names, types = append(names, texts(r, 0)...), append(types, texts(r, 1)...)
	}
	duck.Release(records)
	if s.layout, err = detect(names, s.source.symbol()); err != nil {
		return err
	}
	numeric := func(i int) bool {
		kind, _, _ := strings.Cut(types[i], "(")
		switch strings.TrimPrefix(kind, "U") {
		case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL":
			return true
		}
		return false
	}
	for r, i := range s.layout.roles {
		s.typed[r] = numeric(i)
	}
	err = s.exec(ctx, fmt.Sprintf("CREATE TEMP TABLE raw AS SELECT %s FROM read_parquet(%s)",
		s.selection(func(i int, r role) string {
			if r != roleSymbol && r != roleDate && numeric(i) {
				return fmt.Sprintf("CAST(%s AS DOUBLE)", duck.Ident(names[i]))
			}
			return fmt.Sprintf("CAST(%s AS VARCHAR)", duck.Ident(names[i]))
		}), duck.Literal(s.source.path)))
	if err != nil {
		return unreadable(err)
	}
	if s.layout.wide != nil {
		return s.sameWideTypes(ctx, numeric)
	}
	return nil
}

// selection writes the columns of raw: one a role, or a wide file's v0, v1, …
func (s *staging) selection(column func(i int, r role) string) string {
	var list []string
	for r, i := range s.layout.roles {
		list = append(list, column(i, r)+" AS "+duck.Ident(string(r)))
	}
	for k, c := range s.layout.wide {
		list = append(list, fmt.Sprintf("%s AS v%d", column(c.position, roleAdjusted), k))
	}
	return strings.Join(list, ", ")
}

// sameWideTypes makes text of every column of a wide Parquet file unless all
// are numbers, since they are to become one column.
func (s *staging) sameWideTypes(ctx context.Context, numeric func(int) bool) error {
	s.typed[roleAdjusted] = true
	for _, c := range s.layout.wide {
		if !numeric(c.position) {
			s.typed[roleAdjusted] = false
		}
	}
	if s.typed[roleAdjusted] {
		return nil
	}
	var list []string
	for k := range s.layout.wide {
		list = append(list, fmt.Sprintf("CAST(v%d AS VARCHAR) AS v%d", k, k))
	}
	if err := s.exec(ctx, "CREATE TEMP TABLE texts AS SELECT date, "+strings.Join(list, ", ")+" FROM raw"); err != nil {
		return err
	}
	return s.exec(ctx, "DROP TABLE raw; ALTER TABLE texts RENAME TO raw")
}

// melt turns a wide file into rows of date, symbol and adj_close; empty cells
// are days without a bar.
func (s *staging) melt(ctx context.Context) error {
	symbols := make([]string, len(s.layout.wide))
	values := make([]string, len(s.layout.wide))
	for k, c := range s.layout.wide {
		symbols[k], values[k] = c.symbol, fmt.Sprintf("v%d", k)
	}
	present := "adj_close IS NOT NULL AND NOT isnan(adj_close)"
	if !s.typed[roleAdjusted] {
		present = "adj_close IS NOT NULL AND lower(trim(adj_close)) NOT IN " + missing
	}
	err := s.exec(ctx, fmt.Sprintf(`CREATE TEMP TABLE long AS SELECT date, symbol, adj_close FROM
		(SELECT date, unnest(%s) AS symbol, unnest([%s]) AS adj_close FROM raw) WHERE %s`,
		duck.Literals(symbols), strings.Join(values, ", "), present))
	if err != nil {
		return err
	}
	s.layout.roles[roleSymbol], s.layout.roles[roleAdjusted] = 0, 0
	return s.exec(ctx, "DROP TABLE raw; ALTER TABLE long RENAME TO raw")
}

// dateOf reads YYYY-MM-DD, with a time after it or not, YYYY/MM/DD and YYYYMMDD.
const dateOf = `CASE
	WHEN length(date) <= 10 AND regexp_full_match(date, '\d{4}[-/]\d\d?[-/]\d\d?') THEN try_cast(replace(date, '/', '-') AS DATE)
	WHEN regexp_full_match(date, '\d{4}-\d\d-\d\d[ T]\d.*') THEN try_cast(left(date, 10) AS DATE)
	WHEN regexp_full_match(date, '\d{8}') THEN CAST(try_strptime(date, '%Y%m%d') AS DATE) END`

// typeCells makes t of raw.
func (s *staging) typeCells(ctx context.Context) error {
	symbol := duck.Literal(s.layout.symbol)
	if _, ok := s.layout.roles[roleSymbol]; ok {
		symbol = "upper(trim(symbol))"
	}
	list := []string{`rowid + 1 AS "row"`, symbol + " AS symbol", "date_of AS date"}
	for _, r := range numberRoles {
		list = append(list, s.number(r)+" AS "+string(r))
	}
	err := s.exec(ctx, `CREATE TEMP TABLE t AS SELECT `+strings.Join(list, ", ")+` FROM
		(SELECT rowid, raw.* REPLACE (trim(date) AS date) FROM raw) r,
		LATERAL (SELECT `+dateOf+` AS date_of)`)
	if err != nil {
		return err
	}
	return s.exec(ctx, `CREATE TEMP TABLE sym AS SELECT symbol, count(*) AS n, min(date) AS first, max(date) AS last,
		CASE WHEN count(adj_close) > 0 THEN 'adjusted' WHEN count(close) > 0 THEN 'close_dividend' ELSE 'total_return' END AS convention,
		count(*) FILTER (WHERE isodow(date) > 5) AS weekend FROM t GROUP BY symbol`)
}

// number writes the value of a column, null where the cell is not a finite
// number. A split of 0 or none is no split, a missing dividend is none.
func (s *staging) number(r role) string {
	if _, ok := s.layout.roles[r]; !ok {
		return "CAST(NULL AS DOUBLE)"
	}
	value := fmt.Sprintf("CASE WHEN isfinite(try_cast(%s AS DOUBLE)) THEN try_cast(%s AS DOUBLE) END", r, r)
	switch r {
	case roleDividend:
		return "coalesce(" + value + ", 0)"
	case roleSplit:
		return "coalesce(nullif(" + value + ", 0), 1)"
	}
	return value
}

// order makes w of t.
func (s *staging) order(ctx context.Context) error {
	return s.exec(ctx, `CREATE OR REPLACE TEMP TABLE w AS SELECT *,
		lag("row") OVER z AS prow, lag(date) OVER z AS pdate, lag(close) OVER z AS pclose, lag(adj_close) OVER z AS padj,
		close IS NOT DISTINCT FROM lag(close) OVER z AND adj_close IS NOT DISTINCT FROM lag(adj_close) OVER z
			AND dividend IS NOT DISTINCT FROM lag(dividend) OVER z AND split IS NOT DISTINCT FROM lag(split) OVER z
			AND total_return IS NOT DISTINCT FROM lag(total_return) OVER z AS same
		FROM t WINDOW z AS (PARTITION BY symbol ORDER BY date, "row")`)
}

// texts copies a column of text out of a record.
func texts(r arrow.RecordBatch, column int) []string {
	values := r.Column(column).(*array.String)
	out := make([]string, values.Len())
	for i := range out {
		out[i] = strings.Clone(values.Value(i))
	}
	return out
}

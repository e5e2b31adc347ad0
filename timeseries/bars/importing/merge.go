//go:build duckdb_arrow

package importing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/id"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/files"
	"ballast/timeseries/bars/reports"
)

// merging merges a staged file into the stored bars. It adds these tables:
//
//	a  one row per symbol of the file: what the manifest has
//	s  stored bars that the file may touch
//	k  one row per stored symbol: how the file's adjusted closes relate to the stored ones
//	m  the merged bars with their returns and what happened to each
//	u  one row per symbol that changes
type merging struct {
	*staging
	bucket  paths
	base    bars.Version
	assets  map[string]bars.Asset     // by symbol
	loaded  []bars.Segment            // in s
	rest    map[string][]bars.Segment // by symbol: stored before anything that the file touches
	present map[string][]bars.Segment // by symbol: all
}

// paths is the part of a bucket that merging needs.
type paths interface {
	Path(ctx context.Context, key string) (string, error)
}

// symbols returns the symbols of the file with their first dates.
func (s *staging) symbols(ctx context.Context) (map[string]timeseries.Date, error) {
	records, err := s.conn.Query(ctx, "SELECT symbol, first FROM sym ORDER BY symbol")
	if err != nil {
		return nil, err
	}
	defer duck.Release(records)
	first := map[string]timeseries.Date{}
	for _, r := range records {
		dates := r.Column(1).(*array.Date32)
		for i, symbol := range texts(r, 0) {
			first[symbol] = timeseries.Date(dates.Value(i))
		}
	}
	return first, nil
}

// lookup fills a and s from the manifest.
func (m *merging) lookup(ctx context.Context, snapshot bars.Snapshot, first map[string]timeseries.Date) error {
	m.base = snapshot.Version
	m.assets = map[string]bars.Asset{}
	bySymbol := map[string]string{}
	for _, a := range snapshot.Assets {
		m.assets[a.Symbol] = a
		bySymbol[a.ID] = a.Symbol
	}
	m.present, m.rest, m.loaded = map[string][]bars.Segment{}, map[string][]bars.Segment{}, nil
	for _, g := range snapshot.Segments {
		symbol := bySymbol[g.AssetID]
		m.present[symbol] = append(m.present[symbol], g)
	}
	for symbol, segments := range m.present {
		// The bar before the file's first is in the last segment that begins before it.
		from := 0
		for i, g := range segments {
			if g.First < first[symbol] {
				from = i
			}
		}
		m.rest[symbol] = segments[:from]
		m.loaded = append(m.loaded, segments[from:]...)
	}
	for symbol := range first {
		if _, ok := m.assets[symbol]; !ok {
			m.assets[symbol] = bars.Asset{ID: id.New(id.Asset), Symbol: symbol, First: timeseries.NoDate, Last: timeseries.NoDate}
		}
	}
	if err := m.loadAssets(ctx); err != nil {
		return err
	}
	if err := m.exec(ctx, `CREATE OR REPLACE TEMP TABLE s (symbol VARCHAR, date DATE, total_return DOUBLE, close DOUBLE, adj_close DOUBLE, dividend DOUBLE, split DOUBLE)`); err != nil {
		return err
	}
	return m.loadStored(ctx, m.loaded, "INSERT INTO s SELECT g.symbol, p.date, p.total_return, p.close, p.adj_close, p.dividend, p.split")
}

func (m *merging) loadAssets(ctx context.Context) error {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "symbol", Type: arrow.BinaryTypes.String}, {Name: "convention", Type: arrow.BinaryTypes.String},
		{Name: "first", Type: arrow.FixedWidthTypes.Date32}, {Name: "last", Type: arrow.FixedWidthTypes.Date32},
		{Name: "rows", Type: arrow.PrimitiveTypes.Int64}, {Name: "weekend", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, a := range m.assets {
		b.Field(0).(*array.StringBuilder).Append(a.Symbol)
		b.Field(1).(*array.StringBuilder).Append(string(a.Convention))
		if a.Rows == 0 {
			b.Field(2).AppendNull()
			b.Field(3).AppendNull()
		} else {
			b.Field(2).(*array.Date32Builder).Append(arrow.Date32(a.First))
			b.Field(3).(*array.Date32Builder).Append(arrow.Date32(a.Last))
		}
		b.Field(4).(*array.Int64Builder).Append(a.Rows)
		b.Field(5).(*array.Int64Builder).Append(a.WeekendRows)
	}
	return m.table(ctx, b.NewRecordBatch(), `CREATE OR REPLACE TEMP TABLE a AS SELECT v.symbol, v.rows > 0 AS known, sym.convention, v.rows > 0 AND v.convention <> sym.convention AS other,
		v.first, v.last, v.rows, sym.n, sym.last AS file_last, 20 * (v.weekend + sym.weekend) > v.rows + sym.n AS seven_day FROM arrived v JOIN sym USING (symbol)`)
}

// table runs a statement that reads the record as a table named arrived.
func (m *merging) table(ctx context.Context, record arrow.RecordBatch, query string) (err error) {
	defer record.Release()
	reader, err := array.NewRecordReader(record.Schema(), []arrow.RecordBatch{record})
	if err != nil {
		return err
	}
	defer reader.Release()
	release, err := m.conn.View("arrived", reader)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return m.exec(ctx, query)
}

// loadStored runs insert over the rows of segments. The statement can use p, a row
// of an object, and g.symbol.
func (m *merging) loadStored(ctx context.Context, segments []bars.Segment, insert string) error {
	if len(segments) == 0 {
		return nil
	}
	symbols := map[string]string{}
	for symbol, a := range m.assets {
		symbols[a.ID] = symbol
	}
	from, record, err := stored(ctx, m.bucket, segments, func(assetID string) string { return symbols[assetID] })
	if err != nil {
		return err
	}
	return m.table(ctx, record, insert+from)
}

// stored returns the FROM clause that reads segments. An object holds at most one segment
// per asset, so object and asset identify a segment.
func stored(ctx context.Context, bucket paths, segments []bars.Segment, symbolOf func(assetID string) string) (string, arrow.RecordBatch, error) {
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "path", Type: arrow.BinaryTypes.String}, {Name: "asset_id", Type: arrow.BinaryTypes.String}, {Name: "symbol", Type: arrow.BinaryTypes.String},
	}, nil))
	defer b.Release()
	byKey := map[string]string{}
	var list []string
	for _, g := range segments {
		path, ok := byKey[g.Object]
		if !ok {
			var err error
			if path, err = bucket.Path(ctx, g.Object); err != nil {
				return "", nil, err
			}
			byKey[g.Object] = path
			list = append(list, path)
		}
		b.Field(0).(*array.StringBuilder).Append(path)
		b.Field(1).(*array.StringBuilder).Append(g.AssetID)
		b.Field(2).(*array.StringBuilder).Append(symbolOf(g.AssetID))
	}
	from := fmt.Sprintf(" FROM read_parquet(%s, filename = true) p JOIN arrived g ON p.filename = g.path AND p.asset_id = g.asset_id", duck.Literals(list))
	return from, b.NewRecordBatch(), nil
}

// returnOf computes the total return by an asset's convention.
const returnOf = `CASE a.convention WHEN 'adjusted' THEN adj_close / padj - 1
	WHEN 'close_dividend' THEN (close * coalesce(split, 1) + coalesce(dividend, 0)) / pclose - 1 ELSE total_return END`

// merge builds k, m and u.
func (m *merging) merge(ctx context.Context) error {
	// Ratios that agree within 1e-5 mean a different basis with the vendor's rounding:
	// the file extends the stored bars and does not restate them. A file that overlaps by
	// many bars, or whose ratios agree better with each other than with 1, has its own
	// price levels. A return across its edge would mix the two levels, so the stored
	// return stays there.
	err := m.exec(ctx, `CREATE OR REPLACE TEMP TABLE k AS SELECT a.symbol, coalesce(b.n, 0) AS n, coalesce(b.n, 0) >= a.rows AS covers, b.k,
		coalesce(a.convention = 'adjusted' AND NOT a.other AND b.n < a.rows AND kmax / kmin - 1 <= 1e-5 AND NOT (kmin = 1 AND kmax = 1)
			AND (b.n >= 2 OR same_close AND a.file_last > a.last), false) AS rebased,
		coalesce(a.convention = 'adjusted' AND NOT a.other AND (b.n >= 20 OR b.n >= 2 AND kmax / kmin - 1 <= 0.5 * abs(kmid - 1)), false) AS edged, kmax / kmin - 1 AS spread
		FROM a LEFT JOIN (SELECT symbol, count(*) AS n, min(s.adj_close / w.adj_close) AS kmin, max(s.adj_close / w.adj_close) AS kmax, median(s.adj_close / w.adj_close) AS kmid,
			arg_max(s.adj_close / w.adj_close, date) AS k, bool_and(w.close IS NOT NULL AND w.close IS NOT DISTINCT FROM s.close) AS same_close
			FROM w JOIN s USING (symbol, date) GROUP BY symbol) b USING (symbol) WHERE a.known`)
	if err != nil {
		return err
	}
	columns, differs := m.mergedColumns()
	return m.exec(ctx, `CREATE OR REPLACE TEMP TABLE m AS
		SELECT symbol, date, true AS in_file, 'added' AS status, pdate, pclose, CASE WHEN pdate IS NOT NULL THEN `+returnOf+` END AS total_return, close, adj_close, dividend, split
		FROM w JOIN a USING (symbol) WHERE NOT a.known
		UNION ALL
		SELECT symbol, date, in_file, CASE WHEN NOT stored THEN 'added' WHEN `+differs+` OR ret IS DISTINCT FROM sret THEN 'changed' ELSE 'same' END,
			pdate, pclose, ret, close, adj_close, dividend, split
		FROM (SELECT x.*, CASE
				WHEN pdate IS NULL AND date <= coalesce(a.first, date) THEN NULL
				WHEN pdate IS NULL THEN sret
				WHEN a.convention = 'total_return' THEN total_return
				WHEN NOT touched AND NOT ptouched THEN sret
				WHEN a.convention = 'adjusted' AND fdate = pdate THEN fratio - 1
				WHEN edged AND stored AND pstored AND in_file <> pin_file THEN sret
				ELSE `+returnOf+` END AS ret
			FROM (SELECT y.*, lag(date) OVER z AS pdate, lag(close) OVER z AS pclose, lag(adj_close) OVER z AS padj, lag(touched) OVER z AS ptouched,
					lag(stored) OVER z AS pstored, lag(in_file) OVER z AS pin_file
				FROM (SELECT *, NOT stored OR other OR `+differs+` AS touched FROM (SELECT symbol, date, f.symbol IS NOT NULL AS in_file, s.symbol IS NOT NULL AS stored,
						f.symbol IS NOT NULL AND NOT (s.symbol IS NOT NULL AND k.rebased) AS fresh, a.other, k.edged,
						f.pdate AS fdate, f.adj_close / f.padj AS fratio, `+columns+`
					FROM (SELECT w.* FROM w JOIN a USING (symbol) WHERE a.known) f FULL JOIN s USING (symbol, date) JOIN k USING (symbol) JOIN a USING (symbol))) y
				WINDOW z AS (PARTITION BY symbol ORDER BY date)) x JOIN a USING (symbol))`)
}

// mergedColumns returns the columns of a merged row: the file's number if the row
// is fresh and the file has the column, the stored one otherwise. Each stored
// number is kept as s…, and differs compares the two.
func (m *merging) mergedColumns() (columns, differs string) {
	var list, compare []string
	for _, r := range files.Numbers {
		has := m.file.Has(r)
		value := fmt.Sprintf("CASE WHEN fresh AND a.other THEN NULL ELSE s.%s END", r)
		switch {
		case has && r == files.Adjusted:
			value = "CASE WHEN fresh THEN f.adj_close * CASE WHEN k.rebased THEN k.k ELSE 1 END ELSE s.adj_close END"
		case has && r == files.TotalReturn:
			// A file may omit the return of its first row if that is stored.
			value = "CASE WHEN fresh THEN coalesce(f.total_return, CASE WHEN NOT a.other THEN s.total_return END) ELSE s.total_return END"
		case has:
			value = fmt.Sprintf("CASE WHEN fresh THEN f.%s ELSE s.%s END", r, r)
		}
		name := "s" + string(r)
		if r == files.TotalReturn {
			name = "sret"
		} else {
			compare = append(compare, fmt.Sprintf("%s IS DISTINCT FROM %s", r, name))
		}
		list = append(list, fmt.Sprintf("%s AS %s, s.%s AS %s", value, r, r, name))
	}
	return strings.Join(list, ", "), "(" + strings.Join(compare, " OR ") + ")"
}

// checkMerge finds contradictions between the file and the stored bars.
func (m *merging) checkMerge(ctx context.Context) error {
	for _, c := range []struct {
		severity reports.Severity
		kind     reports.ProblemKind
		query    string
	}{
		{reports.Error, reports.OtherBasis, `SELECT symbol, NULL::DATE, 'the returns of the file follow the convention ' || convention || ', those of the stored bars another; import the whole history to replace the stored bars', a.n
			FROM a JOIN k USING (symbol) WHERE a.other AND NOT k.covers`},
		{reports.Error, reports.MissingReturn, `SELECT symbol, date, 'this bar has no total_return, but it is not the first bar', 1 FROM m JOIN a USING (symbol)
			WHERE a.convention = 'total_return' AND total_return IS NULL AND pdate IS NOT NULL`},
		{reports.Error, reports.BadPrice, `SELECT symbol, date, 'the prices give a return that is too large for a number', 1 FROM m WHERE NOT isfinite(total_return)`},
		{reports.Doubt, reports.UnverifiedLink, `SELECT symbol, NULL::DATE, 'the file does not overlap with the stored bars, so nothing shows that their adjusted closes are on the same basis', 1
			FROM a JOIN k USING (symbol) WHERE a.convention = 'adjusted' AND k.n = 0`},
		{reports.Doubt, reports.Rebased, `SELECT symbol, NULL::DATE, printf('the adjusted closes are on another basis; they were scaled by %.9g to the stored basis', k), 1
			FROM k WHERE rebased AND abs(k - 1) > 1e-5`},
		{reports.Doubt, reports.Rebased, `SELECT symbol, min(m.date), 'the adjusted closes are on levels that differ from the stored ones; where the file begins or ends among stored bars, the stored returns were kept', count(*)
			FROM m JOIN k USING (symbol) JOIN (SELECT symbol, date, lag(in_file) OVER (PARTITION BY symbol ORDER BY date) AS pin_file FROM m) p USING (symbol, date)
			WHERE edged AND NOT rebased AND spread > 1e-5 AND in_file <> pin_file AND status <> 'added' GROUP BY symbol`},
	} {
		if err := m.check(ctx, c.severity, c.kind, c.query); err != nil {
			return err
		}
	}
	return nil
}

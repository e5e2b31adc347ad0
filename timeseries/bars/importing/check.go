//go:build duckdb_arrow

package importing

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars/files"
	"ballast/timeseries/bars/reports"
	"ballast/timeseries/calendar"
)

// check runs a query with the columns symbol, date, message and count, and adds its rows
// to the report as problems: all are counted, MaxProblems are listed.
func (s *staging) check(ctx context.Context, severity reports.Severity, kind reports.ProblemKind, query string) (err error) {
	rows, err := s.conn.Rows(ctx, fmt.Sprintf(`SELECT symbol, date, message, count, sum(count) OVER ()::BIGINT FROM (%s) p(symbol, date, message, count)
		ORDER BY symbol NULLS FIRST, date NULLS FIRST, message LIMIT %d`, query, reports.MaxProblems))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("import %s: check %s: %w", s.file.Name(), kind, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var listed, total int64
	for rows.Next() {
		var symbol, message sql.NullString
		var date sql.NullTime
		p := reports.Problem{Severity: severity, Kind: kind, Date: timeseries.NoDate}
		if err := rows.Scan(&symbol, &date, &message, &p.Count, &total); err != nil {
			return fmt.Errorf("import %s: check %s: %w", s.file.Name(), kind, err)
		}
		p.Symbol, p.Message = symbol.String, message.String
		if date.Valid {
			p.Date = timeseries.FromTime(date.Time.In(time.UTC))
		}
		s.report.Add(p)
		listed += p.Count
	}
	if total > listed {
		s.report.Add(reports.Problem{Severity: severity, Kind: kind, Date: timeseries.NoDate,
			Message: fmt.Sprintf("and %d more like these", total-listed), Count: total - listed})
	}
	return rows.Err()
}

// checkCells reports unreadable cells with the symbol and date of their rows.
func (s *staging) checkCells(ctx context.Context) error {
	s.unreadable(reports.MalformedRow)
	if err := s.checkSymbols(ctx); err != nil {
		return err
	}
	s.unreadable(reports.BadDate)
	s.unreadable(reports.BadNumber)
	return nil
}

// checkSymbols finds invalid symbols.
func (s *staging) checkSymbols(ctx context.Context) error {
	records, err := s.conn.Query(ctx, "SELECT symbol, n FROM sym ORDER BY symbol")
	if err != nil {
		return err
	}
	defer duck.Release(records)
	var found []reports.Problem
	for _, r := range records {
		rows := r.Column(1).(*array.Int64)
		for i, symbol := range texts(r, 0) {
			p := reports.Problem{Severity: reports.Error, Kind: reports.BadSymbol, Symbol: symbol, Date: timeseries.NoDate, Count: rows.Value(i)}
			switch {
			case files.ValidSymbol(symbol):
				continue
			case symbol == "":
				p.Message = "the row has no symbol"
			case symbol == "CASH":
				p.Message = "CASH is reserved for the uninvested part of a model"
			default:
				p.Message = "not a valid symbol; use at most 40 letters, digits and .^=:/&+_-"
			}
			found = append(found, p)
		}
	}
	s.report.AddListed(found)
	return nil
}

// checkRows finds missing and impossible prices, and dates that appear twice. It drops
// identical duplicates and sorts the remaining rows again.
func (s *staging) checkRows(ctx context.Context) error {
	// Unreadable cells are in the report already and must not count twice.
	if s.report.Count(reports.Error) == 0 {
		if err := s.check(ctx, reports.Error, reports.MissingPrice, `SELECT w.symbol, w.date, concat('there is no ', CASE convention WHEN 'adjusted' THEN 'adj_close' WHEN 'close_dividend' THEN 'close' ELSE 'total_return' END), 1
			FROM w JOIN sym USING (symbol) WHERE CASE convention WHEN 'adjusted' THEN adj_close IS NULL WHEN 'close_dividend' THEN close IS NULL
				ELSE total_return IS NULL AND pdate IS NOT NULL END`); err != nil {
			return err
		}
	}
	if err := s.check(ctx, reports.Error, reports.BadPrice, `SELECT symbol, date, CASE WHEN adj_close <= 0 THEN concat('adj_close ', adj_close, ' is not positive')
			WHEN close <= 0 THEN concat('close ', close, ' is not positive') WHEN split < 0 THEN concat('split ', split, ' is negative')
			WHEN dividend < 0 THEN concat('dividend ', dividend, ' is negative') ELSE concat('total_return ', total_return, ' is below -1, a loss of more than 100 %') END, 1
		FROM w WHERE adj_close <= 0 OR close <= 0 OR split < 0 OR dividend < 0 OR total_return < -1`); err != nil {
		return err
	}
	if err := s.check(ctx, reports.Error, reports.Conflict, `SELECT symbol, date, concat('`+s.file.Unit()+`s ', pline, ' and ', line, ' differ'), 1
		FROM w WHERE date = pdate AND NOT same`); err != nil {
		return err
	}
	before := len(s.report.Problems)
	if err := s.check(ctx, reports.Doubt, reports.Duplicate, `SELECT symbol, date, 'duplicate row, dropped', count(*) FROM w WHERE date = pdate AND same GROUP BY symbol, date`); err != nil {
		return err
	}
	if err := s.check(ctx, reports.Doubt, reports.Unsorted, `SELECT symbol, min(date), 'dates are not ascending; the rows were sorted', count(*) FROM w WHERE prow > "row" AND date IS NOT NULL GROUP BY symbol`); err != nil {
		return err
	}
	if s.report.Count(reports.Error) > 0 || before == len(s.report.Problems) {
		return nil
	}
	if err := s.exec(ctx, `DELETE FROM t WHERE "row" IN (SELECT "row" FROM w WHERE date = pdate)`); err != nil {
		return err
	}
	return s.order(ctx)
}

// checkSeries finds oddities in the merged bars of the file.
func (s *staging) checkSeries(ctx context.Context) error {
	for _, c := range []struct {
		kind  reports.ProblemKind
		query string
	}{
		{reports.LargeChange, `SELECT symbol, date, printf('a return of %+.1f %%', 100 * total_return), 1 FROM m WHERE in_file AND abs(total_return) > 0.5`},
		{reports.Gap, `SELECT symbol, date, concat('there is no bar for ', date - pdate, ' days before it, since ', pdate), 1 FROM m WHERE in_file AND date - pdate > 7`},
		{reports.SplitTwice, `SELECT m.symbol, m.date, printf('the split is %g, but the close changes by a factor of %.3f; it may be adjusted for splits already', m.split, m.close / m.pclose), 1
			FROM m JOIN a USING (symbol) WHERE in_file AND a.convention = 'close_dividend' AND m.split <> 1 AND m.pclose IS NOT NULL AND abs(ln(greatest(m.split, 1e-300))) > 0.25
			AND abs(ln(greatest(least(m.close / m.pclose, 1e300), 1e-300))) < abs(ln(greatest(least(m.close / m.pclose, 1e300), 1e-300)) + ln(greatest(m.split, 1e-300)))`},
		{reports.StrayWeekend, `SELECT symbol, min(date), 'weekend bars in a weekday series', count(*) FROM m JOIN a USING (symbol)
			WHERE in_file AND NOT a.seven_day AND isodow(date) > 5 GROUP BY symbol`},
	} {
		if err := s.check(ctx, reports.Doubt, c.kind, c.query); err != nil {
			return err
		}
	}
	return s.checkHolidays(ctx)
}

// checkHolidays finds days on which weekday series only repeat their price: days on which
// the New York Stock Exchange is closed, and days on which nearly all series of a larger
// file do so.
func (s *staging) checkHolidays(ctx context.Context) error {
	closed := []string{"DATE '0001-01-01'"}
	xnys := calendar.XNYS()
	for d := s.report.First; d <= s.report.Last; d++ {
		if w := d.Weekday(); w != time.Saturday && w != time.Sunday && !calendar.IsSession(xnys, d) {
			closed = append(closed, fmt.Sprintf("DATE '%s'", d))
		}
	}
	return s.check(ctx, reports.Doubt, reports.HolidayPadded, fmt.Sprintf(`
		SELECT CASE WHEN repeats = 1 THEN one END, date, concat(repeats, ' of ', n, ' series repeat their last price ', CASE WHEN shut THEN 'on a day without trading' ELSE 'on the same day' END), repeats FROM (
			SELECT date, count(*) AS n, count(*) FILTER (WHERE total_return = 0) AS repeats, min(symbol) FILTER (WHERE total_return = 0) AS one,
				date IN (%s) AS shut
			FROM m JOIN a USING (symbol) WHERE in_file AND NOT a.seven_day AND isodow(date) <= 5 AND pdate IS NOT NULL GROUP BY date)
		WHERE repeats > 0 AND (shut OR n >= 5 AND repeats >= 0.95 * n)`, strings.Join(closed, ", ")))
}

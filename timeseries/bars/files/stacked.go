package files

import (
	"slices"
	"strings"

	"ballast/internal/fault"
)

// stacked finds the layout of a table with a header of two rows, one of fields and one of
// symbols, as pandas writes tables with two levels of columns (yfinance's downloads). A
// row with only the name of the index may follow. It returns the number of header rows,
// or 0 if the table has another form.
func stacked(rows [][]string) (*layout, int, error) {
	if len(rows) < 2 || len(rows[0]) < 2 || len(rows[0]) != len(rows[1]) {
		return nil, 0, nil
	}
	fields, symbols := rows[0], rows[1]
	first, second := areFields(rows[0][1:]), areFields(rows[1][1:])
	switch {
	case second && (!first || isSymbolLabel(rows[0][0])):
		fields, symbols = rows[1], rows[0]
	case !first:
		return nil, 0, nil
	}
	for _, s := range symbols[1:] {
		s = strings.ToUpper(strings.TrimSpace(s))
		if _, err := parseNumber(s, '.'); err == nil || !ValidSymbol(s) {
			return nil, 0, nil
		}
	}
	head := 2
	if len(rows) > 2 {
		r, _, ok := roleOf(rows[2][0])
		if ok && r == Date && !slices.ContainsFunc(rows[2][1:], func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			head = 3
		}
	}
	l := &layout{symbol: -1, period: -1, has: map[Role]bool{}, wide: true, cells: len(rows[0])}
	at := map[string]int{} // index into l.series by symbol
	var all []series
	adjusted := false
	for i := 1; i < len(fields); i++ {
		symbol := strings.ToUpper(strings.TrimSpace(symbols[i]))
		k, ok := at[symbol]
		if !ok {
			k = len(all)
			at[symbol] = k
			all = append(all, series{symbol: symbol, columns: map[Role]int{}})
		}
		r, _, isRole := roleOf(fields[i])
		if !isRole {
			continue // a column that is not read
		}
		if _, twice := all[k].columns[r]; twice {
			return nil, 0, fault.New(fault.InvalidBody, "symbol %s has two columns %q", symbol, fields[i])
		}
		all[k].columns[r] = i
		adjusted = adjusted || r == Adjusted
	}
	if !adjusted && (hasName(fields[0], "price") || hasName(symbols[0], "price")) {
		l.adjusted = "yfinance adjusts Close for splits and dividends unless the file has Adj Close"
	}
	for _, s := range all {
		if at, ok := s.columns[Close]; ok && l.adjusted != "" {
			s.columns = map[Role]int{Adjusted: at}
		}
		if slices.ContainsFunc(Prices, func(r Role) bool { _, ok := s.columns[r]; return ok }) {
			l.add(s)
		}
	}
	if len(l.series) == 0 {
		return nil, 0, fault.New(fault.InvalidBody, "there is no price column among %s; %s", quoteAll(fields[1:]), accepted)
	}
	return l, head, nil
}

// areFields reports whether all cells are names of price columns.
func areFields(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) == "" || !known(c) })
}

func isSymbolLabel(cell string) bool {
	return hasName(cell, synonyms[Symbol]...) || hasName(cell, "tickers", "symbols")
}

func hasName(cell string, names ...string) bool { return slices.Contains(names, normalName(cell)) }

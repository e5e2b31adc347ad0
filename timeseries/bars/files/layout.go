package files

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ballast/internal/fault"
)

// Role is what a column of a file contains.
type Role string

// The roles of columns.
const (
	Symbol      Role = "symbol"
	Date        Role = "date"
	Close       Role = "close"
	Adjusted    Role = "adj_close"
	Dividend    Role = "dividend"
	Split       Role = "split"
	TotalReturn Role = "total_return"
	period      Role = "period" // of Stooq's files: D for daily bars
)

// Numbers are the roles that hold numbers, in the order of the columns of Schema.
var Numbers = []Role{TotalReturn, Close, Adjusted, Dividend, Split}

// Prices are the roles that returns can be computed from. A file needs at least one of
// them; a wide file holds exactly one.
var Prices = []Role{Adjusted, Close, TotalReturn}

// synonyms are the column names of each role, the preferred first, in lower case without
// spaces and punctuation.
var synonyms = map[Role][]string{
	Symbol:      {"symbol", "ticker", "sym", "instrument", "asset", "code"},
	Date:        {"date", "day", "timestamp", "datetime", "time", "tradedate", "pricedate", "", "unnamed0", "index", "indexlevel0"},
	Close:       {"close", "closeprice", "closingprice", "price", "last", "pxlast"},
	Adjusted:    {"adjclose", "adjustedclose", "closeadj", "closeadjusted", "adjcloseprice", "adjprice", "adjustedprice"},
	Dividend:    {"dividend", "dividends", "div", "divcash", "dividendamount", "cashdividend", "distribution"},
	Split:       {"split", "splits", "stocksplit", "stocksplits", "splitfactor", "splitratio", "splitcoefficient"},
	TotalReturn: {"totalreturn", "return", "returns", "ret", "dailyreturn"},
	period:      {"per"},
}

// unread are columns that price files usually have and that bars do not need.
var unread = map[string]bool{
	"open": true, "high": true, "low": true, "volume": true, "adjopen": true, "adjhigh": true,
	"adjlow": true, "adjvolume": true, "assetid": true, "vol": true, "openint": true, "capitalgains": true,
	"change": true, "change%": true, "repaired?": true,
}

const accepted = "a long file has columns symbol, date and at least one of adj_close, close and total_return " +
	"(and dividend and split with close); a wide file has a date column and one column of prices per symbol"

// series is where the numbers of a symbol are in a row. A long file has one series for
// all symbols.
type series struct {
	symbol  string // "" where the row names it
	columns map[Role]int
}

// layout specifies what each column of a file contains.
type layout struct {
	date     int
	symbol   int // column; -1 if the series have their own symbols
	period   int // column; -1 if there is none
	series   []series
	wide     bool
	cells    int           // cells per row, as many as in the header; 0 if rows may differ
	has      map[Role]bool // numbers that at least one series has
	unknown  []string
	assumed  string // symbol derived from the file's name
	adjusted string // why closes are read as adjusted, "" where they are not
	stooq    bool   // symbols end with the market: SPY.US
}

func normalName(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.:<>\ufeff\t", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// roleOf returns the role for a column's name and the rank of the name; a lower rank is
// preferred.
func roleOf(name string) (r Role, rank int, ok bool) {
	n := normalName(name)
	for role, names := range synonyms {
		if k := slices.Index(names, n); k >= 0 {
			return role, k, true
		}
	}
	return "", 0, false
}

// known reports whether price files usually have a column of that name.
func known(name string) bool {
	r, _, ok := roleOf(name)
	return ok && r != Symbol && r != Date || unread[normalName(name)]
}

// detect finds the layout from the header. fallback is the symbol that the file's name
// suggests.
func detect(header []string, fallback string, wide Role) (*layout, error) {
	l := &layout{symbol: -1, period: -1, has: map[Role]bool{}}
	roles, rank := map[Role]int{}, map[Role]int{}
	for i, name := range header {
		r, k, ok := roleOf(name)
		if best, seen := rank[r]; ok && (!seen || k < best) {
			rank[r], roles[r] = k, i
		}
	}
	date, ok := roles[Date]
	if !ok {
		return nil, fault.New(fault.InvalidBody, "there is no date column among %s; %s", quoteAll(header), accepted)
	}
	l.date = date
	symbol, long := roles[Symbol]
	priced := slices.ContainsFunc(Prices, func(r Role) bool { _, ok := roles[r]; return ok })
	switch {
	case long && !priced:
		return nil, fault.New(fault.InvalidBody, "there is no price column among %s; %s", quoteAll(header), accepted)
	case !long && !priced:
		return l, l.detectWide(header, wide)
	case wide != "":
		return nil, fault.New(fault.InvalidBody, "the file is not wide: its columns are %s; omit --wide", quoteAll(header))
	case long:
		l.symbol = symbol
		l.stooq = strings.EqualFold(strings.TrimSpace(header[symbol]), "<ticker>")
	case !ValidSymbol(fallback):
		return nil, fault.New(fault.InvalidBody, "there is no symbol column among %s, and the file's name is not a symbol; name the file after its symbol (SPY.csv), or add a symbol column", quoteAll(header))
	default:
		l.assumed = fallback
	}
	if at, ok := roles[period]; ok {
		l.period = at
	}
	taken := map[int]bool{}
	one := series{symbol: l.assumed, columns: map[Role]int{}}
	for r, i := range roles {
		taken[i] = true
		if slices.Contains(Numbers, r) {
			one.columns[r] = i
		}
	}
	for i, name := range header {
		if !taken[i] && !unread[normalName(name)] {
			l.unknown = append(l.unknown, name)
		}
	}
	_, hasAdjusted := one.columns[Adjusted]
	at, hasClose := one.columns[Close]
	switch {
	case hasAdjusted || !hasClose:
	case l.stooq:
		l.adjusted = "Stooq adjusts its closes for splits and dividends"
	case isHistory(header):
		l.adjusted = "yfinance adjusts Close for splits and dividends unless the file has Adj Close"
	}
	if l.adjusted != "" {
		one.columns = map[Role]int{Adjusted: at}
	}
	l.add(one)
	return l, nil
}

// isHistory reports whether the header is that of yfinance's Ticker.history.
func isHistory(header []string) bool {
	names := map[string]bool{}
	for _, h := range header {
		names[normalName(h)] = true
	}
	for _, n := range []string{"open", "high", "low", "dividends", "stocksplits"} {
		if !names[n] {
			return false
		}
	}
	return true
}

func (l *layout) add(s series) {
	l.series = append(l.series, s)
	for r := range s.columns {
		l.has[r] = true
	}
}

// detectWide reads every column except the date as a symbol.
func (l *layout) detectWide(header []string, what Role) error {
	l.wide = true
	if what == "" {
		what = Adjusted
		l.adjusted = "a wide file does not say which prices it holds; use --wide close or --wide total_return if it holds those, or --wide adj_close to confirm"
	}
	seen := map[string]bool{}
	price := false
	for i, name := range header {
		symbol := strings.ToUpper(strings.TrimSpace(name))
		switch {
		case i == l.date:
		case !ValidSymbol(symbol):
			return fault.New(fault.InvalidBody, "column %q is neither a known column nor a symbol, so the file is neither long nor wide; %s", name, accepted)
		case seen[symbol]:
			return fault.New(fault.InvalidBody, "symbol %s has two columns", symbol)
		default:
			seen[symbol] = true
			price = price || !unread[strings.ToLower(symbol)]
			l.add(series{symbol: symbol, columns: map[Role]int{what: i}})
		}
	}
	if !price {
		return fault.New(fault.InvalidBody, "there is no price column among %s; %s", quoteAll(header), accepted)
	}
	return nil
}

// symbolText lists the characters of a symbol in upper case; the length is checked
// separately. (A counted repetition in the expression takes RE2 30 ms to compile.)
const (
	symbolText   = `^[\p{L}\p{N}^][\p{L}\p{N}.^=:/&+_-]*$`
	symbolLength = 40
)

var symbolPattern = regexp.MustCompile(symbolText)

// ValidSymbol reports whether s can be the symbol of an asset. CASH is reserved for the
// part of a model that is not invested.
func ValidSymbol(s string) bool {
	return s != "CASH" && utf8.RuneCountInString(s) <= symbolLength && symbolPattern.MatchString(s)
}

func quoteAll(names []string) string {
	const most = 12
	var b strings.Builder
	for i, n := range names {
		if i == most {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if len(n) > 40 {
			n = strings.ToValidUTF8(n[:40], "") + "…"
		}
		b.WriteString(`"` + n + `"`)
	}
	return b.String()
}

package bars

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ballast/internal/fault"
)

// role is what a column of a file holds.
type role string

const (
	roleSymbol   role = "symbol"
	roleDate     role = "date"
	roleClose    role = "close"
	roleAdjusted role = "adj_close"
	roleDividend role = "dividend"
	roleSplit    role = "split"
	roleReturn   role = "total_return"
)

// numberRoles are the roles that hold numbers, in the order of the objects' columns.
var numberRoles = []role{roleReturn, roleClose, roleAdjusted, roleDividend, roleSplit}

// synonyms are the names of each role, the preferred first, in lower case
// without spaces and punctuation.
var synonyms = map[role][]string{
	roleSymbol:   {"symbol", "ticker", "sym", "instrument", "asset", "code"},
	roleDate:     {"date", "day", "timestamp", "datetime", "time", "tradedate", "pricedate", "", "unnamed0", "index", "indexlevel0"},
	roleClose:    {"close", "closeprice", "closingprice", "price", "last", "pxlast"},
	roleAdjusted: {"adjclose", "adjustedclose", "closeadj", "closeadjusted", "adjcloseprice", "adjprice", "adjustedprice"},
	roleDividend: {"dividend", "dividends", "div", "divcash", "dividendamount", "cashdividend", "distribution"},
	roleSplit:    {"split", "splits", "stocksplit", "stocksplits", "splitfactor", "splitratio", "splitcoefficient"},
	roleReturn:   {"totalreturn", "return", "returns", "ret", "dailyreturn"},
}

// unread are columns that price files usually carry and bars have no use for.
var unread = map[string]bool{
	"open": true, "high": true, "low": true, "volume": true, "adjopen": true, "adjhigh": true,
	"adjlow": true, "adjvolume": true, "assetid": true,
}

const acceptedColumns = "a long file has columns symbol, date and at least one of adj_close, close and total_return " +
	"(and dividend and split with close); a wide file has a date column and one column of adjusted prices a symbol"

// layout says which column of a file is what.
type layout struct {
	roles   map[role]int // column position
	wide    []wideColumn // of a wide file
	symbol  string       // of a file without a symbol column
	unknown []string
}

type wideColumn struct {
	position int
	symbol   string
}

func (l *layout) name() string {
	if l.wide != nil {
		return "wide"
	}
	return "long"
}

func normalName(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.:\ufeff\t", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// detect finds the layout from the header. fallback is the symbol that the
// file's name suggests.
func detect(header []string, fallback string) (*layout, error) {
	l := &layout{roles: map[role]int{}}
	rank := map[role]int{}
	taken := map[int]bool{}
	for i, name := range header {
		n := normalName(name)
		for r, names := range synonyms {
			for k, s := range names {
				if s != n {
					continue
				}
				if best, ok := rank[r]; !ok || k < best {
					rank[r], l.roles[r] = k, i
				}
			}
		}
	}
	for _, i := range l.roles {
		taken[i] = true
	}
	if _, ok := l.roles[roleDate]; !ok {
		return nil, fault.New(fault.InvalidBody, "no date column among %s; %s", quoteAll(header), acceptedColumns)
	}
	prices := 0
	for _, r := range []role{roleClose, roleAdjusted, roleReturn} {
		if _, ok := l.roles[r]; ok {
			prices++
		}
	}
	_, long := l.roles[roleSymbol]
	switch {
	case long && prices == 0:
		return nil, fault.New(fault.InvalidBody, "no price column among %s; %s", quoteAll(header), acceptedColumns)
	case !long && prices == 0:
		return l, l.detectWide(header)
	case !long:
		l.symbol = fallback
		if !validSymbol(fallback) {
			return nil, fault.New(fault.InvalidBody, "no symbol column among %s, and the file's name is no symbol either; %s", quoteAll(header), acceptedColumns)
		}
	}
	for i, name := range header {
		if !taken[i] && !unread[normalName(name)] {
			l.unknown = append(l.unknown, name)
		}
	}
	return l, nil
}

func (l *layout) detectWide(header []string) error {
	date := l.roles[roleDate]
	l.roles = map[role]int{roleDate: date}
	seen := map[string]bool{}
	for i, name := range header {
		symbol := strings.ToUpper(strings.TrimSpace(name))
		switch {
		case i == date:
		case !validSymbol(symbol):
			return fault.New(fault.InvalidBody, "column %q of a wide file is no symbol; %s", name, acceptedColumns)
		case seen[symbol]:
			return fault.New(fault.InvalidBody, "symbol %s has two columns", symbol)
		default:
			seen[symbol] = true
			l.wide = append(l.wide, wideColumn{position: i, symbol: symbol})
		}
	}
	if !slices.ContainsFunc(l.wide, func(c wideColumn) bool { return !unread[strings.ToLower(c.symbol)] }) {
		return fault.New(fault.InvalidBody, "no price column among %s; %s", quoteAll(header), acceptedColumns)
	}
	return nil
}

// symbolText is what a symbol may look like, after upper-casing, besides its
// length. (A counted repetition in it costs RE2 30 ms to compile.)
const (
	symbolText   = `^[\p{L}\p{N}^][\p{L}\p{N}.^=:/&+_-]*$`
	symbolLength = 40
)

var symbolPattern = regexp.MustCompile(symbolText)

// validSymbol reports whether s may name an asset; CASH is reserved for what a
// model does not invest.
func validSymbol(s string) bool {
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
			n = n[:40] + "…"
		}
		b.WriteString(`"` + n + `"`)
	}
	return b.String()
}

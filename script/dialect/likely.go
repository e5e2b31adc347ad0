package dialect

import (
	"strings"

	"ballast/internal/nearest"
)

// Likely returns the accepted word that was probably meant: the nearest match,
// a synonym from other languages, or the only accepted word with this prefix.
// It returns "" if there is none.
func Likely(word string, accepted []string) string {
	if near := nearest.Match(word, accepted); near != "" {
		return near
	}
	lower := strings.ToLower(word)
	found := ""
	for _, a := range accepted {
		if a == Synonyms[lower] {
			return a
		}
		if len(lower) >= 3 && strings.HasPrefix(a, lower) {
			if found != "" {
				return ""
			}
			found = a
		}
	}
	return found
}

// Synonyms map the terms of other languages and libraries to the words of the
// contract.
var Synonyms = map[string]string{
	"annually": "yearly", "annual": "yearly", "year": "yearly", "day": "daily", "month": "monthly", "week": "weekly",
	"next_open": "next_close", "open": "next_close", "next": "next_close",
	"all": "all_members", "any": "first_member", "first": "first_member", "two": "two_members",
	"int": "integer", "float": "number", "double": "number", "decimal": "number", "str": "string", "text": "string", "date": "string",
	"bool": "boolean", "list": "array", "tuple": "array", "set": "array",
	"min": "minimum", "max": "maximum", "choices": "enum", "options": "enum", "values": "enum",
	"label": "title", "name": "title", "help": "description", "doc": "description", "units": "unit",
	"frequency": "every", "freq": "every", "period": "every", "day_of_week": "weekday",
	"price": "prices", "close": "prices", "history": "prices", "data": "prices", "bars": "prices",
	"positions": "weights", "holdings": "weights", "portfolio": "weights", "symbols": "universe", "assets": "universe", "members": "universe",
	"today": "date", "now": "date", "value": "equity", "params": "inputs", "parameters": "inputs",
	"main": "primary", "basic": "primary", "expert": "advanced",
}

// Hint returns what to write instead of an attribute that other libraries have, or
// returns "".
func Hint(name string) string { return hints[name] }

var hints = map[string]string{
	"sort": "write sorted(x)", "copy": "write list(x) or dict(x)", "reverse": "write x[::-1] or reversed(x)",
	"year": insteadDate, "month": insteadDate, "day": insteadDate, "weekday": insteadDate, "strftime": insteadDate, "isoformat": insteadDate,
	"iloc": insteadIndex, "loc": insteadIndex, "iat": insteadIndex, "at": insteadIndex, "shape": "write len(v)", "size": "write len(v)",
	"tail": "write v[-n:]", "head": "write v[:n]", "rolling": "rolling_mean, rolling_volatility and rolling_zscore are in the harness",
	"pct_change": "ctx.returns(symbol, n) are returns", "cumsum": "write v.cumulative()", "cumprod": "write v.growth()",
	"prod": "write v.product()", "var": "write pow(v.std(), 2)", "average": "write v.mean()", "avg": "write v.mean()",
	"tolist": "write list(v)", "ewm": "ema is in the harness", "corr": "correlation is in the harness", "cov": "covariance is in the harness",
}

const (
	insteadDate  = "dates are strings, YYYY-MM-DD: int(ctx.date[5:7]) is the month"
	insteadIndex = "write v[-1] or v[-20:]"
)

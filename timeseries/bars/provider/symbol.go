package provider

import (
	"regexp"
	"slices"
	"strings"
)

var (
	listed = regexp.MustCompile(`^[A-Z0-9]{1,10}(-[A-Z0-9]{1,4})?$`)
	pair   = regexp.MustCompile(`^([A-Z0-9]{1,12})-([A-Z]{3,5})$`)
)

// shareClasses are the letters after a dot that name a share class; other suffixes
// name an exchange.
const shareClasses = "ABCDE"

// Listing splits a catalog's symbol into its ticker, with the share class after a
// dash (BRK-B), and the suffix of its exchange ("L" of VOD.L, "" in the United
// States). It reports false if the symbol has another form.
func Listing(symbol string) (ticker, exchange string, ok bool) {
	ticker, ending, dotted := strings.Cut(symbol, ".")
	if dotted {
		switch {
		case len(ending) == 1 && strings.Contains(shareClasses, ending):
			ticker += "-" + ending
		case len(ending) >= 1 && len(ending) <= 4 && listed.MatchString(ending):
			exchange = ending
		default:
			return "", "", false
		}
	}
	return ticker, exchange, listed.MatchString(ticker)
}

// Pair splits a coin's symbol: BTC and USD of BTC-USD.
func Pair(symbol string) (base, quote string, ok bool) {
	m := pair.FindStringSubmatch(symbol)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// Coin reports whether a symbol looks like a cryptocurrency quoted in a currency.
// It serves for assets whose type is not known.
func Coin(symbol string) bool {
	_, quote, ok := Pair(symbol)
	return ok && slices.Contains([]string{"USD", "USDT", "USDC", "EUR", "GBP", "JPY"}, quote)
}

// NoSymbol is the error for a symbol that the service cannot express.
func NoSymbol(name, symbol string) *Error {
	return &Error{Provider: name, Kind: Unknown, Detail: "cannot express the symbol " + symbol}
}

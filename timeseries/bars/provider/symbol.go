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

// shareClasses are the letters after a dot that name a class of shares; other
// endings name an exchange.
const shareClasses = "ABCDE"

// Listing takes a catalog's symbol apart into its ticker, share classes after a
// dash (BRK-B), and the ending that names an exchange outside the United States
// ("L" of VOD.L, "" within). It reports false where the symbol has another form.
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

// Pair takes a coin's symbol apart: BTC and USD of BTC-USD.
func Pair(symbol string) (base, quote string, ok bool) {
	m := pair.FindStringSubmatch(symbol)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// Coin reports whether a symbol is written as a pair of a crypto currency and
// money, for assets of which nothing says what they are.
func Coin(symbol string) bool {
	_, quote, ok := Pair(symbol)
	return ok && slices.Contains([]string{"USD", "USDT", "USDC", "EUR", "GBP", "JPY"}, quote)
}

// NoSymbol is the answer to a symbol that the service has no way to write.
func NoSymbol(name, symbol string) *Error {
	return &Error{Provider: name, Kind: Unknown, Detail: "cannot express the symbol " + symbol}
}

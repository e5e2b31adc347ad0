package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/backtest"
)

// MaxName is how many characters the name of a model may have.
const MaxName = maxName

// ValidName reports whether a model may have the name: 1 to MaxName characters
// on one line, without space around them.
func ValidName(name string) bool {
	return name != "" && name == strings.TrimSpace(name) && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) && utf8.RuneCountInString(name) <= maxName
}

// ValidSymbol reports whether a model may have the symbol: a capital letter and
// up to 11 capitals, digits, dots and hyphens, and not CASH.
func ValidSymbol(symbol string) bool {
	return symbolPattern.MatchString(symbol) && symbol != backtest.CashKey
}

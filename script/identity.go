package script

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/backtest"
)

// MaxName is the maximum length of a model's name, in characters.
const MaxName = maxName

// AddressWords are words that URLs use in place of a model. No model may have
// one as its name or symbol, in upper or lower case, because no request could
// reach it.
var AddressWords = []string{"compare", "trash", "validate"}

func addressWord(word string) bool {
	return slices.ContainsFunc(AddressWords, func(r string) bool { return strings.EqualFold(r, word) })
}

// ValidName reports whether a model may have the name: 1 to MaxName printable
// characters on one line, without leading or trailing space, and no address
// word.
func ValidName(name string) bool {
	return name != "" && !addressWord(name) && name == strings.TrimSpace(name) && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) && utf8.RuneCountInString(name) <= maxName
}

// ValidSymbol reports whether a model may have the symbol: a capital letter
// followed by up to 11 capitals, digits, dots and hyphens, and neither CASH nor
// an address word.
func ValidSymbol(symbol string) bool {
	return symbolPattern.MatchString(symbol) && symbol != backtest.CashKey && !addressWord(symbol)
}

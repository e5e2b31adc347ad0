package script

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/backtest"
)

// MaxName is how many characters the name of a model may have.
const MaxName = maxName

// AddressWords are the words that stand where addresses name a model. No model has one
// as its name or symbol, in any case: nobody could ask for it.
var AddressWords = []string{"compare", "trash", "validate"}

func addressWord(word string) bool {
	return slices.ContainsFunc(AddressWords, func(r string) bool { return strings.EqualFold(r, word) })
}

// ValidName reports whether a model may have the name: 1 to MaxName characters
// on one line, without space around them, and no address word.
func ValidName(name string) bool {
	return name != "" && !addressWord(name) && name == strings.TrimSpace(name) && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) && utf8.RuneCountInString(name) <= maxName
}

// ValidSymbol reports whether a model may have the symbol: a capital letter and
// up to 11 capitals, digits, dots and hyphens, and neither CASH nor an address word.
func ValidSymbol(symbol string) bool {
	return symbolPattern.MatchString(symbol) && symbol != backtest.CashKey && !addressWord(symbol)
}

package catalog

import (
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Fold lowers case and removes accents, so that "societe" finds "Société".
func Fold(s string) string {
	if plain(s) {
		return strings.ToLower(s)
	}
	t := transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	out, _, err := transform.String(t, s)
	if err != nil {
		out = s
	}
	return strings.ToLower(out)
}

// Words splits folded text into words: runs of letters and digits.
func Words(s string) []string {
	return strings.FieldsFunc(Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// plain reports whether s is pure ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= unicode.MaxASCII {
			return false
		}
	}
	return true
}

package query

import (
	"strings"
	"unicode"

	"ballast/internal/nearest"
)

// names returns the names of all tables.
func names() []string {
	out := make([]string, len(Tables))
	for i, t := range Tables {
		out[i] = t.Name
	}
	return out
}

// macroNames returns the names of all macros.
func macroNames() []string {
	out := make([]string, len(Macros))
	for i, m := range Macros {
		out[i] = m.Name
	}
	return out
}

func near(name string, candidates []string) string {
	return nearest.Match(strings.ToLower(name), candidates)
}

// words returns the words of a statement in lower case. They include every table that the
// statement reads. Words in strings and comments are included too, which only costs time.
func words(sql string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(sql), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		found[w] = true
	}
	return found
}

package provider

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// redact takes a key out of a text.
func redact(text, key string) string {
	if key == "" {
		return text
	}
	return strings.ReplaceAll(text, key, "KEY")
}

// oneLine makes one line of printable text.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// cutAt shortens a text to n bytes at most, between characters.
func cutAt(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

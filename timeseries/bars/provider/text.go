package provider

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// redact removes a key from a text.
func redact(text, key string) string {
	if key == "" {
		return text
	}
	return strings.ReplaceAll(text, key, "KEY")
}

// oneLine turns text into one printable line.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// cutAt shortens a text to at most n bytes without splitting a character.
func cutAt(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

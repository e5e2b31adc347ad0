package main

import (
	"regexp"
	"strings"
)

// dollarTag begins a text between dollar signs, as $$…$$ and $tag$…$tag$.
var dollarTag = regexp.MustCompile(`^\$(?:[A-Za-z_]\w*)?\$`)

// cutStatement returns the text before the first semicolon that ends a statement, and the
// text after it. Semicolons in strings, quoted names and comments end nothing.
func cutStatement(text string) (statement, rest string, found bool) {
	for i := 0; i < len(text); {
		closing := ""
		opening := 1
		switch {
		case text[i] == ';':
			return text[:i], text[i+1:], true
		case text[i] == '\'', text[i] == '"':
			closing = text[i : i+1]
		case strings.HasPrefix(text[i:], "--"):
			closing = "\n"
		case strings.HasPrefix(text[i:], "/*"):
			closing, opening = "*/", 2
		case text[i] == '$':
			closing = dollarTag.FindString(text[i:])
			opening = max(len(closing), 1)
		}
		i += opening
		if closing == "" {
			continue
		}
		end := strings.Index(text[i:], closing)
		if end < 0 {
			return text, "", false
		}
		i += end + len(closing)
	}
	return text, "", false
}

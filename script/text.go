package script

import "strings"

// Lines are the lines of a script as its problems count them: a byte order mark
// dropped, and whatever ends its lines.
func Lines(text string) []string { return strings.Split(plainText(text), "\n") }

// withoutComment is a line of Python without the comment at its end.
func withoutComment(line string) string {
	x := &scanner{source: &source{text: []byte(line)}, line: 1, column: 1}
	for !x.done() {
		switch x.text[x.at] {
		case '#':
			return line[:x.at]
		case '"', '\'':
			x.quoted()
		default:
			x.step()
		}
	}
	return line
}

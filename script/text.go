package script

import "strings"

// Lines splits a script into the lines that problems refer to: without a byte
// order mark, and with any line ending.
func Lines(text string) []string { return strings.Split(plainText(text), "\n") }

// withoutComment returns a line of Python without the comment at its end.
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

package dialect

import "strings"

// Lines splits a script into the lines that problems refer to: without a byte
// order mark, and with any line ending.
func Lines(text string) []string { return strings.Split(PlainText(text), "\n") }

// withoutComment returns a line of Python without the comment at its end.
func withoutComment(line string) string {
	x := &scanner{Text: &Text{Code: []byte(line)}, line: 1, column: 1}
	for !x.done() {
		switch x.Code[x.at] {
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

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// PlainText drops a byte order mark and turns every line ending into \n, as
// Python does.
func PlainText(text string) string { return lineEnds.Replace(strings.TrimPrefix(text, "\ufeff")) }

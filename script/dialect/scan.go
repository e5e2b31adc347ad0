package dialect

import (
	"strings"
	"unicode/utf8"
)

// Text is a script's text as it is translated from Python to the
// interpreter's dialect. Every change keeps the line and column of the text
// that remains.
type Text struct {
	Code    []byte // the script with Python-only syntax blanked out
	Imports []Imported
	Refused map[string]bool // names bound by imports that were refused
	Star    int             // position, from 1, of the problem about an import of *; 0 if none
}

// Scan translates what the interpreter's dialect writes differently: imports
// become pass, `is None` becomes == None, and the prefix of u"…" is dropped.
func Scan(text string, found *Problems) *Text {
	s := &Text{Code: []byte(text), Refused: make(map[string]bool)}
	x := &scanner{Text: s, found: found, line: 1, column: 1, start: true}
	x.run()
	return s
}

type scanner struct {
	*Text
	found        *Problems
	at           int // byte
	line, column int
	depth        int  // of open brackets
	start        bool // at the start of a statement
	indented     bool // the statement does not start in the first column
}

func (x *scanner) place() Place { return Place{x.line, x.column} }

func (x *scanner) done() bool { return x.at >= len(x.Code) }

func (x *scanner) peek(s string) bool {
	return strings.HasPrefix(string(x.Code[x.at:min(len(x.Code), x.at+len(s))]), s)
}

// step moves forward by one character.
func (x *scanner) step() {
	if x.Code[x.at] == '\n' {
		x.at++
		x.line++
		x.column = 1
		return
	}
	_, n := utf8.DecodeRune(x.Code[x.at:])
	x.at += n
	x.column++
}

func (x *scanner) steps(n int) {
	for ; n > 0 && !x.done(); n-- {
		x.step()
	}
}

func (x *scanner) run() {
	for !x.done() {
		switch c := x.Code[x.at]; {
		case c == '\n':
			x.step()
			if x.depth == 0 {
				x.start, x.indented = true, false
			}
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			if x.start && x.column == 1 {
				x.indented = true
			}
			x.step()
		case c == '#':
			x.comment()
		case c == '\\':
			x.steps(2)
		case c == ';' && x.depth == 0:
			x.step()
			x.start = true
		case c == '"' || c == '\'':
			x.quoted()
			x.start = false
		case IsLetter(c):
			x.word()
		default:
			switch c {
			case '(', '[', '{':
				x.depth++
			case ')', ']', '}':
				x.depth = max(0, x.depth-1)
			}
			x.step()
			x.start = false
		}
	}
}

func (x *scanner) comment() {
	for !x.done() && x.Code[x.at] != '\n' {
		x.step()
	}
}

// quoted skips a string literal. The parser reports one without an end.
func (x *scanner) quoted() {
	quote := string(x.Code[x.at])
	if long := strings.Repeat(quote, 3); x.peek(long) {
		quote = long
	}
	x.steps(len(quote))
	for !x.done() {
		switch {
		case x.peek(quote):
			x.steps(len(quote))
			return
		case x.Code[x.at] == '\\':
			x.steps(2)
		case x.Code[x.at] == '\n' && len(quote) == 1:
			return
		default:
			x.step()
		}
	}
}

// word reads a name and handles those that only Python has.
func (x *scanner) word() {
	at, begin := x.at, x.place()
	w := x.name()
	wasStart := x.start
	x.start = false
	switch {
	case wasStart && x.depth == 0 && (w == "import" || w == "from"):
		x.importStatement(w, at, begin)
	case w == "is":
		x.isNone(at, begin)
	case !x.done() && (x.Code[x.at] == '"' || x.Code[x.at] == '\''):
		switch strings.ToLower(w) {
		case "u":
			x.Code[at] = ' '
		case "f", "fr", "rf":
			p := x.found.Add(RuleSyntax, begin, `f-strings are not part of the dialect: write "%%s" %% value or "{}".format(value)`)
			p.Text = w
			x.blank(at, x.at)
		case "b", "br", "rb":
			p := x.found.Add(RuleSyntax, begin, "bytes are not part of the dialect: leave out the %s", w)
			p.Text = w
			x.blank(at, x.at)
		}
	}
}

func (x *scanner) name() string {
	from := x.at
	for !x.done() && (IsLetter(x.Code[x.at]) || x.Code[x.at] >= '0' && x.Code[x.at] <= '9') {
		x.step()
	}
	return string(x.Code[from:x.at])
}

// isNone replaces a comparison with None, for which identity and equality are
// the same, with the dialect's == or != at the same width. Any other use of is
// is reported, and then read as == or !=.
func (x *scanner) isNone(at int, begin Place) {
	rest := string(x.Code[x.at:min(len(x.Code), x.at+64)])
	operator, written, end := "==", "is", x.at
	trimmed := strings.TrimLeft(rest, " \t")
	if after, ok := strings.CutPrefix(trimmed, "not"); ok && len(after) > 0 && (after[0] == ' ' || after[0] == '\t') {
		operator, written = "!=", "is not"
		trimmed = strings.TrimLeft(after, " \t")
		end = x.at + len(rest) - len(after)
	}
	if after, ok := strings.CutPrefix(trimmed, "None"); ok && (after == "" || !IsLetter(after[0]) && (after[0] < '0' || after[0] > '9')) {
		end = x.at + len(rest) - len(trimmed)
	} else {
		p := x.found.Add(RuleSyntax, begin, "%q is only for comparisons with None: write %s", written, operator)
		p.Text, p.Suggestion = written, operator
	}
	x.blank(at, end)
	copy(x.Code[at:], operator)
}

// blank overwrites each character of text that has been read with a space, but
// keeps line endings.
func (x *scanner) blank(from, to int) {
	n := from
	for i := from; i < to; n++ {
		_, width := utf8.DecodeRune(x.Code[i:to])
		if x.Code[n] = x.Code[i]; x.Code[n] != '\n' {
			x.Code[n] = ' '
		}
		i += width
	}
	if n < to { // some characters had more than one byte
		x.Code = append(x.Code[:n], x.Code[to:]...)
		x.at -= to - n
	}
}

// IsLetter reports whether a byte may begin a name.
func IsLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

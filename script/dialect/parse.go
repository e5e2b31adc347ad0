package dialect

import (
	"bytes"
	"errors"
	"strings"

	"go.starlark.net/syntax"
)

// options configures the interpreter to be as close to Python as possible. The
// step limit catches infinite loops. Recursion is off because each level uses
// memory of the interpreter itself.
var options = syntax.FileOptions{Set: true, While: true}

// FileName is what the interpreter calls the script.
const FileName = "model.py"

// maxSyntaxProblems ends the search for further syntax errors; after many, the
// rest are mostly consequences of the earlier ones.
const maxSyntaxProblems = 10

// Parse parses text and reports every syntax error that it can find. After each
// error it leaves out the line that holds it, or the whole top-level statement
// if that does not help, and parses again. Problems quote the original text. It
// returns the names in what was left out. The file is nil if nothing could be
// parsed.
func Parse(text []byte, original string, found *Problems) (file *syntax.File, hidden map[string]bool) {
	p := &recovery{found: found, asWritten: strings.Split(original, "\n"), hidden: make(map[string]bool), last: -1}
	p.lines = bytes.SplitAfter(text, []byte("\n"))
	for range maxSyntaxProblems {
		f, err := options.Parse(FileName, text, 0)
		if err == nil {
			return f, p.hidden
		}
		if !p.leaveOut(err) {
			break
		}
		text = bytes.Join(p.lines, nil)
	}
	return nil, p.hidden
}

// recovery removes from a text what cannot be parsed.
type recovery struct {
	found     *Problems
	asWritten []string
	lines     [][]byte
	hidden    map[string]bool
	last      int // the last line that was left out by itself, from 0; -1 if none
}

// leaveOut reports an error of the parser and blanks out the text that holds
// it. It returns false if there is nothing left to blank out.
func (p *recovery) leaveOut(err error) bool {
	at, message := syntaxError(err)
	at.Line = min(max(at.Line, 1), len(p.lines))
	s := slip{message: message, lines: p.lines, at: at}
	s.gotAndWant()
	s.place()
	if from, to := p.block(s.at.Line - 1); p.last >= from && p.last < to {
		if s.isRemnant() && p.single(s.at.Line-1, false) >= 0 {
			return true
		}
		if s.isEcho(p.last) {
			p.last = -1 // leaving out the line alone did not help
			return p.hide(from, to)
		}
	}
	s.explain()
	at = s.at
	from, to := p.block(at.Line - 1)
	x := p.found.Add(RuleSyntax, at, "%s", s.message)
	x.Text, x.Suggestion = strings.TrimSpace(p.asWritten[at.Line-1]), s.suggestion
	if p.last = p.single(at.Line-1, s.open); p.last >= 0 {
		return true
	}
	return p.hide(from, to)
}

func syntaxError(err error) (Place, string) {
	var e syntax.Error
	if errors.As(err, &e) {
		return PlaceOf(e.Pos), e.Msg
	}
	return Place{1, 1}, err.Error()
}

// block returns the lines [from, to) of the top-level statement around line i.
func (p *recovery) block(i int) (from, to int) {
	top := func(k int) bool {
		l := p.lines[k]
		return len(l) > 0 && !bytes.ContainsRune([]byte(" \t\r\n#)]}"), rune(l[0]))
	}
	for from = i; from > 0 && !top(from); from-- {
	}
	for to = i + 1; to < len(p.lines) && !top(to); to++ {
	}
	return from, to
}

// single replaces line i of a function with a neutral statement and returns i.
// It returns -1 if the line cannot be left out by itself: at top level, or if a
// bracket continues beyond it.
func (p *recovery) single(i int, open bool) int {
	line := strings.TrimRight(string(p.lines[i]), " \t\r\n")
	code := strings.TrimLeft(line, " \t")
	if open || len(code) == len(line) || code == "" {
		return -1
	}
	code = strings.TrimRight(withoutComment(code), " \t")
	stand := "pass"
	if strings.HasSuffix(code, ":") {
		stand = "if True:"
	}
	p.names(line)
	rest := ""
	if bytes.HasSuffix(p.lines[i], []byte("\n")) {
		rest = "\n"
	}
	p.lines[i] = []byte(line[:len(line)-len(strings.TrimLeft(line, " \t"))] + stand + rest)
	return i
}

// hide blanks out lines and reports whether there was anything to blank out.
func (p *recovery) hide(from, to int) (any bool) {
	for i := from; i < to; i++ {
		l := p.lines[i]
		if strings.TrimSpace(string(l)) == "" {
			continue
		}
		any = true
		p.names(string(l))
		p.lines[i] = nil
		if bytes.HasSuffix(l, []byte("\n")) {
			p.lines[i] = []byte("\n")
		}
	}
	return any
}

// names records every name in a line that is left out, so that what it binds is
// not reported as undefined elsewhere.
func (p *recovery) names(line string) {
	for _, word := range strings.FieldsFunc(line, func(c rune) bool { return !isWord(c) }) {
		p.hidden[word] = true
	}
}

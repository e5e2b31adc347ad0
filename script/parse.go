package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// dialect is the interpreter's, as near to Python as it goes. Loops that do not
// end are caught by the step limit; recursion is off, since each level of it
// takes memory of the interpreter's own.
var dialect = syntax.FileOptions{Set: true, While: true}

const fileName = "model.py"

// maxSyntaxProblems ends the search for more syntax errors: what follows many
// is mostly their echo.
const maxSyntaxProblems = 10

// parse parses text and reports every syntax error that it can find: after
// each, the top-level statement that holds it is left out and the rest parsed
// again. Problems quote the original. It returns the names that the left-out statements would have bound;
// the file is nil where nothing could be parsed.
func parse(text []byte, original string, found *problems) (file *syntax.File, hidden map[string]bool) {
	hidden = make(map[string]bool)
	asWritten := strings.Split(original, "\n")
	for range maxSyntaxProblems {
		f, err := dialect.Parse(fileName, text, 0)
		if err == nil {
			return f, hidden
		}
		at, message := syntaxError(err)
		lines := bytes.SplitAfter(text, []byte("\n"))
		at.line = min(max(at.line, 1), len(lines))
		line := string(lines[at.line-1])
		at.column = min(max(at.column, 1), utf8.RuneCountInString(line)+1)
		from, to := block(lines, at.line-1)
		message = explain(message, line, at.column)
		if strings.Contains(message, "end of file") {
			at = place{from + 1, 1}
			message = "what begins here has no end: " + message
		}
		p := found.add(RuleSyntax, at, "%s", message)
		p.Text = strings.TrimSpace(asWritten[at.line-1])
		names, blanked := hide(lines[from:to])
		if !blanked {
			return nil, hidden
		}
		for _, n := range names {
			hidden[n] = true
		}
		text = bytes.Join(lines, nil)
	}
	return nil, hidden
}

func syntaxError(err error) (place, string) {
	var e syntax.Error
	if errors.As(err, &e) {
		return placeOf(e.Pos), e.Msg
	}
	return place{1, 1}, err.Error()
}

// block returns the lines [from, to) of the top-level statement around line i.
func block(lines [][]byte, i int) (from, to int) {
	top := func(k int) bool {
		l := lines[k]
		return len(l) > 0 && !bytes.ContainsRune([]byte(" \t\r\n#)]}"), rune(l[0]))
	}
	for from = i; from > 0 && !top(from); from-- {
	}
	for to = i + 1; to < len(lines) && !top(to); to++ {
	}
	return from, to
}

// hide blanks lines out and returns the names that they bind at top level, and
// whether there was anything to blank.
func hide(lines [][]byte) (names []string, any bool) {
	for i, l := range lines {
		text := strings.TrimSpace(string(l))
		if text == "" {
			continue
		}
		any = true
		word := strings.TrimPrefix(strings.TrimPrefix(text, "def "), "class ")
		if end := strings.IndexFunc(word, func(c rune) bool { return c >= utf8.RuneSelf || !isLetter(byte(c)) && (c < '0' || c > '9') }); end > 0 {
			names = append(names, word[:end])
		}
		lines[i] = nil
		if bytes.HasSuffix(l, []byte("\n")) {
			lines[i] = []byte("\n")
		}
	}
	return names, any
}

// explain puts the parser's message into words that say what to write instead.
func explain(message, line string, column int) string {
	rest := string([]rune(line)[column-1:])
	word := rest
	if end := strings.IndexFunc(rest, func(c rune) bool { return c >= utf8.RuneSelf || !isLetter(byte(c)) }); end >= 0 {
		word = rest[:end]
	}
	if word == "" {
		word = gotWord(message)
	}
	if instead, ok := foreignWords[word]; ok {
		return fmt.Sprintf("%q is not part of the dialect: %s", word, instead)
	}
	switch {
	case strings.HasPrefix(rest, "**"), strings.HasPrefix(message, "got '**'"):
		return "** is not part of the dialect: write pow(x, y)"
	case strings.Contains(message, "does not associate") || strings.Contains(message, "do not associate"):
		return "comparisons cannot be chained: write a < b and b < c"
	case strings.Contains(message, "got ':', want ')'"), strings.Contains(message, "got ':', want ','"):
		return message + " (type annotations are not part of the dialect)"
	case strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "@"):
		return "annotations, decorators and := are not part of the dialect"
	case strings.Contains(message, "string literal, want"):
		return "two strings beside each other: write + between them"
	}
	return message
}

// gotWord returns the word that a message says was in the way.
func gotWord(message string) string {
	_, after, _ := strings.Cut(message, "got ")
	word, _, _ := strings.Cut(after, ",")
	return strings.Trim(word, "'")
}

var foreignWords = map[string]string{
	"class": "write functions and dictionaries", "try": "test beforehand instead of catching", "except": "test beforehand instead of catching",
	"finally": "test beforehand instead of catching", "raise": "return None for no trade", "assert": "return None for no trade",
	"with": "there is nothing to open", "yield": "build a list", "async": "there is nothing to wait for", "await": "there is nothing to wait for",
	"global": "module-level names are constants; pass values as arguments", "nonlocal": "pass values as arguments",
	"del": "use d.pop(key)", "is": "compare with ==", "import": "put imports at the top of the script, on lines of their own",
	"from": "put imports at the top of the script, on lines of their own",
}

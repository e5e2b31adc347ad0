package dialect

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// slip turns an error of the parser into a message that says what to write
// instead, at the place of the mistake.
type slip struct {
	message    string
	suggestion string
	lines      [][]byte
	at         Place
	open       bool // a bracket is not closed

	line         string // the line with the error
	before, rest string // the line up to the offending token, and from it
	got, want    string // of "got TOKEN, want TOKEN"
}

// explain rewords the message to say what to write instead.
func (s *slip) explain() {
	for _, explain := range []func() bool{s.numbers, s.characters, s.firstWord, s.foreign, s.brackets, s.operators, s.blocks, s.texts} {
		if explain() {
			return
		}
	}
}

var gotWant = regexp.MustCompile(`^got (.+?), want (.+)$`)

// unassociated matches the parser's message for chained operators that need
// parentheses.
var unassociated = regexp.MustCompile(`does not associate with (.+) \(use parens\)$`)

func (s *slip) gotAndWant() {
	if m := gotWant.FindStringSubmatch(s.message); m != nil {
		s.got, s.want = strings.Trim(m[1], "'"), strings.Trim(m[2], "'")
	}
}

// place moves the error to the start of the offending token. The parser gives
// the place after it, except for tokens that cannot begin an expression.
func (s *slip) place() {
	s.setLine(s.at.Line)
	s.at.Column = min(max(s.at.Column, 1), utf8.RuneCountInString(s.line)+1)
	after := s.got != "" && s.want != "primary expression"
	if m := unassociated.FindStringSubmatch(s.message); m != nil {
		s.at.Column -= utf8.RuneCountInString(m[1])
	}
	switch {
	case s.got == "newline":
		s.endOfCode()
	case s.got == "indent", s.got == "outdent" && s.line != "":
		s.at.Column = 1 + utf8.RuneCountInString(s.line) - utf8.RuneCountInString(strings.TrimLeft(s.line, " \t"))
	case after:
		s.at.Column = 1 + utf8.RuneCountInString(tokenStart(string([]rune(s.line)[:s.at.Column-1]), s.got))
	}
	r := []rune(s.line)
	s.before, s.rest = string(r[:s.at.Column-1]), string(r[s.at.Column-1:])
}

func (s *slip) setLine(n int) {
	s.at.Line = n
	s.line = strings.TrimRight(string(s.lines[n-1]), "\r\n")
}

// endOfCode moves to the end of the last line that has code.
func (s *slip) endOfCode() {
	for n := s.at.Line; n > 0; n-- {
		if n == s.at.Line && s.at.Column == 1 {
			continue // the newline token ends the line before
		}
		s.setLine(n)
		if code := strings.TrimRight(withoutComment(s.line), " \t"); code != "" {
			s.at.Column = utf8.RuneCountInString(code) + 1
			return
		}
	}
}

// tokenStart returns text without the token that it ends with.
func tokenStart(text, token string) string {
	if cut, ok := strings.CutSuffix(text, token); ok {
		return cut
	}
	switch token {
	case "string literal", "bytes literal":
		text = strings.TrimRight(text, " \t")
		if text == "" {
			return text
		}
		return strings.TrimRight(text[:max(strings.LastIndexByte(text[:len(text)-1], text[len(text)-1]), 0)], "rRbB")
	case "int literal", "float literal":
		return strings.TrimRightFunc(text, func(c rune) bool { return isWord(c) || c == '.' && token == "float literal" })
	case "identifier":
		before := strings.TrimRightFunc(text, isWord)
		word := text[len(before):]
		return text[:len(text)-len(strings.TrimLeft(word, "0123456789"))] // a name that directly follows a number
	}
	return text
}

// isEcho reports whether the error is a consequence of leaving out line last,
// such as a block that has lost its head.
func (s *slip) isEcho(last int) bool {
	return s.at.Line-1 <= last || strings.HasSuffix(s.got, "dent") || s.want == "indent" || strings.HasPrefix(s.message, "unindent") ||
		s.at.Line-2 == last && closes(s.got)
}

// closes reports whether a token starts with a closing bracket.
func closes(token string) bool { return strings.IndexAny(token, ")]}") == 0 }

// isRemnant reports whether the line continues a statement whose beginning was
// left out.
func (s *slip) isRemnant() bool {
	switch firstWord(s.line) {
	case "except", "finally", "else", "elif", "case":
		return strings.HasSuffix(strings.TrimRight(withoutComment(s.line), " \t"), ":")
	}
	return false
}

func (s *slip) say(format string, args ...any) bool {
	s.message = fmt.Sprintf(format, args...)
	return true
}

// numbers explains number literals that Python has but the dialect does not.
func (s *slip) numbers() bool {
	switch {
	case s.message == "excessive nesting":
		return s.say("too many nested brackets or signs")
	case strings.HasPrefix(s.message, "obsolete form of octal"):
		s.at.Column = 1 + utf8.RuneCountInString(strings.TrimRight(s.before, "0123456789"))
		return s.say("a number cannot start with 0: write %s", strings.TrimLeft(lastNumber(s.before), "0"))
	case s.got != "identifier" || !endsInDigit(s.before):
		return false
	}
	number, word := lastNumber(s.before), firstWord(s.rest)
	s.at.Column -= utf8.RuneCountInString(number)
	if plain := strings.ReplaceAll(word, "_", ""); word[0] == '_' && strings.Trim(plain, "0123456789") == "" {
		s.suggestion = number + plain
		return s.say("the dialect does not allow _ in numbers: write %s", s.suggestion)
	}
	return s.say("%s is not a number in the dialect", number+word)
}

// characters explains characters that are not part of Python.
func (s *slip) characters() bool {
	if !strings.HasPrefix(s.message, "unexpected input character") && !strings.HasPrefix(s.message, "unexpected '") {
		return false
	}
	c, _ := utf8.DecodeRuneInString(s.rest)
	if plain, ok := plainCharacters[c]; ok {
		s.suggestion = plain
		return s.say("%s is not a character in Python: write %s", nameOf(c), plain)
	}
	switch {
	case c == '!':
		s.suggestion = "not"
		return s.say("! is not an operator: write not x")
	case c == '?':
		return s.say("? is not an operator: write a if condition else b")
	case c == '`':
		return s.say("` is not a character in Python: if ``` frames the script, leave those lines out")
	case c == '\f' || unicode.IsSpace(c):
		return s.say("%s: write a plain space, or nothing", nameOf(c))
	case c == '@':
		return s.say("decorators and @ are not part of the dialect")
	}
	return s.say("%s is not a character in Python", nameOf(c))
}

// nameOf shows a character in a form that is visible in a message.
func nameOf(c rune) string {
	switch {
	case unicode.IsSpace(c) || !unicode.IsPrint(c):
		return fmt.Sprintf("the character U+%04X", c)
	case c < utf8.RuneSelf:
		return string(c)
	}
	return fmt.Sprintf("%c (U+%04X)", c, c)
}

// plainCharacters maps typographic characters, as word processors insert them,
// to Python's.
var plainCharacters = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '‘': "'", '’': "'", '−': "-", '–': "-", '—': "-", '×': "*", '÷': "/",
	'≤': "<=", '≥': ">=", '≠': "!=", '＝': "=", '（': "(", '）': ")", '，': ",", '：': ":", '；': ";", '…': "...",
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

func firstWord(text string) string {
	text = strings.TrimLeft(text, " \t")
	if end := strings.IndexFunc(text, func(c rune) bool { return !isWord(c) }); end >= 0 {
		return text[:end]
	}
	return text
}

// firstWord explains statements that only Python or other languages have.
func (s *slip) firstWord() bool {
	word := firstWord(s.line)
	instead, known := foreignStatements[word]
	if !known || s.got == "" || strings.TrimSpace(s.before) != word {
		return false
	}
	s.at.Column = 1 + utf8.RuneCountInString(s.line) - utf8.RuneCountInString(strings.TrimLeft(s.line, " \t"))
	return s.say("%q is not part of the dialect: %s", word, instead)
}

var foreignStatements = map[string]string{
	"assert": "return None for no trade", "match": "write if and elif", "switch": "write if and elif", "case": "write if and elif",
	"print": "it is a function: write print(value)", "exec": "scripts cannot run code from strings",
	"let": "write x = 5", "const": "write x = 5", "var": "write x = 5", "function": "write def name(x):", "func": "write def name(x):",
}

// foreign explains Python keywords that the dialect does not have.
func (s *slip) foreign() bool {
	word := firstWord(s.rest)
	if word == "" || !strings.HasPrefix(s.rest, word) {
		word = s.got
	}
	instead, ok := foreignWords[word]
	return ok && s.say("%q is not part of the dialect: %s", word, instead)
}

var foreignWords = map[string]string{
	"class": "write functions and dictionaries", "try": "test first instead of catching an error", "except": "test first instead of catching an error",
	"finally": "test first instead of catching an error", "raise": "return None for no trade",
	"with": "a script cannot open anything", "yield": "build a list", "async": "a script has nothing to wait for", "await": "a script has nothing to wait for",
	"global": "module-level names are constants; pass values as arguments", "nonlocal": "pass values as arguments",
	"del": "use d.pop(key)", "import": "put imports at the top of the script, on separate lines",
	"from": "put imports at the top of the script, on separate lines",
}

package dialect

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// brackets explains unclosed brackets, and missing commas, colons and inner
// brackets.
func (s *slip) brackets() bool {
	inside := closes(s.want) || s.want == "," || s.want == ":"
	if !inside && (s.want != "primary expression" || !statementWords[s.got]) {
		return false
	}
	if s.got == "for" {
		switch s.want {
		case ",", ")":
			return s.say("generator expressions are not part of the dialect: put [ ] around it")
		case ":":
			return s.say("set comprehensions are not part of the dialect: write set([x for x in y])")
		}
	}
	bracket, at := s.innermost()
	if bracket == 0 {
		return false
	}
	ended := s.got == "end of file" || s.got == "outdent" || s.got == "newline" || s.got == ";" || statementWords[s.got]
	switch {
	case ended || at.Line != s.at.Line && s.got == "=":
		s.open, s.at = true, at
		return s.say("%c is never closed", bracket)
	case s.want == ":" && bracket == '{' && (s.got == "," || s.got == "}"):
		return s.say("a dictionary holds key: value; a set is written set([1, 2])")
	case s.want == ":" && bracket == '{':
		return s.say("%s, where a colon between key and value is expected", described(s.got))
	case strings.HasPrefix(s.want, "]"), strings.HasPrefix(s.want, "}"), s.want == ",", s.want == ")":
		switch s.got {
		case "else":
			return s.say("else must come before for: [a if condition else b for x in y]")
		case ")", "]", "}":
			return s.say("%s does not match %c on line %d", s.got, bracket, at.Line)
		case ":", "=", "**":
			return false
		case "string literal":
			return s.say("two adjacent strings: write + between them, or a comma")
		}
		return s.say("%s, where a comma or the end of %c is expected", described(s.got), bracket)
	}
	return false
}

var statementWords = map[string]bool{
	"def": true, "return": true, "if": true, "for": true, "while": true, "pass": true, "break": true, "continue": true, "elif": true,
}

func described(token string) string {
	switch token {
	case "identifier":
		return "a name"
	case "int literal", "float literal":
		return "a number"
	case "string literal":
		return "a string"
	case "newline":
		return "the end of the line"
	}
	return strconv.Quote(token)
}

// innermost finds the innermost bracket that is open at the error, or 0 if
// there is none.
func (s *slip) innermost() (bracket rune, at Place) {
	type opened struct {
		bracket rune
		at      Place
	}
	var stack []opened
	x := &scanner{Text: &Text{Code: bytes.Join(s.lines[:s.at.Line], nil)}, line: 1, column: 1}
	for !x.done() && (x.line < s.at.Line || x.column < s.at.Column) {
		switch c := x.Code[x.at]; c {
		case '#':
			x.comment()
			continue
		case '"', '\'':
			x.quoted()
			continue
		case '(', '[', '{':
			stack = append(stack, opened{rune(c), x.place()})
		case ')', ']', '}':
			stack = stack[:max(0, len(stack)-1)]
		}
		x.step()
	}
	if len(stack) == 0 {
		return 0, Place{}
	}
	top := stack[len(stack)-1]
	return top.bracket, top.at
}

// operators explains operators that only Python or other languages have.
func (s *slip) operators() bool {
	before := strings.TrimRight(s.before, " \t")
	word := firstWord(s.line)
	switch {
	case strings.HasPrefix(s.rest, ":="):
		return s.say(":= is not part of the dialect: assign on a separate line")
	case strings.HasPrefix(s.rest, "->"):
		return s.say("type annotations are not part of the dialect: leave -> and what follows it out")
	case s.got == ":":
		return s.say("a type annotation, which is not part of the dialect, or an extra colon: leave it out")
	case strings.HasPrefix(s.rest, "@"):
		return s.say("decorators and @ are not part of the dialect")
	case strings.HasPrefix(s.rest, "**") && strings.HasSuffix(before, "{"), strings.HasPrefix(s.rest, "**") && strings.HasSuffix(before, ","):
		return s.say("** in a dictionary is not part of the dialect: write a | b")
	case strings.HasPrefix(s.rest, "**"), s.got == "**":
		return s.say("** is not part of the dialect: write pow(x, y)")
	case strings.HasPrefix(s.rest, "*") && s.want == "primary expression":
		return s.say("* before a name is part of the dialect only in calls: write a + b, or an index")
	case strings.Contains(s.message, "does not associate"):
		return s.say("comparisons cannot be chained: write a < b and b < c")
	case s.got == "=" && (word == "if" || word == "elif" || word == "while" || word == "return"):
		s.suggestion = "=="
		return s.say("= assigns: compare with ==")
	case s.got == "=":
		return s.say("= is used twice in one statement: write each assignment on its own line")
	case s.got == "&" && strings.HasSuffix(before, "&"):
		return s.doubledOperator("&&", "and")
	case s.got == "|" && strings.HasSuffix(before, "|"):
		return s.doubledOperator("||", "or")
	case s.got == ">" && strings.HasSuffix(before, "<"):
		return s.doubledOperator("<>", "!=")
	case strings.HasSuffix(before, "++"), strings.HasSuffix(before, "--"):
		s.at.Column = utf8.RuneCountInString(before) - 1
		return s.say("%s is not an operator: write x %c= 1", before[len(before)-2:], before[len(before)-1])
	}
	return false
}

// doubledOperator explains an operator of two characters whose second half is the
// offending token.
func (s *slip) doubledOperator(operator, instead string) bool {
	s.at.Column--
	s.suggestion = instead
	return s.say("%s is not an operator: write %s", operator, instead)
}

func endsInDigit(text string) bool {
	return text != "" && text[len(text)-1] >= '0' && text[len(text)-1] <= '9'
}

func lastNumber(text string) string {
	return text[len(strings.TrimRight(text, "0123456789.")):]
}

// blocks explains statements without a colon or a body, and words without the
// statement that they belong to.
func (s *slip) blocks() bool {
	if s.want == "indent" || strings.HasSuffix(s.got, "dent") || strings.HasPrefix(s.message, "unindent") {
		if first, second := s.mixed(); first != "" {
			return s.say("%s and %s: indent with spaces only", first, second)
		}
	}
	switch {
	case s.got == "if" && strings.HasSuffix(strings.TrimRight(s.before, " \t"), "else"):
		s.at.Column = utf8.RuneCountInString(strings.TrimRight(s.before, " \t")) - len("else") + 1
		s.suggestion = "elif"
		return s.say("write elif instead of else if")
	case s.want == ":" && statementWords[firstWord(s.line)]:
		return s.say("a colon is missing: %s … ends with :", firstWord(s.line))
	case s.want == "indent":
		return s.say("nothing is indented under the line that ends with a colon: write its block, or pass")
	case s.got == "indent":
		return s.say("more indentation than the line above, which does not start a block")
	case s.got == "outdent" || s.got == "end of file":
		return s.say("the statement has no end")
	case s.got == "else" || s.got == "elif":
		return s.say("%s without an if before it; for and while have no else here", s.got)
	case strings.HasPrefix(s.message, "unindent does not match"):
		return s.say("this indentation does not match that of any block above")
	}
	return false
}

// mixed names the line of the error and the nearest line above with different
// indentation, if one uses tabs and the other spaces.
func (s *slip) mixed() (first, second string) {
	here := indentOf(s.lines[s.at.Line-1])
	if here == "" {
		return "", ""
	}
	for n := s.at.Line - 1; n > 0; n-- {
		line := s.lines[n-1]
		above := indentOf(line)
		if len(bytes.TrimSpace(line)) == 0 || above == here {
			continue
		}
		if above == "" {
			break // another statement
		}
		return fmt.Sprintf("%s on line %d", above, n), fmt.Sprintf("%s on line %d", here, s.at.Line)
	}
	return "", ""
}

// indentOf returns what a line is indented with: tabs, spaces, tabs and spaces, or
// "".
func indentOf(line []byte) string {
	white := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	tabs, spaces := bytes.IndexByte(white, '\t') >= 0, bytes.IndexByte(white, ' ') >= 0
	switch {
	case tabs && spaces:
		return "tabs and spaces"
	case tabs:
		return "tabs"
	case spaces:
		return "spaces"
	}
	return ""
}

// texts explains strings, and everything that the others do not.
func (s *slip) texts() bool {
	switch {
	case strings.HasPrefix(s.message, "unexpected newline in string"):
		return s.say("the string does not end on its line")
	case strings.HasPrefix(s.message, "unexpected EOF in string"):
		return s.say("the string that starts here does not end")
	case strings.HasPrefix(s.message, "conditional expression without else"):
		return s.say("a if condition needs else b: add it, or write an if statement")
	case s.got == "string literal":
		return s.say("two adjacent strings: write + between them")
	case s.message == "not an identifier":
		return s.say("the name of a parameter is expected; / is not part of the dialect")
	case s.want == "primary expression":
		return s.say("%s, where a value is expected", described(s.got))
	case s.got != "" && s.want == "newline":
		return s.say("%s, where the statement should end", described(s.got))
	}
	return false
}

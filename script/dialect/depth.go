package dialect

import (
	"bytes"
	"fmt"

	"go.starlark.net/syntax"
)

// The limits of a script besides its length (MaxSource). Everything after the
// parser walks the tree recursively, and a chain of operators, calls or elifs
// makes a tree as deep as the chain is long, which the parser does not limit.
// Without these limits a short script can use hundreds of megabytes of stack.
const (
	maxTokens = 100_000 // names, literals, operators and brackets; a dense script takes 400 bytes of memory per character
	MaxDepth  = 1000    // depth of the tree of one statement
	maxDigits = 1000    // digits of one number; parsing takes time quadratic in them
	MaxScopes = 16      // nested functions and comprehensions; looking up a name visits each
)

// WithinLimits reports the first place where a script exceeds maxTokens, MaxDepth
// or maxDigits. It scans the tokens once and never builds a tree, so it is safe
// on any text. Its depth is never less than the tree's.
func WithinLimits(text []byte, found *Problems) bool {
	m := measurer{scanner: scanner{Text: &Text{Code: text}, line: 1, column: 1}, levels: make([]level, 1)}
	return m.run(found)
}

// level is the text inside one pair of brackets, or outside all of them.
// Elements separated by commas are siblings in the tree; the operators of an
// element are above all of its operands.
type level struct {
	at        Place
	operators int // of this element
	operand   int // depth of the current operand
	deepest   int // depth of the deepest earlier operand in this element
	elements  int // depth of the deepest element so far
}

func (l *level) depth() int { return max(l.elements, l.operators+max(l.deepest, l.operand)) }

// operator starts another operand.
func (l *level) operator() {
	l.operators++
	l.deepest, l.operand = max(l.deepest, l.operand), 0
}

// separator starts another element.
func (l *level) separator() {
	l.elements = l.depth()
	l.operators, l.deepest, l.operand = 0, 0, 0
}

type measurer struct {
	scanner
	levels []level // of open brackets, outermost first
	branch int     // elifs in this top-level statement so far
	tokens int     // so far; a comment or a line ending counts as one, spaces do not count
}

func (m *measurer) inner() *level { return &m.levels[len(m.levels)-1] }

func (m *measurer) run(found *Problems) bool {
	for !m.done() {
		at := m.place()
		m.tokens++
		switch tooLong := m.token(); {
		case m.tokens > maxTokens:
			found.Add(RuleTooLarge, at, "the script has more than %d names, literals, operators and brackets; make it shorter", maxTokens)
			return false
		case tooLong:
			found.Add(RuleSyntax, at, "a number of more than %d digits: write it shorter, for example as 1e6", maxDigits)
			return false
		case m.branch > MaxDepth:
			found.Add(RuleSyntax, at, "more than %d elif in one statement: look the value up in a dictionary", MaxDepth)
			return false
		case len(m.levels) > MaxDepth || m.inner().depth() > MaxDepth:
			m.tooDeep(at, found)
			return false
		}
	}
	for len(m.levels) > 1 { // unclosed brackets, which the parser reports
		m.close()
	}
	if m.inner().depth() > MaxDepth {
		m.tooDeep(m.levels[0].at, found)
		return false
	}
	return true
}

// tooDeep also names the enclosing bracket: often its end is missing, so that
// the statements after it count as one expression.
func (m *measurer) tooDeep(at Place, found *Problems) {
	around := ""
	if l := m.inner(); len(m.levels) > 1 {
		around = fmt.Sprintf(" (the bracket around it opens on line %d)", l.at.Line)
	}
	found.Add(RuleSyntax, at, "more than %d operators, calls or brackets in one expression%s: use a list and a loop, or several statements", MaxDepth, around)
}

// token reads one token and reports whether it is a number with too many
// digits.
func (m *measurer) token() (tooLong bool) {
	switch c := m.Code[m.at]; {
	case c == '\n':
		m.step()
		if len(m.levels) == 1 {
			m.levels[0] = level{}
		}
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		m.step()
		m.tokens--
	case c == '#':
		m.comment()
	case c == '\\':
		m.steps(2)
	case c == '"' || c == '\'':
		m.quoted()
	case IsLetter(c):
		m.keyword()
	case c >= '0' && c <= '9':
		return len(m.name()) > maxDigits
	case c == ',' || c == ';':
		m.inner().separator()
		m.step()
	case c == '(' || c == '[' || c == '{':
		m.levels = append(m.levels, level{at: m.place()})
		m.step()
	case c == ')' || c == ']' || c == '}':
		m.close()
		m.step()
	case c == '.':
		m.inner().operand++
		m.step()
	default:
		m.inner().operator()
		m.steps(operatorWidth(m.Code[m.at:]))
	}
	return false
}

// close ends the innermost brackets. They become an operand, or the call or
// index of one.
func (m *measurer) close() {
	if len(m.levels) == 1 {
		return
	}
	depth := m.inner().depth()
	m.levels = m.levels[:len(m.levels)-1]
	l := m.inner()
	l.operand = max(l.operand, depth) + 1
}

// keyword reads a name. Words that are operators, or that nest what follows,
// count as operators.
func (m *measurer) keyword() {
	first := m.column == 1 && len(m.levels) == 1
	switch word := m.name(); word {
	case "elif":
		m.branch++
		return
	case "else":
		m.inner().operator()
		return
	case "and", "or", "not", "in", "is", "if", "for", "lambda":
		m.inner().operator()
	}
	if first {
		m.branch = 0
	}
}

// operatorWidth returns the length of the operator at the start of text.
func operatorWidth(text []byte) int {
	for _, o := range []string{"//", "**", "<<", ">>", "<=", ">=", "==", "!="} {
		if bytes.HasPrefix(text, []byte(o)) {
			return len(o)
		}
	}
	return 1
}

// Shallow reports functions and comprehensions that are nested deeper than
// MaxScopes.
func Shallow(file *syntax.File, found *Problems) (ok bool) {
	ok = true
	var open []bool // whether each enclosing node is a scope
	depth := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return true
		}
		scope := false
		switch n.(type) {
		case *syntax.DefStmt, *syntax.LambdaExpr, *syntax.Comprehension:
			scope = true
			depth++
		}
		if depth > MaxScopes && ok {
			found.Add(RuleSyntax, PlaceOfNode(n), "more than %d nested functions or comprehensions: write functions beside each other", MaxScopes)
			ok = false
		}
		open = append(open, scope)
		return true
	})
	return ok
}

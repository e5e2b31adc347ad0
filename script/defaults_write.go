package script

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"go.starlark.net/syntax"
)

// rewritten formats another value in the style of d: with the same quotes, with
// whole numbers without a fraction if d has none, and with a list laid out as
// in d.
func (d *defaultLiteral) rewritten(source string, value any) string {
	s := styleOf(d.expr)
	values, ok := value.([]any)
	if !ok {
		return s.literal(value)
	}
	if list, ok := d.expr.(*syntax.ListExpr); ok {
		return newListText(source, d, list).with(values, s)
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = s.literal(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// style is how a script writes its literals.
type style struct {
	quote byte
	whole bool // numbers without a fraction
}

// styleOf derives the style from the literals in an expression.
func styleOf(e syntax.Expr) style {
	s := style{quote: '"', whole: true}
	quoted := false
	syntax.Walk(e, func(n syntax.Node) bool {
		l, ok := n.(*syntax.Literal)
		if !ok {
			return true
		}
		switch l.Value.(type) {
		case string:
			if i := strings.IndexAny(l.Raw, `"'`); i >= 0 && !quoted {
				s.quote, quoted = l.Raw[i], true
			}
		case float64:
			s.whole = false
		}
		return true
	})
	return s
}

// literal formats a bound value so that Python and the dialect read it the same
// way.
func (s style) literal(value any) string {
	switch v := value.(type) {
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return s.number(v)
	case string:
		return s.text(v)
	}
	return "None"
}

// number returns the shortest text that reads as v, in Python's own form.
func (s style) number(v float64) string {
	size := math.Abs(v)
	if v != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if strings.Contains(text, ".") || s.whole && (v != 0 || !math.Signbit(v)) {
		return text
	}
	return text + ".0"
}

// text quotes a string. Printable characters are written as they are.
func (s style) text(v string) string {
	var b strings.Builder
	b.WriteByte(s.quote)
	for _, r := range v {
		switch {
		case r == '\\' || r == rune(s.quote):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte(s.quote)
	return b.String()
}

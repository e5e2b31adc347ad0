package text

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Percent is Python's format % x for strings.
func Percent(format string, x starlark.Value) (string, error) {
	p := &percent{x: x, arguments: starlark.Tuple{x}}
	if tuple, ok := x.(starlark.Tuple); ok {
		p.arguments = tuple
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(format, "%")
		b.WriteString(before)
		if !found {
			break
		}
		text, rest, err := p.conversion(after)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		format = rest
	}
	return b.String(), p.done()
}

// percent hands out the arguments of a format.
type percent struct {
	x         starlark.Value
	arguments starlark.Tuple
	taken     int
	named     bool
}

// done returns an error if arguments are left over.
func (p *percent) done() error {
	_, indexed := p.x.(starlark.Indexable)
	_, mapped := p.x.(starlark.Mapping)
	if _, tuple := p.x.(starlark.Tuple); p.taken == len(p.arguments) || p.named || !tuple && (mapped || indexed && p.x.Type() != "string") {
		return nil
	}
	return fmt.Errorf("the format uses only %d of %d values", p.taken, len(p.arguments))
}

func (p *percent) next() (starlark.Value, error) {
	if p.taken == len(p.arguments) {
		return nil, fmt.Errorf("the format needs more values than the %d given", len(p.arguments))
	}
	p.taken++
	return p.arguments[p.taken-1], nil
}

// length reads a width or precision; * takes it from the arguments.
func (p *percent) length(format string) (n int, rest string, err error) {
	if !strings.HasPrefix(format, "*") {
		return number(format)
	}
	v, err := p.next()
	if err != nil {
		return 0, "", err
	}
	if n, err = starlark.AsInt32(v); err != nil || n < -MostWidth || n > MostWidth {
		return 0, "", fmt.Errorf("the width or precision is %s; it must be an integer of at most %d", Repr(v), MostWidth)
	}
	return n, format[1:], nil
}

// conversion formats what follows a %, and returns the rest of the format.
func (p *percent) conversion(format string) (text, rest string, err error) {
	var v starlark.Value
	if strings.HasPrefix(format, "(") {
		if v, format, err = p.key(format[1:]); err != nil {
			return "", "", err
		}
	}
	s := &spec{fill: ' ', precision: -1}
	format = s.flags(format)
	if s.width, format, err = p.length(format); err != nil {
		return "", "", err
	}
	if s.width < -1 {
		s.left()
		s.width = -s.width
	}
	if strings.HasPrefix(format, ".") {
		if s.precision, format, err = p.length(format[1:]); err != nil {
			return "", "", err
		}
		s.precision = max(s.precision, 0)
	}
	format = strings.TrimLeft(format, "hlL")
	if format == "" {
		return "", "", errors.New("the format ends within a conversion")
	}
	s.kind, rest = format[0], format[1:]
	if s.kind == '%' {
		return "%", rest, nil
	}
	if v == nil {
		if v, err = p.next(); err != nil {
			return "", "", err
		}
	}
	text, err = s.percent(v, format)
	return text, rest, err
}

// key reads the (name) of a conversion and returns the value with this name.
func (p *percent) key(format string) (v starlark.Value, rest string, err error) {
	name, rest, found := strings.Cut(format, ")")
	m, ok := p.x.(starlark.Mapping)
	if !found || !ok {
		return nil, "", errors.New("%(name)s needs a dictionary of values")
	}
	p.named = true
	v, found, err = m.Get(starlark.String(name))
	if err == nil && !found {
		err = fmt.Errorf("the dictionary of the format has no %q", name)
	}
	return v, rest, err
}

func (s *spec) flags(format string) string {
	for format != "" && strings.IndexByte("-+ #0", format[0]) >= 0 {
		switch format[0] {
		case '-':
			s.left()
		case '0':
			if s.align != '<' {
				s.fill, s.zeros = '0', true
			}
		case '#':
			s.alternate = true
		case '+':
			s.sign = '+'
		case ' ':
			if s.sign == 0 {
				s.sign = ' '
			}
		}
		format = format[1:]
	}
	return format
}

// percent formats a value by the conversion that starts the format.
func (s *spec) percent(v starlark.Value, format string) (string, error) {
	switch s.kind {
	case 's':
		return s.words(Str(v)), nil
	case 'r':
		return s.words(Repr(v)), nil
	case 'c':
		text, err := character(v)
		s.precision = -1
		return s.words(text), err
	case 'd', 'i', 'u':
		i, ok := asInteger(v)
		if f, float := v.(starlark.Float); float {
			if _, odd := notFinite(float64(f)); !odd {
				i, _ = new(big.Float).SetFloat64(float64(f)).Int(nil)
				ok = true
			}
		}
		if !ok {
			return "", fmt.Errorf("%%%c writes a number, not %s", s.kind, v.Type())
		}
		return s.percentInteger(i), nil
	case 'o', 'x', 'X':
		i, ok := asInteger(v)
		if !ok {
			return "", fmt.Errorf("%%%c writes an integer, not %s", s.kind, v.Type())
		}
		return s.percentInteger(i), nil
	case 'e', 'E', 'f', 'F', 'g', 'G':
		f, ok := asFloat(v)
		if !ok {
			return "", fmt.Errorf("%%%c writes a number, not %s", s.kind, v.Type())
		}
		return s.float(f), nil
	}
	r, _ := utf8.DecodeRuneInString(format)
	return "", fmt.Errorf("%%%c is not a conversion; write s, r, d, f, e, g, x, o or c, or %%%% for a literal %%", r)
}

// percentInteger formats an integer with at least as many digits as the
// precision.
func (s *spec) percentInteger(i *big.Int) string {
	if s.precision < 0 {
		return s.integer(i)
	}
	bare := spec{kind: s.kind, precision: -1}
	digits := bare.integer(new(big.Int).Abs(i))
	digits = strings.Repeat("0", max(0, s.precision-len(digits))) + digits
	prefix := ""
	if b, ok := bases[s.kind]; ok && s.alternate {
		prefix = b.prefix
	}
	return s.number(i.Sign() < 0, prefix, digits)
}

// left aligns the text to the left.
func (s *spec) left() { s.align, s.fill, s.zeros = '<', ' ', false }

// words pads a text to the width, with spaces even if the format asks for zeros.
func (s *spec) words(text string) string {
	s.fill = ' '
	return s.pad("", s.cut(text), '>')
}

func character(v starlark.Value) (string, error) {
	if s, ok := starlark.AsString(v); ok && utf8.RuneCountInString(s) == 1 {
		return s, nil
	}
	if i, ok := asInteger(v); ok && i.IsInt64() && i.Int64() <= unicode.MaxRune && utf8.ValidRune(rune(i.Int64())) {
		return string(rune(i.Int64())), nil
	}
	return "", fmt.Errorf("%%c writes one character, not %.60s", Repr(v))
}

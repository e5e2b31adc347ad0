package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Format is Python's format.format(…), without nested fields, such as
// {:{width}}, and without access to parts of a value, such as {0.x} and {0[x]}.
func Format(format string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	fields := &fields{args: args, kwargs: kwargs}
	var b strings.Builder
	for format != "" {
		at := strings.IndexAny(format, "{}")
		if at < 0 {
			b.WriteString(format)
			break
		}
		b.WriteString(format[:at])
		mark := format[at]
		if strings.HasPrefix(format[at+1:], string(mark)) {
			b.WriteByte(mark)
			format = format[at+2:]
			continue
		}
		if mark == '}' {
			return "", errors.New("format: a single }; write }} for a literal }")
		}
		field, rest, found := strings.Cut(format[at+1:], "}")
		if !found {
			return "", errors.New("format: a single {; write {{ for a literal {")
		}
		text, err := fields.write(field)
		if err != nil {
			return "", fmt.Errorf("format: %w", err)
		}
		b.WriteString(text)
		format = rest
	}
	return b.String(), nil
}

// fields are the values that a format can refer to.
type fields struct {
	args             starlark.Tuple
	kwargs           []starlark.Tuple
	next             int
	counted, numbers bool // whether there were fields without and with a number
}

// write formats one field, name!conversion:spec.
func (f *fields) write(field string) (string, error) {
	name, terms, _ := strings.Cut(field, ":")
	if strings.ContainsAny(field, "{") {
		return "", fmt.Errorf("{%s} has a nested field; write the number itself", field)
	}
	name, conversion, converted := strings.Cut(name, "!")
	v, err := f.value(name)
	if err != nil {
		return "", err
	}
	if converted {
		switch conversion {
		case "s":
			v = starlark.String(Str(v))
		case "r":
			v = starlark.String(Repr(v))
		default:
			return "", fmt.Errorf("{%s} has the conversion %q; s and r are accepted", field, conversion)
		}
	}
	if terms == "" {
		return Str(v), nil
	}
	s, err := readSpec(terms)
	if err != nil {
		return "", err
	}
	return s.braces(v, terms)
}

// value returns the value with a name or a number, or the next positional value
// if name is empty.
func (f *fields) value(name string) (starlark.Value, error) {
	n, err := strconv.Atoi(name)
	switch {
	case name == "":
		n, f.counted = f.next, true
		f.next++
	case err == nil && n >= 0 && name[0] != '+':
		f.numbers = true
	default:
		for _, pair := range f.kwargs {
			if pair[0] == starlark.String(name) {
				return pair[1], nil
			}
		}
		return nil, fmt.Errorf("no value is named %q", name)
	}
	if f.counted && f.numbers {
		return nil, errors.New("either all fields have numbers or none")
	}
	if n >= len(f.args) {
		return nil, fmt.Errorf("there is no value for field %d; the format has %d values", n, len(f.args))
	}
	return f.args[n], nil
}

const aligns = "<>^="

// readSpec parses [[fill]align][sign][#][0][width][grouping][.precision][type].
func readSpec(terms string) (s *spec, err error) {
	s = &spec{fill: ' ', precision: -1}
	rest := terms
	first, size := utf8.DecodeRuneInString(rest)
	filled := len(rest) > size && strings.IndexByte(aligns, rest[size]) >= 0
	switch {
	case filled:
		s.fill, s.align, rest = first, rest[size], rest[size+1:]
	case strings.IndexByte(aligns, rest[0]) >= 0:
		s.align, rest = rest[0], rest[1:]
	}
	if rest != "" && strings.IndexByte("+- ", rest[0]) >= 0 {
		s.sign, rest = rest[0], rest[1:]
	}
	if s.alternate = strings.HasPrefix(rest, "#"); s.alternate {
		rest = rest[1:]
	}
	if strings.HasPrefix(rest, "0") && !filled {
		s.fill, s.zeros = '0', true
	}
	if s.width, rest, err = number(rest); err != nil {
		return nil, err
	}
	if rest != "" && strings.IndexByte(",_", rest[0]) >= 0 {
		s.group, rest = rest[:1], rest[1:]
	}
	if strings.HasPrefix(rest, ".") {
		if s.precision, rest, err = number(rest[1:]); err != nil {
			return nil, err
		}
		if s.precision < 0 {
			return nil, fmt.Errorf("the format specification %q has a point without a precision", terms)
		}
	}
	if len(rest) > 1 {
		return nil, fmt.Errorf("the format specification %q cannot be read; write [[fill]align][sign][0][width][,][.precision][type]", terms)
	}
	if rest != "" {
		s.kind = rest[0]
	}
	return s, nil
}

func (s *spec) among(kinds string) bool { return s.kind != 0 && strings.IndexByte(kinds, s.kind) >= 0 }

// braces formats a value according to the specification, whose text is for
// messages.
func (s *spec) braces(v starlark.Value, terms string) (string, error) {
	i, whole := asInteger(v)
	_, float := v.(starlark.Float)
	switch _, text := v.(starlark.String); {
	case text:
		if s.kind != 0 && s.kind != 's' || s.sign != 0 || s.alternate || s.group != "" || s.align == '=' {
			return "", fmt.Errorf("the format specification %q does not apply to a string", terms)
		}
		return s.pad("", s.cut(Str(v)), '<'), nil
	case whole && (s.kind == 0 || s.among("bdoxX")) && s.precision < 0:
		if s.group == "," && s.among("boxX") {
			return "", fmt.Errorf("the format specification %q has a comma, which applies only to decimal numbers", terms)
		}
		return s.integer(i), nil
	case (whole || float) && s.among("eEfFgG%"), float && s.kind == 0:
		f, ok := asFloat(v)
		if !ok {
			return "", fmt.Errorf("%s is too large for the format specification %q", v.Type(), terms)
		}
		return s.float(f), nil
	}
	return "", fmt.Errorf("the format specification %q does not apply to a value of type %s", terms, v.Type())
}

package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Format is format.format(…) as Python has it, but for fields within terms and
// parts of values, as {0.x} and {0[x]}.
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
			return "", errors.New("format: a single }; write }} for the sign itself")
		}
		field, rest, found := strings.Cut(format[at+1:], "}")
		if !found {
			return "", errors.New("format: a single {; write {{ for the sign itself")
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

// fields are the values of a format.
type fields struct {
	args             starlark.Tuple
	kwargs           []starlark.Tuple
	next             int
	counted, numbers bool // fields without and with a number
}

// write writes one field, name!conversion:terms.
func (f *fields) write(field string) (string, error) {
	name, terms, _ := strings.Cut(field, ":")
	if strings.ContainsAny(field, "{") {
		return "", fmt.Errorf("{%s} has a field within; write the number itself", field)
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

// value is the one of a name, of a number or of the next place.
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
		return nil, errors.New("fields have numbers or none, not both")
	}
	if n >= len(f.args) {
		return nil, fmt.Errorf("field %d of %d values", n, len(f.args))
	}
	return f.args[n], nil
}

const aligns = "<>^="

// readSpec reads [[fill]align][sign][#][0][width][grouping][.precision][type].
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
			return nil, fmt.Errorf("the terms %q have a point without a precision", terms)
		}
	}
	if len(rest) > 1 {
		return nil, fmt.Errorf("the terms %q are not read; they are [[fill]align][sign][0][width][,][.precision][type]", terms)
	}
	if rest != "" {
		s.kind = rest[0]
	}
	return s, nil
}

func (s *spec) among(kinds string) bool { return s.kind != 0 && strings.IndexByte(kinds, s.kind) >= 0 }

// braces writes a value by its terms.
func (s *spec) braces(v starlark.Value, terms string) (string, error) {
	i, whole := asInteger(v)
	_, float := v.(starlark.Float)
	switch _, text := v.(starlark.String); {
	case text:
		if s.kind != 0 && s.kind != 's' || s.sign != 0 || s.alternate || s.group != "" || s.align == '=' {
			return "", fmt.Errorf("the terms %q are not for a string", terms)
		}
		return s.pad("", s.cut(Str(v)), '<'), nil
	case whole && (s.kind == 0 || s.among("bdoxX")) && s.precision < 0:
		if s.group == "," && s.among("boxX") {
			return "", fmt.Errorf("the terms %q have a comma that is for decimal numbers", terms)
		}
		return s.integer(i), nil
	case (whole || float) && s.among("eEfFgG%"), float && s.kind == 0:
		f, ok := asFloat(v)
		if !ok {
			return "", fmt.Errorf("%s is too large for the terms %q", v.Type(), terms)
		}
		return s.float(f), nil
	}
	return "", fmt.Errorf("the terms %q are not for a value of type %s", terms, v.Type())
}

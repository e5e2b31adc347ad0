package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Str is Python's str(v): a string unchanged, anything else as by Repr.
func Str(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return Repr(v)
}

// Repr is Python's repr(v). A list or dictionary that contains itself is shown
// as [...] or {...}.
func Repr(v starlark.Value) string {
	var b strings.Builder
	write(&b, v, nil)
	return b.String()
}

// write formats v; path holds the containers around it.
func write(b *strings.Builder, v starlark.Value, path []starlark.Value) {
	switch v := v.(type) {
	case starlark.String:
		quote(b, string(v))
	case starlark.Float:
		b.WriteString(shortest(float64(v)))
	case *starlark.List:
		between(b, "[", "]", v, path, func(path []starlark.Value) {
			for i := range v.Len() {
				comma(b, i)
				write(b, v.Index(i), path)
			}
		})
	case starlark.Tuple:
		b.WriteByte('(')
		for i, x := range v {
			comma(b, i)
			write(b, x, path)
		}
		if len(v) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *starlark.Dict:
		between(b, "{", "}", v, path, func(path []starlark.Value) {
			i := 0
			for key, value := range v.Entries() {
				comma(b, i)
				write(b, key, path)
				b.WriteString(": ")
				write(b, value, path)
				i++
			}
		})
	case *starlark.Set:
		b.WriteString("set([")
		i := 0
		for x := range v.Elements() {
			comma(b, i)
			write(b, x, path)
			i++
		}
		b.WriteString("])")
	default:
		b.WriteString(v.String())
	}
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

// between formats a container that may contain itself.
func between(b *strings.Builder, left, right string, v starlark.Value, path []starlark.Value, inside func([]starlark.Value)) {
	b.WriteString(left)
	defer b.WriteString(right)
	for _, outer := range path {
		if outer == v {
			b.WriteString("...")
			return
		}
	}
	inside(append(path, v))
}

// quote writes a string in single quotes, or in double quotes if it contains
// single quotes but no double ones. Bytes that are not valid UTF-8 are written
// as \x escapes.
func quote(b *strings.Builder, s string) {
	mark := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		mark = '"'
	}
	b.WriteRune(mark)
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(b, `\x%02x`, s[i])
		case r == mark || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
	}
	b.WriteRune(mark)
}

// shortest returns the shortest text that reads as f again, with a point or an
// exponent: exponents below -4 and of at least 16.
func shortest(f float64) string {
	if s, ok := notFinite(f); ok {
		return s
	}
	_, e, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if exponent, err := strconv.Atoi(e); err == nil && (exponent < -4 || exponent >= 16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return pointed(strconv.FormatFloat(f, 'f', -1, 64))
}

// pointed appends ".0" to a number without a point or an exponent.
func pointed(s string) string {
	if strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}

func notFinite(f float64) (string, bool) {
	switch {
	case math.IsNaN(f):
		return "nan", true
	case math.IsInf(f, 1):
		return "inf", true
	case math.IsInf(f, -1):
		return "-inf", true
	}
	return "", false
}

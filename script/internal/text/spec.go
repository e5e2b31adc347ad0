package text

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// spec specifies how a value is formatted: what follows a % or a colon.
type spec struct {
	fill      rune
	align     byte // < > ^ =, or 0 for the default
	zeros     bool // pad with zeros between sign and digits
	sign      byte // + or a space before nonnegative numbers; - or 0 for none
	alternate bool // #
	width     int
	group     string // between thousands
	precision int    // -1 for none
	kind      byte   // the conversion, 0 for none
}

// pad pads text to the width. prefix is the sign and base prefix of a number;
// usual is the default alignment.
func (s *spec) pad(prefix, text string, usual byte) string {
	missing := s.width - utf8.RuneCountInString(prefix) - utf8.RuneCountInString(text)
	if missing <= 0 {
		return prefix + text
	}
	align := s.align
	if align == 0 {
		align = usual
	}
	fill := func(n int) string { return strings.Repeat(string(s.fill), n) }
	switch align {
	case '<':
		return prefix + text + fill(missing)
	case '^':
		return fill(missing/2) + prefix + text + fill(missing-missing/2)
	case '=':
		return prefix + fill(missing) + text
	}
	return fill(missing) + prefix + text
}

// number writes the digits of a number with its sign.
func (s *spec) number(negative bool, prefix, digits string) string {
	switch {
	case negative:
		prefix = "-" + prefix
	case s.sign == '+' || s.sign == ' ':
		prefix = string(s.sign) + prefix
	}
	if s.group != "" {
		width := 0
		if s.fill == '0' && (s.align == '=' || s.align == 0 && s.zeros) { // the zeros are grouped too
			width = s.width - len(prefix)
		}
		each := 3
		if s.among("boxX") {
			each = 4
		}
		digits = grouped(digits, s.group, each, width)
	}
	if s.zeros {
		return s.pad(prefix, digits, '=')
	}
	return s.pad(prefix, digits, '>')
}

// grouped inserts mark between groups of each digits before the point, after
// adding zeros in front up to a width.
func grouped(digits, mark string, each, width int) string {
	end := len(digits)
	if at := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); at >= 0 && each == 3 {
		end = at
	}
	whole, rest := digits[:end], digits[end:]
	if whole == "" { // inf and nan
		return digits
	}
	for {
		marks := (len(whole) - 1) / each
		if len(whole)+marks+len(rest) >= width {
			break
		}
		whole = "0" + whole
	}
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%each == 0 {
			b.WriteString(mark)
		}
		b.WriteRune(r)
	}
	return b.String() + rest
}

var bases = map[byte]struct {
	base   int
	prefix string
}{'b': {2, "0b"}, 'o': {8, "0o"}, 'x': {16, "0x"}, 'X': {16, "0X"}}

// integer formats i in the base of the conversion.
func (s *spec) integer(i *big.Int) string {
	base, prefix := 10, ""
	if b, ok := bases[s.kind]; ok {
		base = b.base
		if s.alternate {
			prefix = b.prefix
		}
	}
	digits := new(big.Int).Abs(i).Text(base)
	if s.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	return s.number(i.Sign() < 0, prefix, digits)
}

// float formats f by the conversion e, f, g or %, or as repr does without one.
func (s *spec) float(f float64) string {
	digits, finite := notFinite(f)
	if finite = !finite; finite {
		digits = s.digits(f)
	}
	negative := strings.HasPrefix(digits, "-")
	digits = strings.TrimPrefix(digits, "-")
	if s.kind == 'E' || s.kind == 'F' || s.kind == 'G' {
		digits = strings.ToUpper(digits)
	}
	if s.kind == '%' {
		digits += "%"
	}
	return s.number(negative, "", digits)
}

func (s *spec) digits(f float64) string {
	precision := s.precision
	if precision < 0 && s.kind != 0 {
		precision = 6
	}
	switch s.kind {
	case 'e', 'E':
		return s.point(strconv.FormatFloat(f, 'e', precision, 64))
	case 'f', 'F':
		return s.point(strconv.FormatFloat(f, 'f', precision, 64))
	case '%':
		if s, ok := notFinite(100 * f); ok {
			return s
		}
		return s.point(strconv.FormatFloat(100*f, 'f', precision, 64))
	case 'g', 'G':
		return s.general(f, max(precision, 1), max(precision, 1))
	}
	if precision < 0 {
		return shortest(f)
	}
	precision = max(precision, 1)
	return pointed(s.general(f, precision, precision-1))
}

// point adds a point in the alternate form if the precision leaves none.
func (s *spec) point(digits string) string {
	if !s.alternate || strings.Contains(digits, ".") {
		return digits
	}
	if before, exponent, ok := strings.Cut(digits, "e"); ok {
		return before + ".e" + exponent
	}
	return digits + "."
}

// general formats f with a number of significant digits. It uses an exponent if
// that is below -4 or at least most. Trailing zeros are removed.
func (s *spec) general(f float64, digits, most int) string {
	text := strconv.FormatFloat(f, 'e', digits-1, 64)
	mantissa, e, _ := strings.Cut(text, "e")
	exponent, err := strconv.Atoi(e)
	if err != nil {
		return text // cannot happen: 'e' always writes an exponent
	}
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	if s.alternate {
		trim = s.point
	}
	if exponent < -4 || exponent >= most {
		return trim(mantissa) + "e" + e
	}
	return trim(strconv.FormatFloat(f, 'f', digits-1-exponent, 64))
}

// cut shortens text to the precision, in characters.
func (s *spec) cut(text string) string {
	if s.precision < 0 || utf8.RuneCountInString(text) <= s.precision {
		return text
	}
	return string([]rune(text)[:s.precision])
}

// number reads the digits at the start of a format, or returns -1 if there are none.
func number(format string) (n int, rest string, err error) {
	end := 0
	for end < len(format) && format[end] >= '0' && format[end] <= '9' {
		end++
	}
	if end == 0 {
		return -1, format, nil
	}
	n, err = strconv.Atoi(format[:end])
	if err != nil || n > MostWidth {
		return 0, "", fmt.Errorf("the width or precision is %.20s; it must be at most %d", format[:end], MostWidth)
	}
	return n, format[end:], nil
}

// asInteger returns the value of an integer or boolean.
func asInteger(v starlark.Value) (*big.Int, bool) {
	switch v := v.(type) {
	case starlark.Int:
		return v.BigInt(), true
	case starlark.Bool:
		if v {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	}
	return nil, false
}

// asFloat returns the value of a number or boolean.
func asFloat(v starlark.Value) (float64, bool) {
	if i, ok := asInteger(v); ok {
		v = starlark.MakeBigInt(i)
	}
	return starlark.AsFloat(v)
}

package files

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// missing are strings that mean an empty cell.
var missing = map[string]bool{
	"": true, "null": true, "nan": true, "na": true, "n/a": true, "none": true, "-": true, "--": true, "#n/a": true, "nat": true, "n.a.": true,
}

func isMissing(cell string) bool {
	return len(cell) <= 4 && missing[strings.ToLower(cell)]
}

var (
	errNumber    = errors.New("is not a finite number")
	errAmbiguous = errors.New("is ambiguous: its comma may be a decimal comma or a thousands separator")
)

// parseNumber parses a trimmed cell. decimal is '.' or ','; the other one may separate
// thousands, as may spaces and apostrophes. If decimal is 0, the file does not show which
// it is, and a comma is accepted only if the cell itself is unambiguous.
func parseNumber(cell string, decimal byte) (float64, error) {
	if plain(cell) && decimal != ',' {
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil || math.IsInf(x, 0) {
			return 0, errNumber
		}
		return x, nil
	}
	if decimal == 0 {
		decimal = '.'
		if numberEvidence(cell) == eitherComma {
			return 0, errAmbiguous
		}
	}
	text, ok := canonical(cell, decimal)
	if !ok {
		return 0, errNumber
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, errNumber
	}
	return x, nil
}

// plain reports whether a cell consists of the characters of a number with a decimal
// point, and has a digit.
func plain(cell string) bool {
	digit := false
	for i := range len(cell) {
		switch c := cell[i]; {
		case c >= '0' && c <= '9':
			digit = true
		case c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return false
		}
	}
	return digit
}

// canonical rewrites a number with a decimal point and without thousands separators. It
// reports false if the digits are not in groups of three.
func canonical(cell string, decimal byte) (string, bool) {
	sign := ""
	if cell != "" && (cell[0] == '-' || cell[0] == '+') {
		sign, cell = cell[:1], cell[1:]
	}
	exponent := ""
	if at := strings.IndexAny(cell, "eE"); at >= 0 {
		cell, exponent = cell[:at], cell[at:]
		if _, err := strconv.Atoi(exponent[1:]); err != nil {
			return "", false
		}
	}
	whole, fraction, _ := strings.Cut(cell, string(decimal))
	if !digits(fraction) || whole == "" && fraction == "" {
		return "", false
	}
	groups := []string{whole}
	separators := []string{",", " ", "\u00a0", "\u202f", "'", "’"}
	if decimal == ',' {
		separators[0] = "."
	}
	for _, s := range separators {
		if strings.Contains(whole, s) {
			groups = strings.Split(whole, s)
			break
		}
	}
	for i, g := range groups {
		switch {
		case !digits(g):
			return "", false
		case len(groups) > 1 && i == 0 && (len(g) < 1 || len(g) > 3):
			return "", false
		case i > 0 && len(g) != 3:
			return "", false
		}
	}
	return sign + strings.Join(groups, "") + "." + fraction + exponent, true
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// evidence is what one cell shows about the numbers of its file.
type evidence int

const (
	noEvidence   evidence = iota
	decimalPoint          // 1.5, 1,234.5
	decimalComma          // 1,5, 1.234,5
	eitherComma           // 1,234
)

func numberEvidence(cell string) evidence {
	comma, point := strings.Count(cell, ","), strings.Count(cell, ".")
	if comma == 0 && point == 0 {
		return noEvidence
	}
	_, withPoint := canonical(cell, '.')
	_, withComma := canonical(cell, ',')
	switch {
	case withPoint && !withComma:
		return decimalPoint
	case withComma && !withPoint:
		return decimalComma
	case withPoint && withComma && comma > 0 && point == 0:
		// A number like 0,123 has no thousands.
		if strings.HasPrefix(strings.TrimLeft(cell, "+-"), "0") {
			return decimalComma
		}
		return eitherComma
	}
	return noEvidence // for 1.234 alone: a decimal point, unless other cells have decimal commas
}

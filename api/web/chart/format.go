package chart

import (
	"math"
	"strconv"
	"strings"
)

// The units that have a way of being written. Others are written behind plain numbers.
const (
	unitMoney    = "usd"
	unitMonths   = "months"
	unitFraction = "fraction" // and what begins with it, such as "fraction a year"
)

const thinSpace = "\u202f"

// isFraction reports whether numbers of a unit are shown as per cent.
func isFraction(unit string) bool { return strings.HasPrefix(unit, unitFraction) }

// axisName is what the axis of a unit is called.
func axisName(unit string) string {
	switch {
	case unit == unitMoney:
		return "US dollars"
	case isFraction(unit):
		return strings.TrimSpace("per cent" + strings.TrimPrefix(unit, unitFraction))
	}
	return unit
}

// Unit returns what stands behind a value that Text has written, such as "a year".
func Unit(unit string) string {
	switch {
	case unit == unitMoney:
		return "US dollars"
	case isFraction(unit):
		return strings.TrimSpace(strings.TrimPrefix(unit, unitFraction))
	}
	return unit
}

// Text writes a value of a table: money in whole units, fractions as per cent.
func Text(v float64, unit string) string {
	switch {
	case !finite(v):
		return "–"
	case unit == unitMoney:
		return grouped(v, 0)
	case isFraction(unit):
		return grouped(100*v, 2) + thinSpace + "%"
	case isYear(v) && unit == "":
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return grouped(v, 0)
	case math.Abs(v) >= 1e-4 && math.Abs(v) < 1e9:
		return grouped(v, min(max(3-int(math.Floor(math.Log10(math.Abs(v)))), 0), 6))
	}
	return minus(strconv.FormatFloat(v, 'g', 4, 64))
}

// format returns how the labels of an axis are written: with as many decimals as the
// distance between them needs, and thousands, millions and so on as the largest does.
func format(unit string, step, largest float64) func(float64) string {
	factor, suffix := 1.0, ""
	switch {
	case isFraction(unit):
		factor, suffix = 100, thinSpace+"%"
	case largest >= 1e15:
		return func(v float64) string { return minus(strconv.FormatFloat(v, 'g', 3, 64)) }
	case largest >= 1e12:
		factor, suffix = 1e-12, thinSpace+"tn"
	case largest >= 1e9:
		factor, suffix = 1e-9, thinSpace+"bn"
	case largest >= 1e6:
		factor, suffix = 1e-6, thinSpace+"m"
	case largest >= 1e4:
		factor, suffix = 1e-3, thinSpace+"k"
	}
	decimals := 0
	for s := step * factor; decimals < 6 && math.Abs(s-math.Round(s)) > 1e-6*s; s *= 10 {
		decimals++
	}
	return func(v float64) string {
		if math.Abs(v) < step*1e-6 {
			v = 0
		}
		if v == 0 && !isFraction(unit) {
			return "0"
		}
		if unit == "" && decimals == 0 && isYear(v) {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return grouped(v*factor, decimals) + suffix
	}
}

// isYear reports whether a plain number may be a calendar year, which has no comma.
func isYear(v float64) bool { return v == math.Trunc(v) && v >= 1000 && v < 10000 }

// grouped writes a number with a comma after thousands, and a true minus sign.
func grouped(v float64, decimals int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, rest, _ := strings.Cut(text, ".")
	var b strings.Builder
	if v < 0 && strings.Trim(text, "0.") != "" {
		b.WriteString("−")
	}
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if rest != "" {
		b.WriteString("." + rest)
	}
	return b.String()
}

func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// Short cuts a text so that it fits a label.
func Short(text string, runes int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) <= runes {
		return string(r)
	}
	return string(r[:runes-1]) + "…"
}

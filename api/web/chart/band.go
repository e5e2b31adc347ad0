package chart

import (
	"fmt"
	"strconv"
	"strings"

	"ballast/timeseries"
)

const noDate = timeseries.NoDate

// band draws columns as bands within bands, from the first and the last to the ones in
// the middle; an odd one in the middle is a line.
func band(f *Figure) *Drawing {
	x, ok := horizontal(&f.X)
	values, columns := numbers(f.Y)
	if !ok || len(columns) == 0 {
		return nil
	}
	low, high, ok := extent(values...)
	if !ok {
		return nil
	}
	unit := columns[0].Unit
	y := levels(low, high, low >= 0)
	d := &Drawing{}
	d.axes(x, y, unit)
	var complete []int // rows in which no value is missing
	for _, row := range rowsOf(x, f.X.Len()) {
		if !missing(column(values, row)) {
			complete = append(complete, row)
		}
	}
	if len(complete) == 0 {
		return nil
	}
	rows := even(complete)
	last := len(columns) - 1
	for i := range len(columns) / 2 {
		name := fmt.Sprintf("band b%d", min(i, 3))
		d.Areas = append(d.Areas, Shape{name, between(rows, x, y, values[i], values[last-i])})
		d.Legend = append(d.Legend, Key{name, bandName(columns[i].Name, columns[last-i].Name), true})
	}
	if len(columns)%2 == 1 {
		middle := last / 2
		for _, points := range pointsOf(series{rows: complete, values: values[middle]}, x, y) {
			d.Lines = append(d.Lines, Shape{"s0", points})
		}
		d.Legend = append(d.Legend, Key{"s0", quantileName(columns[middle].Name), false})
	}
	end := complete[len(complete)-1]
	var parts []string
	for i := range columns {
		parts = append(parts, quantileName(columns[i].Name)+" "+Text(values[i][end], unit))
	}
	d.Description = fmt.Sprintf("At the end, %s: %s.", f.X.Text(end), strings.Join(parts, ", "))
	return d
}

func column(values [][]float64, row int) []float64 {
	out := make([]float64, len(values))
	for i := range values {
		out[i] = values[i][row]
	}
	return out
}

func missing(values []float64) bool {
	for _, v := range values {
		if !finite(v) {
			return true
		}
	}
	return false
}

// quantile returns the per cent of a column such as p5 or p97.5_real.
func quantile(name string) (string, bool) {
	head, _, _ := strings.Cut(name, "_")
	digits, ok := strings.CutPrefix(head, "p")
	if !ok {
		return "", false
	}
	if _, err := strconv.ParseFloat(digits, 64); err != nil {
		return "", false
	}
	return digits, true
}

// quantileName calls a quantile's column by what it is, and others by their name.
func quantileName(name string) string {
	switch q, ok := quantile(name); {
	case !ok:
		return name
	case q == "50":
		return "median"
	default:
		return q + thinSpace + "%"
	}
}

// Label is what a column is called in words.
func Label(name string) string {
	if _, ok := quantile(name); ok {
		return quantileName(name)
	}
	return strings.ReplaceAll(name, "_", " ")
}

func bandName(low, high string) string {
	a, isLow := quantile(low)
	b, isHigh := quantile(high)
	if !isLow || !isHigh {
		return low + " to " + high
	}
	return a + thinSpace + "% to " + b + thinSpace + "%"
}

package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// heatmap draws a value for each pair of names. A table with one row per pair has the
// second name and the value as y; otherwise x names the rows, and each column is one of
// the map.
func heatmap(f *Figure) *Drawing {
	rows, columns, value, unit := cells(f)
	if len(rows) == 0 || len(columns) == 0 {
		return nil
	}
	d := &Drawing{Named: true}
	if len(rows) > maxCells || len(columns) > maxCells {
		d.note("The first %d rows and columns are drawn; the table has all of them.", maxCells)
		rows, columns = rows[:min(len(rows), maxCells)], columns[:min(len(columns), maxCells)]
	}
	largest := 0.0
	for r := range rows {
		for c := range columns {
			if v := value(r, c); finite(v) {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	high, wide := 100/float64(len(rows)), 100/float64(len(columns))
	d.Height = max(28*len(rows), 120)
	size := "cell"
	if len(columns) > 6 {
		size = "cell roomy" // hidden on narrow pages
	}
	for r, row := range rows {
		d.Levels = append(d.Levels, Tick{At: place((float64(r) + .5) * high), Text: Short(row, 10)})
		for c, column := range columns {
			v := value(r, c)
			if !finite(v) {
				continue
			}
			sign, part := "above", 0.0
			if v < 0 {
				sign = "below"
			}
			if largest > 0 {
				part = math.Abs(v) / largest
			}
			d.Boxes = append(d.Boxes, Box{
				Class: sign, X: place(float64(c) * wide), Y: place(float64(r) * high), Width: place(wide), Height: place(high), Opacity: place(.8 * part),
				Title: row + ", " + column + ": " + Text(v, unit),
			})
			if len(columns) <= 16 {
				d.Words = append(d.Words, Word{X: place((float64(c) + .5) * wide), Y: place((float64(r) + .5) * high), Text: cellText(v, unit), Class: size})
			}
		}
	}
	for c, column := range columns {
		d.Across = append(d.Across, Tick{At: place((float64(c) + .5) * wide), Text: Short(column, 10)})
	}
	d.Legend = []Key{{"above", "positive", true}, {"below", "negative", true}}
	d.Description = extremes(rows, columns, value, unit)
	return d
}

// cellText is short, because cells are.
func cellText(v float64, unit string) string {
	if isFraction(unit) {
		return grouped(100*v, 0) + thinSpace + "%"
	}
	if math.Abs(v) >= 1000 {
		return format(unit, math.Abs(v)/10, math.Abs(v))(v)
	}
	return grouped(v, 2)
}

// cells returns the names of a map's rows and columns, and the value of each pair.
func cells(f *Figure) (rows, columns []string, value func(r, c int) float64, unit string) {
	if len(f.Y) == 2 && f.Y[0].Texts != nil && f.Y[1].Numbers != nil {
		type pair struct{ row, column string }
		values := map[pair]float64{}
		names := func(list []string, name string) []string {
			if slices.Contains(list, name) || len(list) > maxCells {
				return list
			}
			return append(list, name)
		}
		for i := range f.X.Len() {
			p := pair{f.X.Text(i), f.Y[0].Texts[i]}
			rows, columns = names(rows, p.row), names(columns, p.column)
			values[p] = f.Y[1].Numbers[i]
		}
		return rows, columns, func(r, c int) float64 {
			if v, ok := values[pair{rows[r], columns[c]}]; ok {
				return v
			}
			return math.NaN()
		}, f.Y[1].Unit
	}
	values, kept := numbers(f.Y)
	for _, c := range kept {
		columns, unit = append(columns, c.Name), c.Unit
	}
	for i := range f.X.Len() {
		rows = append(rows, f.X.Text(i))
	}
	return rows, columns, func(r, c int) float64 { return values[c][r] }, unit
}

// extremes names the greatest and the least of a map's values.
func extremes(rows, columns []string, value func(r, c int) float64, unit string) string {
	var parts []string
	for _, want := range []struct {
		word string
		sign float64
	}{{"greatest", 1}, {"least", -1}} {
		best, where := math.Inf(-1), ""
		for r := range rows {
			for c := range columns {
				if v := value(r, c); finite(v) && rows[r] != columns[c] && want.sign*v > best {
					best, where = want.sign*v, fmt.Sprintf("%s with %s and %s", Text(v, unit), rows[r], columns[c])
				}
			}
		}
		if where != "" {
			parts = append(parts, "The "+want.word+" value is "+where+".")
		}
	}
	return strings.Join(parts, " ")
}

package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// series is one line: its rows, in order, and its values by row.
type series struct {
	name   string
	rows   []int
	values []float64
}

// lines draws each column over the horizontal axis; in a long table, each column of each
// group.
func lines(f *Figure) *Drawing {
	x, ok := horizontal(&f.X)
	all := seriesOf(f)
	if !ok || len(all) == 0 {
		return nil
	}
	d := &Drawing{}
	if len(all) > maxLines {
		d.note("The first %d of %d lines are drawn; the table has all of them.", maxLines, len(all))
		all = all[:maxLines]
	}
	low, high, ok := span(all)
	if !ok {
		return nil
	}
	unit := f.Y[0].Unit
	y := levels(low, high, isFraction(unit) && low >= 0)
	d.axes(x, y, unit)
	for i, s := range all {
		for _, points := range pointsOf(s, x, y) {
			d.Lines = append(d.Lines, Shape{class(i), points})
		}
		if len(all) > 1 {
			d.Legend = append(d.Legend, Key{class(i), s.name, false})
		}
	}
	d.Description = told(all, &f.X, unit)
	return d
}

// axes sets the labels of both axes.
func (d *Drawing) axes(x *across, y scale, unit string) {
	d.Across, d.XName = x.ticks(4), x.name
	d.label(y, unit)
}

// seriesOf returns the lines of a figure: a column is one for each group of its rows.
func seriesOf(f *Figure) []series {
	_, columns := numbers(f.Y)
	var all []series
	for _, g := range groups(f) {
		for i := range columns {
			s := series{name: columns[i].Name, rows: g.rows, values: columns[i].Numbers}
			switch {
			case g.name != "" && len(columns) > 1:
				s.name = g.name + " " + s.name
			case g.name != "":
				s.name = g.name
			}
			all = append(all, s)
		}
	}
	return all
}

type group struct {
	name string
	rows []int
}

// groups divides the rows by the texts of Groups, in order of appearance.
func groups(f *Figure) []group {
	var list []group
	index := map[string]int{}
	for row := range f.X.Len() {
		names := make([]string, len(f.Groups))
		for i, c := range f.Groups {
			names[i] = c.Texts[row]
		}
		key := strings.Join(names, "\x00")
		at, ok := index[key]
		if !ok {
			at = len(list)
			index[key] = at
			list = append(list, group{name: strings.Join(names, " ")})
		}
		list[at].rows = append(list[at].rows, row)
	}
	return list
}

// span returns the least and the greatest value of lines.
func span(all []series) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range all {
		for _, row := range s.rows {
			if v := s.values[row]; finite(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high, low <= high
}

// pointsOf returns a line as points. It is broken where a value is missing, and where
// the axis turns back because another part of a long table begins.
func pointsOf(s series, x *across, y scale) []string {
	var parts [][]int
	var part []int
	last := math.Inf(-1)
	for _, row := range s.rows {
		at := x.of(row)
		if !finite(s.values[row]) || !finite(at) {
			parts, part, last = append(parts, part), nil, math.Inf(-1)
			continue
		}
		if at < last {
			parts, part = append(parts, part), nil
		}
		part, last = append(part, row), at
	}
	parts = append(parts, part)
	var lines []string
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		var b strings.Builder
		for _, row := range thin(part, s.values) {
			fmt.Fprintf(&b, " %s,%s", place(x.at(x.of(row))), place(y.at(s.values[row])))
		}
		if len(part) == 1 { // a line needs two points to be seen
			b.WriteString(b.String())
		}
		lines = append(lines, b.String()[1:])
	}
	return lines
}

// thin keeps the least and the greatest value of each of as many stretches as can be
// seen, and both ends.
func thin(rows []int, values []float64) []int {
	if len(rows) <= maxPoints {
		return rows
	}
	stretches := maxPoints/2 - 1
	kept := []int{rows[0]}
	for i := range stretches {
		part := rows[i*len(rows)/stretches : (i+1)*len(rows)/stretches]
		by := func(a, b int) int {
			switch {
			case values[a] < values[b]:
				return -1
			case values[a] > values[b]:
				return 1
			}
			return a - b
		}
		low, high := slices.MinFunc(part, by), slices.MaxFunc(part, by)
		kept = append(kept, min(low, high))
		if low != high {
			kept = append(kept, max(low, high))
		}
	}
	return slices.Compact(append(kept, rows[len(rows)-1]))
}

// area draws columns as areas over zero, one on the other where none is negative.
func area(f *Figure) *Drawing {
	x, ok := horizontal(&f.X)
	values, columns := numbers(f.Y)
	if !ok || len(columns) == 0 {
		return nil
	}
	d := &Drawing{}
	most := maxLines
	if f.Stacked {
		most = maxParts
	}
	if len(columns) > most {
		d.note("The first %d of %d columns are drawn; the table has all of them.", most, len(columns))
		values, columns = values[:most], columns[:most]
	}
	low, _, ok := extent(values...)
	if !ok {
		return nil
	}
	n := f.X.Len()
	bottoms, tops := stack(values, n, len(columns) > 1 && (low >= 0 || f.Stacked))
	low, high, _ := extent(append(slices.Clone(bottoms), tops...)...)
	y := levels(low, high, true)
	d.axes(x, y, columns[0].Unit)
	rows := even(rowsOf(x, n))
	for i := range columns {
		d.Areas = append(d.Areas, Shape{class(i), between(rows, x, y, bottoms[i], tops[i])})
		if len(columns) > 1 {
			d.Legend = append(d.Legend, Key{class(i), columns[i].Name, true})
		}
	}
	d.Description = told(seriesOf(&Figure{X: f.X, Y: columns}), &f.X, columns[0].Unit)
	return d
}

// stack returns where each area begins and ends: at zero and its value or, stacked, above
// those before it that are positive, or below those that are negative.
func stack(values [][]float64, n int, stacked bool) (bottoms, tops [][]float64) {
	above, below := make([]float64, n), make([]float64, n)
	for _, column := range values {
		bottom, top := make([]float64, n), make([]float64, n)
		for row, v := range column {
			from := &above[row]
			if v < 0 {
				from = &below[row]
			}
			if !finite(v) {
				v = 0
			}
			bottom[row], top[row] = *from, *from+v
			if stacked {
				*from += v
			}
		}
		bottoms, tops = append(bottoms, bottom), append(tops, top)
	}
	return bottoms, tops
}

// rowsOf are the rows that have a place on the axis.
func rowsOf(x *across, n int) []int {
	var rows []int
	for row := range n {
		if finite(x.of(row)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// even keeps as many rows as can be seen, and both ends.
func even(rows []int) []int {
	if len(rows) <= maxPoints {
		return rows
	}
	kept := make([]int, maxPoints)
	for i := range kept {
		kept[i] = rows[i*(len(rows)-1)/(maxPoints-1)]
	}
	return kept
}

// between is the area between two columns.
func between(rows []int, x *across, y scale, low, high []float64) string {
	points := make([]string, 0, 2*len(rows))
	for _, row := range rows {
		points = append(points, place(x.at(x.of(row)))+","+place(y.at(high[row])))
	}
	for _, row := range slices.Backward(rows) {
		points = append(points, place(x.at(x.of(row)))+","+place(y.at(low[row])))
	}
	return strings.Join(points, " ")
}

// told says in words where lines begin and end, and how far they go.
func told(all []series, x *Column, unit string) string {
	var sentences []string
	for i, s := range all {
		if i == 6 {
			sentences = append(sentences, fmt.Sprintf("The table has %d more.", len(all)-i))
			break
		}
		rows := slices.DeleteFunc(slices.Clone(s.rows), func(row int) bool { return !finite(s.values[row]) })
		if len(rows) == 0 {
			continue
		}
		first, last := rows[0], rows[len(rows)-1]
		low, high := first, first
		for _, row := range rows {
			if s.values[row] < s.values[low] {
				low = row
			}
			if s.values[row] > s.values[high] {
				high = row
			}
		}
		at := func(row int) string { return Text(s.values[row], unit) + " at " + x.Text(row) }
		sentences = append(sentences, fmt.Sprintf("%s: from %s to %s; lowest %s, highest %s.", s.name, at(first), at(last), at(low), at(high)))
	}
	return strings.Join(sentences, " ")
}

// Text writes the value of a row.
func (c *Column) Text(row int) string {
	switch {
	case c.Texts != nil:
		return c.Texts[row]
	case c.Dates != nil:
		if c.Dates[row] == noDate {
			return "–"
		}
		return c.Dates[row].String()
	}
	if c.Unit == unitMonths && c.Numbers[row] == math.Trunc(c.Numbers[row]) {
		return "month " + Text(c.Numbers[row], "")
	}
	return Text(c.Numbers[row], c.Unit)
}

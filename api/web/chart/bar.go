package chart

import (
	"fmt"
	"math"
	"strings"
)

// barRow is the height of a named bar and its name, in pixels.
const barRow = 34

// bars draws columns as bars: lying ones with their names above them, because names may
// be long, or standing ones over numbers and dates.
func bars(f *Figure) *Drawing {
	values, columns := numbers(f.Y)
	if len(columns) == 0 || f.X.Len() == 0 {
		return nil
	}
	if f.X.Texts != nil {
		return lyingBars(f, columns)
	}
	x, ok := horizontal(&f.X)
	low, high, some := extent(values...)
	if !ok || !some {
		return nil
	}
	y := levels(low, high, true)
	d := &Drawing{}
	rows := rowsOf(x, f.X.Len())
	gap := closest(x, rows)
	x.from, x.to = x.from-gap/2, x.to+gap/2
	d.axes(x, y, columns[0].Unit)
	width := 100 * gap / (x.to - x.from) * 0.8 / float64(len(columns))
	for i := range columns {
		for _, row := range rows {
			v := values[i][row]
			if !finite(v) {
				continue
			}
			left := x.at(x.of(row)) + (float64(i)-float64(len(columns))/2)*width
			top, bottom := y.at(max(v, 0)), y.at(min(v, 0))
			d.Boxes = append(d.Boxes, Box{class(i), place(left), place(top), place(width), place(bottom - top), "", f.X.Text(row) + ": " + Text(v, columns[i].Unit)})
		}
		if len(columns) > 1 {
			d.Legend = append(d.Legend, Key{class(i), columns[i].Name, true})
		}
	}
	d.Description = told(seriesOf(&Figure{X: f.X, Y: columns}), &f.X, columns[0].Unit)
	return d
}

// closest is the least distance of two rows on the axis.
func closest(x *across, rows []int) float64 {
	gap := x.to - x.from
	for i := 1; i < len(rows); i++ {
		if apart := math.Abs(x.of(rows[i]) - x.of(rows[i-1])); apart > 0 {
			gap = min(gap, apart)
		}
	}
	return gap
}

func lyingBars(f *Figure, columns []Column) *Drawing {
	d := &Drawing{}
	names := f.X.Texts
	if len(names) > maxBars {
		d.note("The first %d of %d rows are drawn; the table has all of them.", maxBars, len(names))
		names = names[:maxBars]
	}
	if len(columns) > maxLines {
		columns = columns[:maxLines]
	}
	var shown [][]float64
	for i := range columns {
		shown = append(shown, columns[i].Numbers[:len(names)])
	}
	low, high, ok := extent(shown...)
	if !ok {
		return nil
	}
	x := levels(low, high, true)
	x.down = false
	unit := columns[0].Unit
	write := format(unit, x.step, max(math.Abs(x.from), math.Abs(x.to)))
	for _, v := range x.values() {
		d.Across = append(d.Across, Tick{At: place(x.at(v)), Text: write(v)})
	}
	thinned(d.Across, 4)
	d.XName = axisName(unit)
	row := barRow + 12*(len(columns)-1)
	d.Height = row * len(names)
	part := 100 / float64(len(names))
	bar := part * 12 / float64(row)
	var words []string
	for n, name := range names {
		top := float64(n) * part
		d.Words = append(d.Words, Word{X: "0", Y: place(top + part*13/float64(row)), Text: Short(name, 36)})
		for i := range columns {
			v := shown[i][n]
			if !finite(v) {
				continue
			}
			left, right := x.at(min(v, 0)), x.at(max(v, 0))
			d.Boxes = append(d.Boxes, Box{
				Class: class(i), X: place(left), Y: place(top + part*18/float64(row) + float64(i)*bar), Width: place(right - left), Height: place(bar * .9),
				Title: name + ": " + Text(v, columns[i].Unit),
			})
			if len(words) < 12 {
				words = append(words, fmt.Sprintf("%s %s", name, Text(v, columns[i].Unit)))
			}
		}
	}
	if len(columns) > 1 {
		for i := range columns {
			d.Legend = append(d.Legend, Key{class(i), columns[i].Name, true})
		}
	}
	d.Description = strings.Join(words, "; ") + "."
	return d
}

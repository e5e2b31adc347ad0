package chart

import "fmt"

// scatter draws a dot for each row.
func scatter(f *Figure) *Drawing {
	x, ok := horizontal(&f.X)
	values, columns := numbers(f.Y)
	low, high, some := extent(values...)
	if !ok || !some {
		return nil
	}
	d := &Drawing{}
	y := levels(low, high, false)
	d.axes(x, y, columns[0].Unit)
	n := f.X.Len()
	every := (n*len(columns) + maxDots - 1) / maxDots
	if every > 1 {
		d.note("One of %d rows is drawn; the table has all of them.", every)
	}
	for i := range columns {
		for row := 0; row < n; row += every {
			at, v := x.of(row), values[i][row]
			if !finite(at) || !finite(v) {
				continue
			}
			title := fmt.Sprintf("%s, %s", f.X.Text(row), Text(v, columns[i].Unit))
			for _, g := range f.Groups {
				title = g.Texts[row] + ": " + title
			}
			d.Dots = append(d.Dots, Dot{class(i), place(x.at(at)), place(y.at(v)), title})
		}
		if len(columns) > 1 {
			d.Legend = append(d.Legend, Key{class(i), columns[i].Name, true})
		}
	}
	d.Description = told(seriesOf(&Figure{X: f.X, Y: columns}), &f.X, columns[0].Unit)
	return d
}

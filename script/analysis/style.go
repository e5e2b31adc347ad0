package analysis

import (
	"slices"

	"ballast/analyze"
	"ballast/internal/number"
	"ballast/script"
	"ballast/timeseries"
)

// style is the mix of members that behaves most like another one.
type style struct {
	y, frequency string
	x            []string
}

func newStyle(a *arguments) operation {
	o := &style{y: a.key("y"), x: a.keys("x", 1), frequency: a.frequency()}
	if slices.Contains(o.x, o.y) && len(o.x) > 1 {
		a.wrong("x", "contains "+o.y+", the member that is explained", "other members")
	}
	return o
}

func (o *style) members() []string { return keysOf([]string{o.y}, o.x) }

func (o *style) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(append([]string{o.y}, o.x...), o.frequency)
	if err != nil {
		return "", err
	}
	if _, err := w.common(columns, o.frequency); err != nil {
		return "", err
	}
	mix, err := analyze.Style(columns[0], columns[1:])
	if err != nil {
		return "", err
	}
	if err := s.table(script.Table{Name: "style", Columns: []script.Column{
		texts("series", slices.Repeat([]string{o.y}, len(o.x))), texts("factor", o.x), numbers("weight", mix.Weights),
	}}); err != nil {
		return "", err
	}
	s.figure(script.Figure{Name: "style", Title: "Weights of the mix that behaves alike", Kind: "bar", Table: "style", X: "factor", Y: []string{"weight"}, YUnit: "fraction"})
	suffix := s.suffix("style")
	for _, x := range []script.Scalar{
		{Name: "r_squared", Value: number.Float(mix.RSquared), Unit: "fraction", Title: "R² of " + o.y},
		{Name: "n", Value: number.Float(mix.N), Unit: unitOf[o.frequency], Title: "Returns that were explained"},
	} {
		x.Name += suffix
		if err := s.scalar(x); err != nil {
			return "", err
		}
	}
	return "style", o.rolling(w, s, columns)
}

// rolling writes the style over each window of 36 months, for months.
func (o *style) rolling(w *window, s *sheet, columns []analyze.Column) error {
	if o.frequency != monthly {
		return nil
	}
	last, mixes, err := analyze.RollingStyle(columns[0], columns[1:], rollingMonths)
	if err != nil || len(last) == 0 {
		return err
	}
	var factor []string
	var date []timeseries.Date
	var weight []float64
	for j, key := range o.x {
		for k, t := range last {
			v := missing
			if mixes[k] != nil {
				v = mixes[k].Weights[j]
			}
			factor, date, weight = append(factor, key), append(date, w.rows(monthly).dates[t]), append(weight, v)
		}
	}
	s.figure(script.Figure{Name: "rolling_style", Title: "Weights over the last 36 months", Kind: "line", Table: "rolling_style", X: "date", Y: []string{"weight"}, YUnit: "fraction"})
	return s.table(script.Table{Name: "rolling_style", Columns: []script.Column{
		texts("series", slices.Repeat([]string{o.y}, len(factor))), texts("factor", factor), datesColumn("date", date), numbers("weight", weight),
	}})
}

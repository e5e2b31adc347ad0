package analysis

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/analyze"
	"ballast/script"
	"ballast/timeseries"
)

// rolling is the return, the volatility and the beta of members over windows of some
// years.
type rolling struct {
	keys      []string
	years     []int
	benchmark string // "" for none
}

func newRolling(a *arguments) operation {
	return &rolling{keys: a.keys("keys", 1), years: a.years("years"), benchmark: a.optionalKey("benchmark")}
}

// years reads a whole number of years, or a list of them.
func (a *arguments) years(parameter string) []int {
	v := a.values[parameter]
	const accepted = "a whole number of years from 1 to 50, or an array of them such as [1, 3, 5, 10]"
	list, ok := v.(*starlark.List)
	if !ok {
		list = starlark.NewList([]starlark.Value{v})
	}
	var years []int
	for i := range list.Len() {
		n, ok := whole(list.Index(i))
		if !ok || n < 1 || n > 50 || slices.Contains(years, n) {
			a.wrong(parameter, "has "+shown(list.Index(i)), accepted)
			return nil
		}
		years = append(years, n)
	}
	if len(years) == 0 || len(years) > 10 {
		a.wrong(parameter, "has no years or more than ten", accepted)
	}
	return years
}

// inYears names a window: "1 year", "3 years".
func inYears(n int) string {
	if n == 1 {
		return "1 year"
	}
	return fmt.Sprintf("%d years", n)
}

func (o *rolling) members() []string { return keysOf(o.keys, []string{o.benchmark}) }

func (o *rolling) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(o.keys, daily)
	if err != nil {
		return "", err
	}
	var benchmark *analyze.Column
	if o.benchmark != "" {
		c, err := w.column(o.benchmark, daily)
		if err != nil {
			return "", err
		}
		benchmark = &c
	}
	rows := w.rows(daily)
	var keys, windows []string
	var dates []timeseries.Date
	var years, returns, volatility, beta []float64
	for _, c := range columns {
		if benchmark != nil {
			if _, err := w.common([]analyze.Column{c, *benchmark}, daily); err != nil {
				return "", err
			}
		}
		for _, y := range o.years {
			p, err := analyze.RollingPerformance(c, benchmark, y*int(rows.perYear), rows.perYear)
			if err != nil {
				return "", err
			}
			for k, t := range p.Last {
				keys, windows, dates, years = append(keys, c.Name), append(windows, inYears(y)), append(dates, rows.dates[t]), append(years, float64(y))
				returns, volatility = append(returns, p.Return[k]), append(volatility, p.Volatility[k])
				b := math.NaN()
				if p.Beta != nil {
					b = p.Beta[k]
				}
				beta = append(beta, b)
			}
		}
	}
	if err := s.table(script.Table{Name: "rolling", Columns: []script.Column{
		texts("key", keys), texts("window", windows), datesColumn("date", dates), numbers("years", years), numbers("return", returns), numbers("volatility", volatility), numbers("beta", beta),
	}}); err != nil {
		return "", err
	}
	y := []string{"return", "volatility"}
	if benchmark != nil {
		y = append(y, "beta")
	}
	for _, name := range y {
		f := script.Figure{Name: "rolling_" + name, Title: titles[name] + " over rolling windows", Kind: "line", Table: "rolling", X: "date", Y: []string{name}, YUnit: "fraction a year"}
		if name == "beta" {
			f.YUnit = ""
		}
		s.figure(f)
	}
	return "rolling", nil
}

var titles = map[string]string{"return": "Return", "volatility": "Volatility", "beta": "Beta"}

package analysis

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/analyze"
	"ballast/internal/number"
	"ballast/script"
	"ballast/timeseries"
)

// factors regresses the returns of a member on those of others.
type factors struct {
	y, frequency string
	x            []string
	riskless     string  // a member, or "" for a rate
	rate         float64 // riskless, a yearly fraction
	lags         int
}

func newFactors(a *arguments) operation {
	o := &factors{y: a.key("y"), x: a.keys("x", 1), frequency: a.frequency(), lags: a.optionalInteger("lags", 0, 1000, analyze.AutomaticLags)}
	o.riskless, o.rate = a.riskless("riskless")
	if slices.Contains(o.x, o.y) && len(o.x) > 1 {
		a.wrong("x", "contains "+o.y+", the member that is explained", "other members")
	}
	if o.riskless != "" && (slices.Contains(o.x, o.riskless) || o.riskless == o.y) {
		a.wrong("riskless", "is "+o.riskless+", which is also explained or a factor", "another member", "a yearly rate such as 0.02", "None")
	}
	return o
}

// riskless reads the symbol of a member, a yearly rate, or None.
func (a *arguments) riskless(parameter string) (key string, rate float64) {
	v := a.values[parameter]
	if v == starlark.None {
		return "", 0
	}
	if s, ok := starlark.AsString(v); ok && s != "" {
		return s, 0
	}
	f, ok := starlark.AsFloat(v)
	if _, isBool := v.(starlark.Bool); !ok || isBool || !(f > -0.5 && f < 1) {
		a.wrong(parameter, "is "+shown(v), aMember, "a yearly rate such as 0.02", "None")
	}
	return "", f
}

func (o *factors) members() []string { return keysOf([]string{o.y}, o.x, []string{o.riskless}) }

func (o *factors) run(w *window, s *sheet) (string, error) {
	y, x, err := o.excess(w)
	if err != nil {
		return "", err
	}
	r, err := analyze.Regress(y, x, o.lags)
	if err != nil {
		return "", err
	}
	if err := s.table(loadingsTable(o.y, r)); err != nil {
		return "", err
	}
	s.figure(script.Figure{Name: "factors", Title: "Loadings by factor", Kind: "bar", Table: "factors", X: "factor", Y: []string{"loading"}})
	suffix := s.suffix("factors")
	rows := w.rows(o.frequency)
	for _, x := range []script.Scalar{
		{Name: "alpha_annual", Value: number.Float(r.Coefficients[0].Loading * rows.perYear), Unit: "fraction a year", Title: "Alpha of " + o.y},
		{Name: "r_squared", Value: number.Float(r.RSquared), Unit: "fraction", Title: "R² of " + o.y},
		{Name: "adjusted_r_squared", Value: number.Float(r.AdjustedRSquared), Unit: "fraction", Title: "Adjusted R² of " + o.y},
		{Name: "durbin_watson", Value: number.Float(r.DurbinWatson), Title: "Durbin–Watson statistic of the residuals"},
		{Name: "breusch_pagan", Value: number.Float(r.BreuschPagan), Title: "Breusch–Pagan statistic of the residuals"},
		{Name: "breusch_pagan_p", Value: number.Float(r.BreuschPaganP), Unit: "fraction", Title: "Probability of the Breusch–Pagan statistic"},
		{Name: "n", Value: number.Float(r.N), Unit: unitOf[o.frequency], Title: "Returns in the regression"},
		{Name: "lags", Value: number.Float(r.Lags), Unit: unitOf[o.frequency], Title: "Lags of the Newey–West errors"},
	} {
		x.Name += suffix
		if err := s.scalar(x); err != nil {
			return "", err
		}
	}
	return "factors", o.rolling(w, s, y, x)
}

// unitOf is what the rows of a frequency are counted in.
var unitOf = map[string]string{daily: "days", monthly: "months"}

// excess returns the explained returns and the factors. The returns of assets and models
// are in excess of the riskless ones; columns of series are taken as they are.
func (o *factors) excess(w *window) (y analyze.Column, x []analyze.Column, err error) {
	columns, err := w.columnsOf(append([]string{o.y}, o.x...), o.frequency)
	if err != nil {
		return y, nil, err
	}
	riskless, err := w.riskless(o.riskless, o.rate, o.frequency)
	if err != nil {
		return y, nil, err
	}
	if _, err := w.common(append(slices.Clone(columns), riskless), o.frequency); err != nil {
		return y, nil, err
	}
	for i, c := range columns {
		if s, err := w.source(c.Name); err == nil && !s.outside { // a factor is published as it is meant
			columns[i] = less(c, riskless)
		}
	}
	return columns[0], columns[1:], nil
}

// riskless returns the riskless return of each row.
func (w *window) riskless(key string, rate float64, frequency string) (analyze.Column, error) {
	if key != "" {
		return w.column(key, frequency)
	}
	rows := w.rows(frequency)
	return analyze.Column{Name: "riskless", Values: slices.Repeat([]float64{perRow(rate, rows.perYear)}, len(rows.dates))}, nil
}

// perRow is the return of a row that compounds to a yearly rate.
func perRow(rate, perYear float64) float64 { return math.Pow(1+rate, 1/perYear) - 1 }

// less subtracts b from a.
func less(a, b analyze.Column) analyze.Column {
	out := analyze.Column{Name: a.Name, Values: make([]float64, len(a.Values))}
	for t, v := range a.Values {
		out.Values[t] = v - b.Values[t]
	}
	return out
}

func loadingsTable(series string, r *analyze.Regression) script.Table {
	n := len(r.Coefficients)
	names, of := make([]string, n), slices.Repeat([]string{series}, n)
	columns := make([][]float64, 7)
	for i, c := range r.Coefficients {
		names[i] = c.Name
		for k, v := range []float64{c.Loading, c.StdError, c.T, c.P, c.Low, c.High, c.VarianceInflation} {
			columns[k] = append(columns[k], v)
		}
	}
	t := script.Table{Name: "factors", Columns: []script.Column{texts("series", of), texts("factor", names)}}
	for k, name := range []string{"loading", "std_error", "t", "p", "low", "high", "variance_inflation"} {
		t.Columns = append(t.Columns, numbers(name, columns[k]))
	}
	return t
}

// rollingMonths is the window of the rolling loadings.
const rollingMonths = 36

// rolling writes the loadings over each window of 36 months, if there is one.
func (o *factors) rolling(w *window, s *sheet, y analyze.Column, x []analyze.Column) error {
	rows := w.rows(o.frequency)
	window := int(rows.perYear) * rollingMonths / 12
	if window < len(x)+2 {
		return fmt.Errorf("a window of %d months has too few returns for %d factors", rollingMonths, len(x))
	}
	r, err := analyze.RollingRegression(y, x, window)
	if err != nil || len(r.Last) == 0 {
		return err
	}
	var factor []string
	var last []timeseries.Date
	var loading []float64
	for j, c := range x {
		for k, t := range r.Last {
			factor, last, loading = append(factor, c.Name), append(last, rows.dates[t]), append(loading, r.Loadings[j][k])
		}
	}
	err = s.table(script.Table{Name: "rolling_factors", Columns: []script.Column{
		texts("series", slices.Repeat([]string{o.y}, len(factor))), texts("factor", factor), datesColumn("date", last), numbers("loading", loading),
	}})
	s.figure(script.Figure{Name: "rolling_factors", Title: "Loadings over the last 36 months", Kind: "line", Table: "rolling_factors", X: "date", Y: []string{"loading"}})
	return err
}

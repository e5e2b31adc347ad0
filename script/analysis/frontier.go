package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/analyze"
	"ballast/internal/number"
	"ballast/optimize/estimate"
	"ballast/optimize/optimizer"
	"ballast/script"
)

// frontier is the efficient frontier of members.
type frontier struct {
	keys       []string
	points     int
	definition optimizer.Definition
	expected   map[string]float64 // a year, by member; nil for the means of the window
	frequency  string
}

// mostPoints is how many portfolios a frontier has.
const mostPoints = 1000

func newFrontier(a *arguments) operation {
	o := &frontier{keys: a.keys("keys", 2), points: a.integer("points", 2, mostPoints), frequency: a.frequency()}
	var estimators []string
	for _, e := range estimate.Estimators {
		estimators = append(estimators, string(e))
	}
	o.definition = optimizer.Definition{
		Objective: optimizer.MaxSharpe, Riskless: a.number("riskless", -0.5, 1, "0.02"),
		Covariance: &optimizer.Covariance{Estimator: estimate.Estimator(a.choice("covariance", estimators...)), Lookback: mostRows},
		Expected:   &optimizer.Expected{Estimator: optimizer.ExpectMean, Lookback: mostRows},
		Bounds:     a.weightBounds("bounds", o.keys), Groups: a.weightGroups("groups", o.keys),
	}
	o.expected = a.byMember("expected", o.keys)
	for _, d := range o.definition.Check() {
		a.wrong(d.Field, d.Message, d.Accepted...)
	}
	return o
}

// mostRows is the longest window of an estimate.
const mostRows = 20_000

// dictionary reads a dictionary from texts. None is nil.
func (a *arguments) dictionary(parameter, accepted string) (entries []starlark.Tuple, ok bool) {
	v := a.values[parameter]
	if v == starlark.None {
		return nil, false
	}
	d, ok := v.(*starlark.Dict)
	if !ok || d.Len() == 0 {
		a.wrong(parameter, "is "+shown(v), accepted)
		return nil, false
	}
	for _, item := range d.Items() {
		if name, ok := starlark.AsString(item[0]); !ok || name == "" {
			a.wrong(parameter, "has the key "+shown(item[0]), accepted)
			return nil, false
		}
	}
	return d.Items(), true
}

// fraction returns a number; false for anything else.
func fraction(v starlark.Value) (float64, bool) {
	f, ok := starlark.AsFloat(v)
	if _, isBool := v.(starlark.Bool); isBool || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, ok
}

// byMember reads a dictionary that has a number for each member. None is nil.
func (a *arguments) byMember(parameter string, keys []string) map[string]float64 {
	const accepted = `a dictionary with the yearly return of each member, such as {"SPY": 0.07, "AGG": 0.03}`
	entries, ok := a.dictionary(parameter, accepted)
	if !ok {
		return nil
	}
	out := map[string]float64{}
	for _, e := range entries {
		name, _ := starlark.AsString(e[0])
		v, ok := fraction(e[1])
		if !ok || v < -1 || v > 10 {
			a.wrong(parameter, fmt.Sprintf("has %s for %s", shown(e[1]), name), accepted)
			return nil
		}
		out[name] = v
	}
	for _, key := range keys {
		if _, has := out[key]; !has {
			a.wrong(parameter, "has no return for "+key, accepted)
			return nil
		}
	}
	return out
}

// weightBounds reads a dictionary from members, or "default", to their least and most
// weight.
func (a *arguments) weightBounds(parameter string, keys []string) map[string]optimizer.Bounds {
	const accepted = `a dictionary from members to the least and the most weight, such as {"default": [0, 0.4], "SPY": [0.1, 0.6]}`
	entries, ok := a.dictionary(parameter, accepted)
	if !ok {
		return nil
	}
	out := map[string]optimizer.Bounds{}
	for _, e := range entries {
		name, _ := starlark.AsString(e[0])
		pair, isList := e[1].(*starlark.List)
		if !isList || pair.Len() != 2 || name != optimizer.DefaultBounds && !slices.Contains(keys, name) {
			a.wrong(parameter, fmt.Sprintf("has %s for %s", shown(e[1]), name), accepted)
			return nil
		}
		low, ok1 := fraction(pair.Index(0))
		high, ok2 := fraction(pair.Index(1))
		if !ok1 || !ok2 {
			a.wrong(parameter, "of "+name+" are not two numbers", accepted)
			return nil
		}
		out[name] = optimizer.Bounds{low, high}
	}
	return out
}

// mostGroups is how many groups one call takes.
const mostGroups = 100

// weightGroups reads a list of dictionaries with members, min and max.
func (a *arguments) weightGroups(parameter string, keys []string) []optimizer.Group {
	v := a.values[parameter]
	if v == starlark.None {
		return nil
	}
	const accepted = `an array of groups, such as [{"members": ["SPY", "EFA"], "max": 0.6}]`
	list, ok := v.(*starlark.List)
	if !ok || list.Len() > mostGroups {
		a.wrong(parameter, "is "+shown(v), accepted)
		return nil
	}
	var groups []optimizer.Group
	for i := range list.Len() {
		d, ok := list.Index(i).(*starlark.Dict)
		if !ok {
			a.wrong(parameter, "contains "+shown(list.Index(i)), accepted)
			return nil
		}
		var g optimizer.Group
		for _, item := range d.Items() {
			name, _ := starlark.AsString(item[0])
			f, isNumber := fraction(item[1])
			members, isList := item[1].(*starlark.List)
			switch {
			case name == "members" && isList:
				for k := range members.Len() {
					key, _ := starlark.AsString(members.Index(k))
					if !slices.Contains(keys, key) {
						a.wrong(parameter, fmt.Sprintf("has %s in a group, which is not among the keys", shown(members.Index(k))), accepted)
						return nil
					}
					g.Members = append(g.Members, key)
				}
			case name == "min" && isNumber:
				g.Min = &f
			case name == "max" && isNumber:
				g.Max = &f
			default:
				a.wrong(parameter, fmt.Sprintf("has a group whose %s is %s", name, shown(item[1])), accepted)
				return nil
			}
		}
		groups = append(groups, g)
	}
	return groups
}

func (o *frontier) members() []string { return o.keys }

func (o *frontier) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(o.keys, o.frequency)
	if err != nil {
		return "", err
	}
	rows, err := w.common(columns, o.frequency)
	if err != nil {
		return "", err
	}
	rows = rows[max(0, len(rows)-mostRows):]
	perYear := w.rows(o.frequency).perYear
	in := optimizer.Input{Symbols: o.keys, BarsPerYear: int(perYear)}
	for _, c := range columns {
		values := make([]float64, len(rows))
		for i, t := range rows {
			values[i] = c.Values[t]
		}
		in.Returns = append(in.Returns, values)
	}
	var expected []float64
	for _, key := range o.keys {
		if o.expected != nil {
			expected = append(expected, o.expected[key]/perYear)
		}
	}
	line, err := o.definition.Frontier(o.definition.Bounded(in), o.points, expected)
	var unsolvable *optimizer.Error
	if errors.As(err, &unsolvable) {
		return "", &analyze.DataError{Message: unsolvable.Message}
	}
	if err != nil {
		return "", err
	}
	return "frontier", o.write(s, line, perYear, len(rows))
}

// write writes the frontier, where the members lie, and the portfolios that have names.
func (o *frontier) write(s *sheet, line *optimizer.Line, perYear float64, n int) error {
	var point, risk, gain, weight []float64
	var key []string
	for i, p := range line.Points {
		for k, v := range p.Weights {
			point, risk, gain, key, weight = append(point, float64(i+1)), append(risk, p.Risk), append(gain, p.Return), append(key, o.keys[k]), append(weight, v)
		}
	}
	if err := s.table(script.Table{Name: "frontier", Columns: []script.Column{
		numbers("point", point), numbers("risk", risk), numbers("return", gain), texts("key", key), numbers("weight", weight),
	}}); err != nil {
		return err
	}
	at, risks, gains := make([]float64, len(line.Points)), make([]float64, len(line.Points)), make([]float64, len(line.Points))
	for i, p := range line.Points {
		at[i], risks[i], gains[i] = float64(i+1), p.Risk, p.Return
	}
	if err := s.table(script.Table{Name: "frontier_line", Columns: []script.Column{numbers("point", at), numbers("risk", risks), numbers("return", gains)}}); err != nil {
		return err
	}
	var own, earned []float64
	for i := range o.keys {
		own, earned = append(own, math.Sqrt(line.Covariance.At(i, i)*perYear)), append(earned, line.Expected[i]*perYear)
	}
	if err := s.table(script.Table{Name: "frontier_members", Columns: []script.Column{texts("key", o.keys), numbers("risk", own), numbers("return", earned)}}); err != nil {
		return err
	}
	least := line.Points[0]
	scalars := []script.Scalar{
		{Name: "least_risk", Value: number.Float(least.Risk), Unit: "fraction a year", Title: "Volatility of the portfolio of least risk"},
		{Name: "least_risk_return", Value: number.Float(least.Return), Unit: "fraction a year", Title: "Expected return of the portfolio of least risk"},
		{Name: "n", Value: number.Float(n), Unit: unitOf[o.frequency], Title: "Returns in the estimates"},
		{Name: "kkt_residual", Value: number.Float(line.Residual), Title: "Largest residual of a certificate"},
	}
	if t := line.Tangency; t != nil {
		scalars = append(scalars,
			script.Scalar{Name: "tangency_risk", Value: number.Float(t.Risk), Unit: "fraction a year", Title: "Volatility of the tangency portfolio"},
			script.Scalar{Name: "tangency_return", Value: number.Float(t.Return), Unit: "fraction a year", Title: "Expected return of the tangency portfolio"},
			script.Scalar{Name: "tangency_sharpe", Value: number.Float((t.Return - o.definition.Riskless) / t.Risk), Title: "Sharpe ratio of the tangency portfolio"},
		)
		if err := s.table(script.Table{Name: "tangency", Columns: []script.Column{texts("key", o.keys), numbers("weight", t.Weights)}}); err != nil {
			return err
		}
	}
	s.figure(script.Figure{Name: "frontier", Title: "Expected return by volatility", Kind: "line", Table: "frontier_line", X: "risk", Y: []string{"return"}, XUnit: "fraction", YUnit: "fraction"})
	s.figure(script.Figure{Name: "frontier_weights", Title: "Weights along the frontier", Kind: "line", Table: "frontier", X: "risk", Y: []string{"weight"}, XUnit: "fraction", YUnit: "fraction"})
	s.figure(script.Figure{Name: "frontier_members", Title: "Where the members lie", Kind: "scatter", Table: "frontier_members", X: "risk", Y: []string{"return"}, XUnit: "fraction", YUnit: "fraction"})
	return s.add("frontier", scalars)
}

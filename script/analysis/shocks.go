package analysis

import (
	"fmt"

	"go.starlark.net/starlark"

	"ballast/analyze"
	"ballast/script"
)

// shock is a move of one factor, a fraction.
type shock struct {
	factor string
	move   float64
}

// mostFactors is how many factors one call moves.
const mostFactors = 20

// shocks reads a dictionary from members to how far they move, in its order. None is nil.
func (a *arguments) shocks(parameter string) []shock {
	v := a.values[parameter]
	if v == starlark.None {
		return nil
	}
	const accepted = `a dictionary from factors to how far they move, such as {"SPY": -0.2}`
	d, ok := v.(*starlark.Dict)
	if !ok || d.Len() == 0 || d.Len() > mostFactors {
		a.wrong(parameter, "is "+shown(v), accepted, fmt.Sprintf("1 to %d factors", mostFactors))
		return nil
	}
	var out []shock
	for _, item := range d.Items() {
		name, ok := starlark.AsString(item[0])
		move, isNumber := starlark.AsFloat(item[1])
		_, isBool := item[1].(starlark.Bool)
		if !ok || name == "" || !isNumber || isBool || !(move >= -1 && move <= 10) {
			a.wrong(parameter, fmt.Sprintf("moves %s by %s", shown(item[0]), shown(item[1])), accepted, "fractions from -1 to 10")
			return nil
		}
		out = append(out, shock{name, move})
	}
	return out
}

// factorsOf are the names of the factors that move.
func factorsOf(shocks []shock) []string {
	var names []string
	for _, s := range shocks {
		names = append(names, s.factor)
	}
	return names
}

// shocked writes what members would do if factors moved, by a regression of their daily
// returns on those of the factors.
func shocked(w *window, s *sheet, keys []string, shocks []shock) error {
	moves := map[string]float64{}
	for _, x := range shocks {
		moves[x.factor] = x.move
	}
	var key, factor []string
	whole, parts := make([][]float64, 6), make([][]float64, 4)
	for _, k := range keys {
		columns, err := w.columnsOf(append([]string{k}, factorsOf(shocks)...), daily)
		if err != nil {
			return err
		}
		if _, err := w.common(columns, daily); err != nil {
			return err
		}
		r, err := analyze.Regress(columns[0], columns[1:], analyze.AutomaticLags)
		if err != nil {
			return err
		}
		impact, err := r.Shock(moves)
		if err != nil {
			return err
		}
		for i, v := range []float64{impact.Return, impact.StdError, impact.Low, impact.High, r.RSquared, float64(r.N)} {
			whole[i] = append(whole[i], v)
		}
		for _, c := range r.Coefficients[1:] {
			key, factor = append(key, k), append(factor, c.Name)
			for i, v := range []float64{moves[c.Name], c.Loading, c.StdError, c.Loading * moves[c.Name]} {
				parts[i] = append(parts[i], v)
			}
		}
	}
	s.figure(script.Figure{Name: "shocks", Title: "What the shock would do", Kind: "bar", Table: "shocks", X: "key", Y: []string{"return"}, YUnit: "fraction"})
	if err := s.table(script.Table{Name: "shocks", Columns: []script.Column{
		texts("key", keys), numbers("return", whole[0]), numbers("std_error", whole[1]), numbers("low", whole[2]), numbers("high", whole[3]), numbers("r_squared", whole[4]), numbers("n", whole[5]),
	}}); err != nil {
		return err
	}
	return s.table(script.Table{Name: "shock_factors", Columns: []script.Column{
		texts("key", key), texts("factor", factor), numbers("move", parts[0]), numbers("loading", parts[1]), numbers("std_error", parts[2]), numbers("effect", parts[3]),
	}})
}

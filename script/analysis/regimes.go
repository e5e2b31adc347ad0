package analysis

import (
	"math"

	"ballast/analyze"
	"ballast/script"
)

// regimes is what members did on the days of each regime of the first of them.
type regimes struct {
	keys []string
	rule analyze.Rule
}

func newRegimes(a *arguments) operation {
	var rules []string
	for _, r := range analyze.Rules {
		rules = append(rules, string(r))
	}
	return &regimes{keys: a.keys("keys", 1), rule: analyze.Rule(a.choice("rule", rules...))}
}

func (o *regimes) members() []string { return o.keys }

func (o *regimes) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(o.keys, daily)
	if err != nil {
		return "", err
	}
	// Regimes follow from all returns of the market, so the days without one are left out
	// of all columns.
	market := analyze.Column{Name: columns[0].Name}
	others := make([]analyze.Column, len(columns))
	for t, v := range columns[0].Values {
		if math.IsNaN(v) {
			continue
		}
		market.Values = append(market.Values, v)
		for i, c := range columns {
			others[i].Name, others[i].Values = c.Name, append(others[i].Values, c.Values[t])
		}
	}
	of, err := analyze.Regimes(market, o.rule)
	if err != nil {
		return "", err
	}
	var keys, names []string
	var days, returns, volatility []float64
	for _, c := range others {
		for _, r := range analyze.ByRegime(c, of, w.rows(daily).perYear) {
			keys, names, days = append(keys, c.Name), append(names, r.Regime), append(days, float64(r.Days))
			returns, volatility = append(returns, r.Return), append(volatility, r.Volatility)
		}
	}
	s.figure(script.Figure{Name: "regimes", Title: "Return a year in each regime", Kind: "heatmap", Table: "regimes", X: "key", Y: []string{"regime", "return"}, YUnit: "fraction"})
	return "regimes", s.table(script.Table{Name: "regimes", Columns: []script.Column{
		texts("key", keys), texts("regime", names), numbers("days", days), numbers("return", returns), numbers("volatility", volatility),
	}})
}

package analysis

import (
	"ballast/analyze"
	"ballast/script"
	"ballast/timeseries"
)

// tails is how bad the worst days of members are, and what the others did in the deepest
// drawdown of each.
type tails struct {
	keys  []string
	level float64
}

func newTails(a *arguments) operation {
	return &tails{keys: a.keys("keys", 1), level: a.number("level", 0.5, 1, "0.95")}
}

func (o *tails) members() []string { return o.keys }

func (o *tails) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(o.keys, daily)
	if err != nil {
		return "", err
	}
	var keys, methods []string
	var level, risk, shortfall []float64
	for _, c := range columns {
		found, err := analyze.Tails(c, o.level)
		if err != nil {
			return "", err
		}
		for _, x := range found {
			keys, methods = append(keys, c.Name), append(methods, x.Method)
			level, risk, shortfall = append(level, o.level), append(risk, x.ValueAtRisk), append(shortfall, x.ExpectedShortfall)
		}
	}
	if err := s.table(script.Table{Name: "tails", Columns: []script.Column{
		texts("key", keys), texts("method", methods), numbers("level", level), numbers("value_at_risk", risk), numbers("expected_shortfall", shortfall),
	}}); err != nil {
		return "", err
	}
	if len(o.keys) == 1 {
		s.figure(script.Figure{Name: "tails", Title: "Daily losses that are rarely exceeded", Kind: "bar", Table: "tails", X: "method", Y: []string{"value_at_risk", "expected_shortfall"}, YUnit: "fraction"})
		return "tails", nil
	}
	s.figure(script.Figure{Name: "tails", Title: "Value at risk of a day", Kind: "heatmap", Table: "tails", X: "key", Y: []string{"method", "value_at_risk"}, YUnit: "fraction"})
	return "tails", o.together(w, s, columns)
}

// together writes what all members did from the peak to the valley of each member's
// deepest drawdown, over the days that they have in common.
func (o *tails) together(w *window, s *sheet, columns []analyze.Column) error {
	rows, err := w.common(columns, daily)
	if isAboutData(err) { // the tails of members do not need days in common
		return nil
	}
	if err != nil {
		return err
	}
	found, err := analyze.CoDrawdowns(columns)
	if err != nil {
		return err
	}
	dates := w.rows(daily).dates
	var keys, others []string
	var peaks, valleys []timeseries.Date
	var depth, change, fall []float64
	for i, d := range found {
		peak, valley := timeseries.NoDate, timeseries.NoDate
		if d.Depth < 0 {
			valley = dates[d.Valley]
			if peak = w.before(rows[0]); d.Peak >= 0 {
				peak = dates[d.Peak]
			}
		}
		for j, p := range d.Others {
			keys, others = append(keys, o.keys[i]), append(others, o.keys[j])
			peaks, valleys = append(peaks, peak), append(valleys, valley)
			depth, change, fall = append(depth, d.Depth), append(change, p.Return), append(fall, p.Drawdown)
		}
	}
	s.figure(script.Figure{Name: "together", Title: "What each did in the deepest drawdown of the other", Kind: "heatmap", Table: "together", X: "key", Y: []string{"other", "return"}, YUnit: "fraction"})
	return s.table(script.Table{Name: "together", Columns: []script.Column{
		texts("key", keys), datesColumn("peak", peaks), datesColumn("trough", valleys), numbers("depth", depth), texts("other", others), numbers("return", change), numbers("drawdown", fall),
	}})
}

package analysis

import (
	"math"

	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

// drawdowns are the deepest falls of members from a high.
type drawdowns struct {
	keys []string
	n    int
}

func newDrawdowns(a *arguments) operation {
	return &drawdowns{keys: a.keys("keys", 1), n: a.integer("n", 1, 1000)}
}

func (o *drawdowns) members() []string { return o.keys }

func (o *drawdowns) run(w *window, s *sheet) (string, error) {
	var keys, waterKeys []string
	var peak, trough, recovery, date []timeseries.Date
	var depth, days, below []float64
	for _, key := range o.keys {
		own, err := w.series(key)
		if err != nil {
			return "", err
		}
		for _, d := range metrics.DeepestDrawdowns(own, o.n) {
			keys, depth, days = append(keys, key), append(depth, float64(d.Value)), append(days, float64(*d.Days))
			peak, trough, recovery = append(peak, *d.Peak), append(trough, *d.Valley), append(recovery, orNone(d.Recovery))
		}
		high, value := 1.0, 1.0
		for t, r := range own.Returns {
			value *= 1 + r
			high = max(high, value)
			waterKeys, date, below = append(waterKeys, key), append(date, own.Dates[t]), append(below, value/high-1)
		}
	}
	if err := s.table(script.Table{Name: "drawdowns", Columns: []script.Column{
		texts("key", keys), datesColumn("peak", peak), datesColumn("trough", trough), datesColumn("recovery", recovery), numbers("depth", depth), numbers("days", days),
	}}); err != nil {
		return "", err
	}
	s.figure(script.Figure{Name: "underwater", Title: "Below the highest value so far", Kind: "line", Table: "underwater", X: "date", Y: []string{"drawdown"}, YUnit: "fraction"})
	return "drawdowns", s.table(script.Table{Name: "underwater", Columns: []script.Column{texts("key", waterKeys), datesColumn("date", date), numbers("drawdown", below)}})
}

func orNone(d *timeseries.Date) timeseries.Date {
	if d == nil {
		return timeseries.NoDate
	}
	return *d
}

// missing is a number that does not exist.
var missing = math.NaN()

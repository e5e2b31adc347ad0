package analysis

import (
	"slices"

	"ballast/analyze"
	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

// report gathers what a tear sheet of members shows.
type report struct {
	keys      []string
	benchmark string // "" for none
}

func newReport(a *arguments) operation {
	o := &report{keys: a.keys("keys", 1), benchmark: a.optionalKey("benchmark")}
	if slices.Contains(o.keys, o.benchmark) {
		a.wrong("benchmark", "is "+o.benchmark+", which is also reported on", "another member")
	}
	return o
}

func (o *report) members() []string { return keysOf(o.keys, []string{o.benchmark}) }

func (o *report) run(w *window, s *sheet) (string, error) {
	if err := o.figures(w, s); err != nil {
		return "", err
	}
	all := o.members()
	parts := []operation{
		&drawdowns{keys: all, n: reportDrawdowns},
		&rolling{keys: o.keys, years: reportYears, benchmark: o.benchmark},
		&tails{keys: all, level: reportLevel},
		&stress{keys: all, episodes: analyze.Episodes},
	}
	if len(all) > 1 {
		parts = append(parts, &correlation{keys: all, frequency: daily, method: analyze.Pearson})
	}
	if o.benchmark != "" {
		for _, key := range o.keys {
			parts = append(parts, &factors{y: key, x: []string{o.benchmark}, frequency: daily, lags: analyze.AutomaticLags})
		}
		for _, key := range o.keys {
			parts = append(parts, &attribution{model: key, benchmark: o.benchmark, byYear: true})
		}
	}
	for _, part := range parts {
		// A part that the data do not allow, such as an attribution of members that trade on
		// different days, is left out.
		if _, err := part.run(w, s); err != nil && !isAboutData(err) {
			return "", err
		}
	}
	return "figures", nil
}

// What the parts of a report show.
const (
	reportDrawdowns = 10
	reportLevel     = 0.95
)

var reportYears = []int{1, 3}

// figures writes the usual figures of each member, and its value over time.
func (o *report) figures(w *window, s *sheet) error {
	t := script.Table{Name: "figures", Columns: []script.Column{texts("key", nil), datesColumn("first", nil), datesColumn("last", nil)}}
	for _, name := range metrics.FigureNames {
		t.Columns = append(t.Columns, numbers(name, nil))
	}
	var keys []string
	var dates []timeseries.Date
	var value []float64
	for _, key := range o.members() {
		series, err := w.series(key)
		if err != nil {
			return err
		}
		f := metrics.FiguresOf(metrics.Compute(series, metrics.Options{BarsPerYear: int(w.perYear)}))
		t.Columns[0].Texts = append(t.Columns[0].Texts, key)
		t.Columns[1].Dates, t.Columns[2].Dates = append(t.Columns[1].Dates, f.Start), append(t.Columns[2].Dates, f.End)
		for i, v := range f.Values {
			t.Columns[3+i].Numbers = append(t.Columns[3+i].Numbers, v)
		}
		growth := 1.0
		keys, dates, value = append(keys, key), append(dates, series.Base), append(value, growth)
		for i, r := range series.Returns {
			growth *= 1 + r
			keys, dates, value = append(keys, key), append(dates, series.Dates[i]), append(value, growth)
		}
	}
	if err := s.table(t); err != nil {
		return err
	}
	s.figure(script.Figure{Name: "growth", Title: "Value of 1", Kind: "line", Table: "growth", X: "date", Y: []string{"value"}})
	return s.table(script.Table{Name: "growth", Columns: []script.Column{texts("key", keys), datesColumn("date", dates), numbers("value", value)}})
}

package analysis

import (
	"cmp"
	"fmt"
	"strconv"

	"ballast/analyze"
	"ballast/internal/number"
	"ballast/script"
	"ballast/timeseries"
)

// attribution is where the advantage of one portfolio over another comes from.
type attribution struct {
	model, benchmark string // benchmark "" is cash that earns nothing
	byYear           bool
}

func newAttribution(a *arguments) operation {
	o := &attribution{model: a.key("model"), benchmark: a.optionalKey("benchmark"), byYear: a.choice("by", "member", "year") == "year"}
	if o.model != "" && o.model == o.benchmark {
		a.wrong("benchmark", "is "+o.benchmark+", the model itself", "another member")
	}
	return o
}

func (o *attribution) members() []string { return keysOf([]string{o.model, o.benchmark}) }

// everyPeriod names the row over all years, and the row over all members.
const everyPeriod = "all"

func (o *attribution) run(w *window, s *sheet) (string, error) {
	model, err := w.portfolio(o.model)
	if err != nil {
		return "", err
	}
	benchmark := cashAlone(model.dates)
	if o.benchmark != "" {
		if benchmark, err = w.portfolio(o.benchmark); err != nil {
			return "", err
		}
	}
	names, years, days, err := o.segments(w, model, benchmark)
	if err != nil {
		return "", err
	}
	var keys, periods []string
	columns := make([][]float64, 4)
	add := func(key, period string, e analyze.Effects) {
		keys, periods = append(keys, key), append(periods, period)
		for i, v := range []float64{e.Allocation, e.Selection, e.Interaction, e.Total()} {
			columns[i] = append(columns[i], v)
		}
	}
	var whole *analyze.Attribution
	for _, period := range periodsOf(years, days) {
		if whole, err = analyze.Attribute(names, period.days); err != nil {
			return "", err
		}
		sum := analyze.Effects{}
		for i, e := range whole.Effects {
			if !o.byYear {
				add(names[i], period.name, e)
			}
			sum.Allocation, sum.Selection, sum.Interaction = sum.Allocation+e.Allocation, sum.Selection+e.Selection, sum.Interaction+e.Interaction
		}
		if o.byYear {
			add(everyPeriod, period.name, sum)
		}
	}
	against := cmp.Or(o.benchmark, "cash")
	suffix := s.suffix("attribution")
	for _, x := range []script.Scalar{
		{Name: "return", Value: number.Float(whole.Return), Unit: "fraction", Title: "Return of " + o.model},
		{Name: "benchmark_return", Value: number.Float(whole.Benchmark), Unit: "fraction", Title: "Return of " + against},
		{Name: "active_return", Value: number.Float(whole.Return - whole.Benchmark), Unit: "fraction", Title: "Return of " + o.model + " less that of " + against},
	} {
		x.Name += suffix
		if err := s.scalar(x); err != nil {
			return "", err
		}
	}
	f := script.Figure{Name: "attribution", Title: "Active return by member and period", Kind: "heatmap", Table: "attribution", X: "key", Y: []string{"period", "total"}, YUnit: "fraction"}
	if o.byYear {
		f = script.Figure{Name: "attribution", Title: "Active return by year", Kind: "bar", Table: "attribution", X: "period", Y: []string{"allocation", "selection", "interaction"}, YUnit: "fraction"}
	}
	s.figure(f)
	t := script.Table{Name: "attribution", Columns: []script.Column{texts("key", keys), texts("period", periods)}}
	for i, name := range []string{"allocation", "selection", "interaction", "total"} {
		t.Columns = append(t.Columns, numbers(name, columns[i]))
	}
	return "attribution", s.table(t)
}

// period is a calendar year, or all days.
type period struct {
	name string
	days [][]analyze.Segment
}

// periodsOf divides days by their years. All days are the last period.
func periodsOf(years []int, days [][]analyze.Segment) []period {
	var periods []period
	first := 0
	for t := range days {
		if t+1 == len(days) || years[t+1] != years[t] {
			periods = append(periods, period{strconv.Itoa(years[t]), days[first : t+1]})
			first = t + 1
		}
	}
	return append(periods, period{everyPeriod, days})
}

// segments returns what both portfolios held on each day that they have in common, and
// the year of each day. names are the holdings of either.
func (o *attribution) segments(w *window, model, benchmark *portfolio) (names []string, years []int, days [][]analyze.Segment, err error) {
	names = keysOf(model.names, benchmark.names)
	of := func(p *portfolio, name string, t int) (weight, earned float64) {
		weights := p.weights[name]
		if weights == nil {
			return 0, missing
		}
		if weight = weights[t-1]; weight == 0 {
			return 0, missing
		}
		return weight, p.contributions[name][t] / weight
	}
	from, to := model.cut(w)
	previous := -1 // row of the benchmark on the day before
	for t := max(from-1, 0); t < to; t++ {
		b, shared := timeseries.Find(benchmark.dates, model.dates[t])
		begun := previous >= 0
		switch {
		case !shared && !begun:
			continue
		case !shared && model.dates[t] > benchmark.dates[len(benchmark.dates)-1]:
			t = to
			continue
		case !shared || begun && b != previous+1:
			return nil, nil, nil, dataError(fmt.Sprintf("%s and %s do not trade on the same days around %s, so their returns cannot be compared day by day", o.model, o.benchmark, model.dates[t]))
		}
		if begun {
			segments := make([]analyze.Segment, len(names))
			for i, name := range names {
				segments[i].Weight, segments[i].Return = of(model, name, t)
				segments[i].BenchmarkWeight, segments[i].BenchmarkReturn = of(benchmark, name, b)
			}
			year, _, _ := model.dates[t].YMD()
			years, days = append(years, year), append(days, segments)
		}
		previous = b
	}
	if len(days) == 0 {
		return nil, nil, nil, dataError(fmt.Sprintf("%s and %s have no daily returns in common: %s", o.model, o.benchmark, w.spans([]string{o.model, o.benchmark})))
	}
	return names, years, days, nil
}

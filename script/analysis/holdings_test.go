package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ballast/script"
	"ballast/timeseries"
)

// withModels has two models, P and Q, of AAA, BBB and cash, whose random weights change
// every day.
func withModels(t testing.TB) *timeseries.Frame {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 9))
	a, b := member(r, "AAA", 2007, 4), member(r, "BBB", 2007, 4)
	n := len(a.Series.Dates) + 1
	dates := append([]timeseries.Date{a.Series.Base}, a.Series.Dates...)
	sources := []timeseries.Source{a, b}
	columns := map[script.Holding][]float64{}
	for _, model := range []string{"P", "Q"} {
		s := timeseries.Series{Base: a.Series.Base, Dates: a.Series.Dates, Returns: make([]float64, n-1)}
		put := func(what, name string, t int, v float64) {
			h := script.Holding{What: what, Member: model, Name: name}
			if columns[h] == nil {
				columns[h] = make([]float64, n)
			}
			columns[h][t] = v
		}
		for t := range n {
			x := r.Float64()
			put(script.Weights, "AAA", t, x)
			put(script.Weights, "BBB", t, 0.9-x)
			put(script.Weights, "CASH", t, 0.1)
			put(script.Contributions, "CASH", t, 0)
			if t > 0 {
				before := columns[script.Holding{What: script.Weights, Member: model, Name: "AAA"}][t-1]
				put(script.Contributions, "AAA", t, before*a.Series.Returns[t-1])
				put(script.Contributions, "BBB", t, (0.9-before)*b.Series.Returns[t-1])
				s.Returns[t-1] = before*a.Series.Returns[t-1] + (0.9-before)*b.Series.Returns[t-1]
			}
		}
		sources = append(sources, timeseries.Source{Key: model, Series: s})
		for name, own := range map[string]timeseries.Source{"AAA": a, "BBB": b} {
			columns[script.Holding{What: script.Held, Member: model, Name: name}] = append([]float64{0}, own.Series.Returns...)
		}
	}
	f := frameOf(t, sources...)
	for h, values := range columns {
		f.Outside = append(f.Outside, timeseries.NewOutside(h.Key(), f.Axis, dates, dates, values))
	}
	return f
}

func growth(f *timeseries.Frame, key string, first, last timeseries.Date) float64 {
	value := 1.0
	for i := range f.Members {
		for t, d := range f.Axis {
			if f.Members[i].Key == key && d >= first && d <= last {
				value *= 1 + f.Members[i].Returns[t]
			}
		}
	}
	return value - 1
}

// The effects of each period add up to the active return, by member and by year.
func TestAttribution(t *testing.T) {
	t.Parallel()
	f := withModels(t)
	for _, pair := range [][2]string{{"P", "Q"}, {"P", "AAA"}, {"BBB", "Q"}} {
		for _, by := range []string{"member", "year"} {
			a := analyzed(t, f, `attribution(ctx, "`+pair[0]+`", "`+pair[1]+`", by="`+by+`")`)
			sums := map[string]float64{}
			for i, v := range column(t, a, "attribution", "total").Numbers {
				sums[column(t, a, "attribution", "period").Texts[i]] += v
			}
			if len(sums) != 6 {
				t.Fatalf("periods %v", sums)
			}
			for period, sum := range sums {
				first, last := f.Axis[0], f.Axis[len(f.Axis)-1]
				if period != everyPeriod {
					first, last = dateOf(period+"-01-01"), dateOf(period+"-12-31")
				}
				if want := growth(f, pair[0], first, last) - growth(f, pair[1], first, last); math.Abs(sum-want) > 1e-12 {
					t.Errorf("%v by %s in %s: %v, expected %v", pair, by, period, sum, want)
				}
			}
			if math.Abs(scalar(t, a, "active_return")-sums[everyPeriod]) > 1e-12 {
				t.Error("the scalar is not the sum")
			}
		}
	}
	if err := failure(t, f, `attribution(ctx, "P", "P")`); err.Type != script.ScriptError {
		t.Error(err)
	}
}

func TestStress(t *testing.T) {
	t.Parallel()
	f := withModels(t)
	a := analyzed(t, f, `stress(ctx, ["P", "AAA"], ["2008", "2020", {"name": "spring", "first": "2009-03-10", "last": "2009-05-29"}])`)
	own, today := column(t, a, "stress", "own_return").Numbers, column(t, a, "stress", "today_return").Numbers
	for i, key := range []string{"P", "AAA", "P", "AAA", "P", "AAA"} {
		first, last := column(t, a, "stress", "first").Dates[i], column(t, a, "stress", "last").Dates[i]
		if column(t, a, "stress", "episode").Texts[i] == "2020" {
			if !math.IsNaN(own[i]) || !math.IsNaN(today[i]) {
				t.Errorf("%s has a return of 2020, after its data", key)
			}
			continue
		}
		if want := growth(f, key, first, last); math.Abs(own[i]-want) > 1e-12 {
			t.Errorf("%s from %s to %s: %v, expected %v", key, first, last, own[i], want)
		}
		if key == "AAA" && today[i] != own[i] {
			t.Error("an asset holds itself today")
		}
	}
	p := portfolioOf(t, f, "P")
	n := len(p.dates) - 1
	want := p.weights["AAA"][n]*growth(f, "AAA", dateOf("2009-03-10"), dateOf("2009-05-29")) + p.weights["BBB"][n]*growth(f, "BBB", dateOf("2009-03-10"), dateOf("2009-05-29"))
	if math.Abs(today[4]-want) > 1e-12 {
		t.Errorf("the holdings of today return %v, expected %v", today[4], want)
	}
	for body, message := range map[string]string{
		`stress(ctx, "P", ["208"])`: "did you mean 2008?",
		`stress(ctx, "P", [])`:      "episodes is a list",
		`stress(ctx, "P", [{"name": "x", "first": "2009-03-10", "last": "2009-03-01"}])`: "before it begins",
		`stress(ctx, "P", [{"name": "x", "first": "2009-03-10"}])`:                       "without exactly name, first and last",
	} {
		if err := failure(t, f, body); !strings.Contains(err.Message, message) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func portfolioOf(t testing.TB, f *timeseries.Frame, key string) *portfolio {
	t.Helper()
	w, err := newWindow(f, timeseries.NoDate, timeseries.NoDate)
	check(t, err)
	p, err := w.portfolio(key)
	check(t, err)
	return p
}

func TestWeights(t *testing.T) {
	t.Parallel()
	a := analyzed(t, withModels(t), `w = ctx.weights("P")
c = ctx.contributions("P")
ctx.scalar("total", w["AAA"][7] + w["BBB"][7] + w["CASH"][7])
ctx.scalar("same", len(w["date"]) - len(c["AAA"]))
ctx.scalar("kept", ctx.weights("AAA")["AAA"][0])`)
	if math.Abs(scalar(t, a, "total")-1) > 1e-12 || scalar(t, a, "same") != 0 || scalar(t, a, "kept") != 1 {
		t.Errorf("%v", a.Scalars)
	}
}

// A report has the parts, also for a member that some of them do not suit.
func TestReport(t *testing.T) {
	t.Parallel()
	f := withModels(t)
	a := analyzed(t, f, `report(ctx, ["P", "AAA"], benchmark="Q")`)
	for table, name := range map[string]string{
		"figures": "sharpe", "growth": "value", "drawdowns": "depth", "rolling": "beta", "tails": "value_at_risk",
		"stress": "today_return", "correlation": "value", "factors": "loading", "attribution": "total",
	} {
		if c := column(t, a, table, name); c.Len() == 0 {
			t.Errorf("the table %s is empty", table)
		}
	}
	if got, want := column(t, a, "figures", "total_return").Numbers[0], growth(f, "P", f.Axis[0], f.Axis[len(f.Axis)-1]); math.Abs(got-want) > 1e-12 {
		t.Errorf("total return %v, expected %v", got, want)
	}
	alone := analyzed(t, frameOf(t, member(rand.New(rand.NewPCG(1, 1)), "NEW", 2024, 1)), `report(ctx, "NEW")`)
	if c := column(t, alone, "figures", "sharpe"); c.Len() != 1 {
		t.Error("a short member has no figures")
	}
}

// Every attribute of the context is there.
func TestContext(t *testing.T) {
	t.Parallel()
	f := three(t)
	w, err := newWindow(f, timeseries.NoDate, timeseries.NoDate)
	check(t, err)
	x := newContext(callOf(t, f, scriptOf(f, "pass"), nil), w)
	for _, name := range x.AttrNames() {
		if v, err := x.Attr(name); v == nil || err != nil {
			t.Errorf("the context has no %s: %v", name, err)
		}
	}
}

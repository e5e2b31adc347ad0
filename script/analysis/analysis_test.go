package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ballast/analyze"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// member has random daily returns on weekdays of some years, from January of first.
func member(r *rand.Rand, key string, first, years int) timeseries.Source {
	s := timeseries.Series{Base: timeseries.NewDate(first, time.January, 2)}
	for d := s.Base + 1; d < s.Base+timeseries.Date(366*years); d++ {
		if day := d.Weekday(); day != time.Saturday && day != time.Sunday {
			s.Dates, s.Returns = append(s.Dates, d), append(s.Returns, 0.0003+0.01*r.NormFloat64())
		}
	}
	return timeseries.Source{Key: key, Series: s}
}

func frameOf(t testing.TB, sources ...timeseries.Source) *timeseries.Frame {
	t.Helper()
	f, err := timeseries.Align(sources)
	check(t, err)
	return f
}

// three are members with the same days.
func three(t testing.TB) *timeseries.Frame {
	r := rand.New(rand.NewPCG(1, 2))
	return frameOf(t, member(r, "AAA", 1990, 6), member(r, "BBB", 1990, 6), member(r, "CCC", 1990, 6))
}

// callOf is a call of a script over a frame.
func callOf(t testing.TB, f *timeseries.Frame, source string, inputs map[string]any) sandbox.Call {
	t.Helper()
	p, problems := script.Kinds{script.Model, Kind}.Check(source, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, source)
	}
	in, details := p.Bind(inputs)
	if len(details) > 0 {
		t.Fatal(details)
	}
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	check(t, err)
	return sandbox.Call{Caller: caller, Inputs: in, Frame: f, Progress: func(float64) {}}
}

// scriptOf has a body of analyze, over the members of a frame.
func scriptOf(f *timeseries.Frame, body string) string {
	var keys []string
	for i := range f.Members {
		keys = append(keys, `"`+f.Members[i].Key+`"`)
	}
	return "from harness import vector, " + strings.Join(Functions(), ", ") + "\nNAME = \"A\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [" +
		strings.Join(keys, ", ") + "]}}\ndef analyze(ctx):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
}

func analyzed(t testing.TB, f *timeseries.Frame, body string) *script.Answer {
	t.Helper()
	a, err := Execute(t.Context(), callOf(t, f, scriptOf(f, body), nil))
	check(t, err)
	return a
}

// failure is the error of a script, which must have one.
func failure(t testing.TB, f *timeseries.Frame, body string) *script.RunError {
	t.Helper()
	_, err := Execute(t.Context(), callOf(t, f, scriptOf(f, body), nil))
	if err == nil {
		t.Fatalf("%s: no error", body)
	}
	return script.AsRunError(err)
}

func column(t testing.TB, a *script.Answer, table, name string) script.Column {
	t.Helper()
	for _, x := range a.Tables {
		for _, c := range x.Columns {
			if x.Name == table && c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("there is no column %s of %s", name, table)
	return script.Column{}
}

func scalar(t testing.TB, a *script.Answer, name string) float64 {
	t.Helper()
	for _, x := range a.Scalars {
		if x.Name == name {
			return float64(x.Value)
		}
	}
	t.Fatalf("there is no scalar %s", name)
	return 0
}

func TestFactors(t *testing.T) {
	t.Parallel()
	f := three(t)
	a := analyzed(t, f, `factors(ctx, "AAA", ["BBB", "CCC"])`)
	w, err := newWindow(f, timeseries.NoDate, timeseries.NoDate)
	check(t, err)
	columns, err := w.columnsOf([]string{"AAA", "BBB", "CCC"}, daily)
	check(t, err)
	want, err := analyze.Regress(columns[0], columns[1:], analyze.AutomaticLags)
	check(t, err)
	for i, c := range want.Coefficients {
		if got := column(t, a, "factors", "loading").Numbers[i]; math.Abs(got-c.Loading) > 1e-15 || column(t, a, "factors", "factor").Texts[i] != c.Name {
			t.Errorf("loading %v of %s, expected %v", got, c.Name, c.Loading)
		}
	}
	if got := scalar(t, a, "alpha_annual"); math.Abs(got-252*want.Coefficients[0].Loading) > 1e-15 {
		t.Errorf("alpha_annual %v", got)
	}
	if got := scalar(t, a, "n"); got != float64(len(f.Axis)-1) {
		t.Errorf("n %v of %d", got, len(f.Axis)-1)
	}
	if rows := len(column(t, a, "rolling_factors", "date").Dates); rows != 2*(len(f.Axis)-756) {
		t.Errorf("%d rolling rows", rows)
	}
}

// A member explained by itself has a loading of 1 and nothing else, also in excess of a
// rate.
func TestFactorsOfItself(t *testing.T) {
	t.Parallel()
	for _, riskless := range []string{"None", "0.03", `"CCC"`} {
		a := analyzed(t, three(t), `factors(ctx, "AAA", ["AAA"], riskless=`+riskless+`, frequency="monthly")`)
		loading := column(t, a, "factors", "loading").Numbers
		if math.Abs(loading[0]) > 1e-12 || math.Abs(loading[1]-1) > 1e-12 || scalar(t, a, "r_squared") != 1 {
			t.Errorf("loadings %v", loading)
		}
	}
}

func TestCorrelation(t *testing.T) {
	t.Parallel()
	a := analyzed(t, three(t), `m = correlation(ctx, ["AAA", "BBB", "CCC"], frequency="monthly", method="spearman")
ctx.scalar("first", m["value"][0])
v = correlation(vector([1, 2, 3]), vector([1, 2, 4]))
ctx.scalar("plain", v)`)
	if len(column(t, a, "correlation", "value").Numbers) != 9 || scalar(t, a, "first") != 1 {
		t.Error("the table is not all pairs")
	}
	if v := scalar(t, a, "plain"); !(v > 0.9 && v < 1) {
		t.Errorf("correlation of vectors is %v", v)
	}
}

func TestComponents(t *testing.T) {
	t.Parallel()
	a := analyzed(t, three(t), `components(ctx, ["AAA", "BBB", "CCC"])`)
	total := 0.0
	for _, v := range column(t, a, "components", "share").Numbers {
		total += v
	}
	if math.Abs(total-1) > 1e-12 || len(column(t, a, "loadings", "key").Texts) != 9 {
		t.Errorf("the shares add up to %v", total)
	}
}

// Months are compounded from month end to month end; the first, incomplete one is left
// out.
func TestMonths(t *testing.T) {
	t.Parallel()
	f := three(t)
	w, err := newWindow(f, timeseries.NoDate, timeseries.NoDate)
	check(t, err)
	m := w.rows(monthly)
	if !math.IsNaN(m.columns[0].Values[0]) {
		t.Error("the first month has a return")
	}
	index := timeseries.Index(nil, f.Members[0].Returns)
	for k := 1; k < len(m.dates); k++ {
		from, _ := timeseries.Find(f.Axis, m.dates[k-1])
		to, _ := timeseries.Find(f.Axis, m.dates[k])
		if want := index[to]/index[from] - 1; math.Abs(m.columns[0].Values[k]-want) > 1e-14 {
			t.Fatalf("month to %s: %v, expected %v", m.dates[k], m.columns[0].Values[k], want)
		}
	}
}

func TestOwnResults(t *testing.T) {
	t.Parallel()
	a := analyzed(t, three(t), `p = ctx.panel(["AAA", "BBB"], "monthly")
days = ctx.dates(["AAA", "BBB"], "monthly")
ctx.table("mine", {"date": days, "aaa": p["AAA"], "kind": ["x"] * len(days), "none": [None] * len(days)})
ctx.figure("mine", "line", "mine", "date", ["aaa"], title="Mine")
ctx.scalar("last", p["AAA"][-1], unit="fraction", title="Last")
ctx.scalar("nothing", None)
ctx.log("done")`)
	if len(column(t, a, "mine", "date").Dates) != len(column(t, a, "mine", "aaa").Numbers) || !math.IsNaN(column(t, a, "mine", "none").Numbers[0]) {
		t.Error("the table is not what was written")
	}
	if len(a.Figures) != 1 || a.Figures[0].Title != "Mine" || !math.IsNaN(scalar(t, a, "nothing")) {
		t.Errorf("figures %v", a.Figures)
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	f := three(t)
	a, err := Execute(t.Context(), callOf(t, f, scriptOf(f, `correlation(ctx, ["AAA", "BBB"])`), map[string]any{"start_date": "1992-01-01", "end_date": "1992-12-31"}))
	check(t, err)
	if a.Drawn.First.String() != "1992-01-01" || a.Drawn.Last.String() != "1992-12-31" {
		t.Errorf("from %s to %s", a.Drawn.First, a.Drawn.Last)
	}
	if n := column(t, a, "correlation", "n").Numbers[0]; n != 262 {
		t.Errorf("%v days in 1992", n)
	}
}

// What is wrong is said with what is accepted.
func TestFailures(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	apart := frameOf(t, member(r, "OLD", 1980, 3), member(r, "NEW", 1990, 3))
	twin := member(r, "AAA", 1990, 3)
	double := twin
	double.Key, double.Series.Returns = "TWICE", slices.Clone(twin.Series.Returns)
	for i := range double.Series.Returns {
		double.Series.Returns[i] *= 2
	}
	collinear := frameOf(t, twin, double, member(r, "BBB", 1990, 3))
	short := frameOf(t, member(r, "AAA", 1990, 6), member(r, "BBB", 1990, 6))
	for _, c := range []struct {
		frame      *timeseries.Frame
		body, want string
		kind       script.RunErrorType
	}{
		{apart, `factors(ctx, "OLD", ["NEW"])`, "factors: OLD and NEW have no daily returns in common: OLD from 1980-01-03 to 1983-01-03, NEW from 1990-01-03 to 1993-01-01", script.DataError},
		{apart, `correlation(ctx, ["OLD", "NEW"], "monthly")`, "have no monthly returns in common: OLD from", script.DataError},
		{collinear, `factors(ctx, "BBB", ["AAA", "TWICE"])`, "TWICE is a combination of AAA", script.DataError},
		{short, `factors(ctx, "AAA", ["CCC"])`, "CCC is not in the universe, which has AAA and BBB: add it there", script.ScriptError},
		{short, `factors(ctx, "AAA", ["BBB"], frequency="weekly")`, `factors: frequency is "weekly"; accepted: daily, monthly`, script.ScriptError},
		{short, `factors(ctx, "AAA", ["AAA", "BBB"])`, "x contains AAA, the member that is explained", script.ScriptError},
		{short, `factors(ctx, "AAA", [])`, "x names 0 members; accepted: at least 1", script.ScriptError},
		{short, `factors(ctx, "AAA", "BBB", lags=-1)`, "lags is -1; accepted: an integer from 0 to 1000", script.ScriptError},
		{short, `factors(ctx, "AAA", "BBB", riskless=7)`, "riskless is 7", script.ScriptError},
		{short, `correlation(ctx, ["AAA", "AAA"])`, "keys names AAA twice", script.ScriptError},
		{short, `correlation(ctx, ["AAA"])`, "keys names 1 members", script.ScriptError},
		{short, `ctx.log("x")`, "analyze found nothing", script.ScriptError},
		{short, `return 5`, "analyze returned 5", script.ScriptError},
		{short, `ctx.table("a", {"x": [1], "y": [1, 2]})`, "column y has 2 values, and column x has 1", script.ScriptError},
		{short, `ctx.table("a b", {"x": [1]})`, `name is "a b"`, script.ScriptError},
		{short, `ctx.scalar("a", "b")`, `value is "b"`, script.ScriptError},
		{short, `ctx.table("a", {"x": [1]})` + "\n" + `ctx.figure("f", "pie", "a", "x", ["x"])`, `kind is "pie"`, script.ScriptError},
		{short, `ctx.table("a", {"x": [1]})` + "\n" + `ctx.figure("f", "line", "a", "x", ["z"])`, "y names z, which is no column of a; accepted: x", script.ScriptError},
	} {
		err := failure(t, c.frame, c.body)
		if err.Type != c.kind || !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %v, expected %s: %s", c.body, err, c.kind, c.want)
		}
	}
}

func noSeries(string) bool { return false }

func TestSourceOf(t *testing.T) {
	t.Parallel()
	source, details := SourceOf("factors", map[string]any{"y": "AAA", "x": []any{"BBB", "CCC"}, "lags": 3.0}, map[string]any{"start_date": "1991-01-01"}, noSeries)
	if len(details) > 0 {
		t.Fatal(details)
	}
	a, err := Execute(t.Context(), callOf(t, three(t), source, nil))
	check(t, err)
	if scalar(t, a, "lags") != 3 || a.Drawn.First.String() != "1991-01-01" {
		t.Errorf("%s\nlags %v, from %s", source, scalar(t, a, "lags"), a.Drawn.First)
	}
	for _, c := range []struct {
		function  string
		arguments map[string]any
		field     string
	}{
		{"factor", nil, "kind"},
		{"factors", map[string]any{"y": "AAA"}, "arguments.x"},
		{"factors", map[string]any{"y": "AAA", "x": []any{1.0}}, "arguments.x"},
		{"factors", map[string]any{"y": "AAA", "x": []any{"BBB"}, "z": 1.0}, "arguments.z"},
		{"correlation", map[string]any{"keys": []any{"AAA"}}, "arguments.keys"},
		{"correlation", map[string]any{"keys": []any{"AAA", "BBB"}, "method": "kendall"}, "arguments.method"},
		{"correlation", nil, "arguments.keys"},
	} {
		if _, details := SourceOf(c.function, c.arguments, nil, noSeries); len(details) == 0 || details[0].Field != c.field {
			t.Errorf("%s(%v): %v, expected a problem of %s", c.function, c.arguments, details, c.field)
		}
	}
	_, details = SourceOf("correlation", map[string]any{"keys": []any{"AAA", "BBB"}}, map[string]any{"universe": []any{"AAA"}, "begin": 1.0}, noSeries)
	if len(details) != 2 || details[0].Field != "inputs.universe" || details[1].Field != "inputs.begin" {
		t.Errorf("%v", details)
	}
}

// Every function of the harness is carried out, and no other.
func TestOperations(t *testing.T) {
	t.Parallel()
	for _, name := range Functions() {
		if operations[name] == nil {
			t.Errorf("%s is not carried out", name)
		}
	}
	if len(operations) != len(Functions()) {
		t.Errorf("%d operations for %d functions", len(operations), len(Functions()))
	}
}

func TestStyle(t *testing.T) {
	t.Parallel()
	a := analyzed(t, three(t), `style(ctx, "AAA", ["AAA"])
style(ctx, "AAA", ["BBB", "CCC"])`)
	total := 0.0
	for _, v := range column(t, a, "style", "weight").Numbers {
		total += v
	}
	if scalar(t, a, "r_squared") != 1 || math.Abs(total-2) > 1e-12 || !(scalar(t, a, "r_squared_2") < 1) {
		t.Errorf("weights add up to %v, R² is %v", total, scalar(t, a, "r_squared"))
	}
	column(t, a, "rolling_style", "weight")
}

func TestTails(t *testing.T) {
	t.Parallel()
	f := three(t)
	a := analyzed(t, f, `tails(ctx, ["AAA", "BBB"], level=0.99)`)
	w, err := newWindow(f, timeseries.NoDate, timeseries.NoDate)
	check(t, err)
	c, err := w.column("AAA", daily)
	check(t, err)
	want, err := analyze.Tails(c, 0.99)
	check(t, err)
	for i, x := range want {
		if column(t, a, "tails", "value_at_risk").Numbers[i] != x.ValueAtRisk || column(t, a, "tails", "method").Texts[i] != x.Method {
			t.Errorf("row %d is not %v", i, x)
		}
	}
	if len(column(t, a, "together", "return").Numbers) != 4 {
		t.Error("not all pairs")
	}
}

// The depth of each drawdown is the growth from its peak to its trough.
func TestDrawdowns(t *testing.T) {
	t.Parallel()
	f := three(t)
	a := analyzed(t, f, `drawdowns(ctx, ["AAA", "BBB"], n=4)`)
	index := timeseries.Index(nil, f.Members[0].Returns)
	depth, open := column(t, a, "drawdowns", "depth").Numbers, 0
	if len(depth) != 8 {
		t.Fatalf("%d drawdowns", len(depth))
	}
	for i := range 4 {
		peak, _ := timeseries.Find(f.Axis, column(t, a, "drawdowns", "peak").Dates[i])
		trough, _ := timeseries.Find(f.Axis, column(t, a, "drawdowns", "trough").Dates[i])
		if want := index[trough]/index[peak] - 1; math.Abs(depth[i]-want) > 1e-12 {
			t.Errorf("drawdown %d: %v, expected %v", i, depth[i], want)
		}
		if column(t, a, "drawdowns", "recovery").Dates[i] == timeseries.NoDate {
			open++
		}
	}
	if open > 1 {
		t.Errorf("%d drawdowns are open", open)
	}
}

func TestRolling(t *testing.T) {
	t.Parallel()
	f := three(t)
	a := analyzed(t, f, `rolling(ctx, ["AAA", "BBB"], [1, 3], benchmark="BBB")`)
	n := len(f.Axis) - 1
	returns, beta := column(t, a, "rolling", "return").Numbers, column(t, a, "rolling", "beta").Numbers
	if len(returns) != 2*(n-251)+2*(n-755) {
		t.Fatalf("%d windows", len(returns))
	}
	index := timeseries.Index(nil, f.Members[0].Returns)
	if want := index[252]/index[0] - 1; math.Abs(returns[0]-want) > 1e-12 {
		t.Errorf("the first year returns %v, expected %v", returns[0], want)
	}
	if last := beta[len(beta)-1]; math.Abs(last-1) > 1e-9 {
		t.Errorf("the beta of BBB on itself is %v", last)
	}
	empty := analyzed(t, f, `rolling(ctx, "AAA", 10)`)
	if len(column(t, empty, "rolling", "key").Texts) != 0 {
		t.Error("six years have a window of ten")
	}
}

func TestRegimes(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"drawdown", "volatility", "trend"} {
		a := analyzed(t, three(t), `regimes(ctx, ["AAA", "BBB"], "`+rule+`")`)
		if len(column(t, a, "regimes", "key").Texts) != 4 {
			t.Errorf("%s: %v", rule, column(t, a, "regimes", "regime").Texts)
		}
	}
}

package script

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// panel returns a frame of n sessions from 2020-01-02 on. SPY gains 1 % per session; AGG,
// which starts on the tenth, loses half a percent.
func panel(t testing.TB, n int) *timeseries.Frame {
	t.Helper()
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2020, time.January, 1))
	series := func(from int, r float64) timeseries.Series {
		s := timeseries.Series{Base: cal.Session(first + from)}
		for i := from + 1; i < n; i++ {
			s.Dates = append(s.Dates, cal.Session(first+i))
			s.Returns = append(s.Returns, r)
		}
		return s
	}
	f, err := timeseries.Align([]timeseries.Source{{Key: "SPY", Series: series(0, 0.01)}, {Key: "AGG", Series: series(9, -0.005)}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func execute(t testing.TB, text string, values map[string]any, limits RunnerLimits) (*backtest.Result, *Runner, error) {
	t.Helper()
	p := mustCheck(t, text)
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		t.Fatal(details)
	}
	f := panel(t, 60)
	r, err := NewRunner(p, inputs, f, limits)
	if err != nil {
		return nil, nil, err
	}
	result, err := backtest.Run(context.Background(), f, p.Spec(inputs), r, backtest.Everything)
	return result, r, err
}

const daily = `NAME = "Test"
SCHEDULE = "daily"
START = "first_member"
INPUTS = {"universe": {"type": "array", "default": ["SPY", "AGG"]}, "share": {"type": "number", "default": 0.5}, "note": {"type": "string", "default": None}}
`

func TestRunnerDecides(t *testing.T) {
	t.Parallel()
	result, r, err := execute(t, daily+`
def decide(ctx):
    if ctx.last_decision is None:
        print(ctx.universe, ctx.inputs["share"], ctx.inputs.note, ctx.inputs.start_date, ctx.bars_per_year)
    if ctx.sessions("AGG") == 2:
        p = ctx.prices("SPY", 3)
        ctx.log("%d %s %s" % (ctx.sessions("SPY"), ctx.prices("AGG", 9), ctx.returns("AGG")))
        ctx.log([round(x, 6) for x in p])
        ctx.log([len(ctx.prices("SPY")), len(ctx.returns("SPY")), len(ctx.prices("SPY", 0)), sorted(ctx.panel(ctx.universe).items())[0][1]])
    if ctx.date == "2020-01-06":
        ctx.log([ctx.weights, round(ctx.equity, 6), round(ctx.cash, 6), ctx.last_decision])
    ctx.record("n", len(ctx.universe))
    return {s: ctx.inputs.share / len(ctx.universe) for s in ctx.universe}
`, map[string]any{"initial_cash": 2000}, RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`2020-01-02 ['SPY'] 0.5 None None 252`,
		`2020-01-06 [{'SPY': 0.5024875621890547}, 2020.05, 1005.0, '2020-01-03']`,
		`2020-01-16 11 vector([1, 0.995]) vector([-0.005])`,
		`2020-01-16 [1.08285670562808, 1.093685, 1.104622]`,
		`2020-01-16 [11, 10, 0, vector([-0.005])]`,
	}
	got := r.Log()
	want[3] = "2020-01-16 [1.082857, 1.093685, 1.104622]"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if result.Summary.InitialCash != 2000 || result.Dates[0].String() != "2020-01-02" || result.Custom[0].Values[20] != 2 {
		t.Errorf("base %s, cash %v, custom %v", result.Dates[0], result.Summary.InitialCash, result.Custom)
	}
	if w := result.Weights[1][59]; math.Abs(w-0.25) > 1e-15 {
		t.Errorf("AGG weighs %v at the end", w)
	}
	if r.Steps() == 0 {
		t.Error("no steps were counted")
	}
}

func TestRunnerRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		kind       RunErrorType
		date       string
		line       int
		message    string
	}{
		{"a symbol outside the universe", `return {"SPYY": 1}`, ScriptError, "2020-01-02", 7, "SPYY is not in the universe; did you mean SPY?"},
		{"prices of one", `return {"SPY": ctx.prices("QQQ", 3).last()}`, ScriptError, "2020-01-02", 7, "QQQ is not in the universe"},
		{"NaN", `return {"SPY": float("nan")}`, ScriptError, "2020-01-02", 7, "the weight of SPY is not a number (NaN)"},
		{"infinity", `return {"SPY": float("inf")}`, ScriptError, "2020-01-02", 7, "the weight of SPY is infinite"},
		{"no bar yet", `return {"AGG": 1}`, ScriptError, "2020-01-02", 7, "AGG has a weight of 1, but no bar yet (its first is on 2020-01-15)"},
		{"a list", `return ["SPY"]`, ScriptError, "2020-01-02", 7, "decide returned a list"},
		{"a text weight", `return {"SPY": "1"}`, ScriptError, "2020-01-02", 7, "the weight of SPY is a string"},
		{"one of two answers", "if ctx.cash > 0:\n        return {1: 1}\n    return {}", ScriptError, "2020-01-02", 6, "decide returned the key 1"},
		{"a wrong CASH", `return {"SPY": 0.5, "CASH": 0.4}`, ScriptError, "2020-01-02", 7, "CASH is 0.4, but the other weights leave 0.5"},
		{"percentages", `return {"SPY": 60, "CASH": 40}`, ScriptError, "2020-01-02", 7, "the weights add up to 100, which looks like percentages; weights are fractions of equity: 0.6 is 60 %"},
		{"percentages with nothing", `return {"SPY": 100, "AGG": 0}`, ScriptError, "2020-01-02", 7, "looks like percentages"},
		{"a division by zero", `return {"SPY": 1 / 0}`, ScriptError, "2020-01-02", 7, "division by zero"},
		{"short history", `return {"SPY": momentum(ctx.prices("SPY", 5))}`, ScriptError, "2020-01-02", 7, "momentum: prices has 1 value, but 2 are needed"},
		{"a loop for ever", "while True:\n        pass", StepLimit, "2020-01-02", 0, "more steps"},
		{"recursion", `return (lambda f: f(f))(lambda f: f(f))`, ScriptError, "2020-01-02", 7, "calls itself, which is not part of the dialect: write a loop"},
		{"state between decisions", `X.append(1)`, ScriptError, "2020-01-02", 7, "do not change from one decision"},
		{"a bad series name", `ctx.record("", 1)`, ScriptError, "2020-01-02", 7, "cannot be the name of a series"},
		{"vectors of two lengths", `return {"SPY": (ctx.prices("SPY") + ctx.returns("SPY")).sum()}`, ScriptError, "2020-01-02", 7, "vectors of 1 and 0 values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := "from harness import momentum; X = [momentum]\n" + daily + "def decide(ctx):\n    " + c.body + "\n"
			_, _, err := execute(t, text, nil, RunnerLimits{Steps: 100_000})
			got := AsRunError(err)
			if err == nil || got.Type != c.kind || got.Date != c.date || c.line > 0 && got.Line != c.line || !strings.Contains(got.Message, c.message) {
				t.Fatalf("%#v", got)
			}
			if c.kind == ScriptError && !strings.Contains(got.Traceback, "in decide") {
				t.Errorf("traceback %q", got.Traceback)
			}
		})
	}
}

func TestTracebackShowsTheScriptsOwnLines(t *testing.T) {
	t.Parallel()
	_, _, err := execute(t, daily+"def scale(x):\n    return x / 0\n\ndef decide(ctx):\n    return {\"SPY\": scale(1.0)}\n", nil, RunnerLimits{})
	want := `Traceback (most recent call last):
  line 9, in decide
    return {"SPY": scale(1.0)}
  line 6, in scale
    return x / 0
Error: division by zero: test the divisor first, for example x / y if y != 0 else 0.0`
	if d := cmp.Diff(want, AsRunError(err).Traceback); d != "" {
		t.Error(d)
	}
}

func TestTopLevelFailureHasNoDate(t *testing.T) {
	t.Parallel()
	_, _, err := execute(t, daily+"X = [][1]\ndef decide(ctx):\n    return None\n", nil, RunnerLimits{})
	if got := AsRunError(err); got.Date != "" || got.Line != 5 || got.Type != ScriptError {
		t.Errorf("%#v", got)
	}
}

func TestCancelNamesItsReason(t *testing.T) {
	t.Parallel()
	p := mustCheck(t, daily+"def decide(ctx):\n    while True:\n        pass\n")
	inputs, _ := p.Bind(nil)
	f := panel(t, 20)
	r, err := NewRunner(p, inputs, f, RunnerLimits{Steps: 1 << 60})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, func() { r.Cancel(string(TimeLimit)) })
	_, err = backtest.Run(context.Background(), f, p.Spec(inputs), r, backtest.Everything)
	if got := AsRunError(err); got.Type != TimeLimit || got.Line == 0 || got.Date != "2020-01-02" {
		t.Errorf("%#v", got)
	}
}

func TestAsRunError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want RunErrorType
	}{
		{&backtest.DecisionError{Key: "SPY", Err: errors.New("x")}, ScriptError},
		{&backtest.StartError{Message: "no bars"}, DataError},
		{context.DeadlineExceeded, TimeLimit},
		{errors.New("something else"), InternalError},
	} {
		if got := AsRunError(c.err); got.Type != c.want {
			t.Errorf("%v is %s, want %s", c.err, got.Type, c.want)
		}
	}
}

func TestLogIsCapped(t *testing.T) {
	t.Parallel()
	_, r, err := execute(t, daily+"def decide(ctx):\n    for i in range(10):\n        print(i)\n    return {}\n", nil, RunnerLimits{LogLines: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2020-01-02 0", "2020-01-02 1", "2020-01-02 2", "… the log is full; what follows is left out"}
	if d := cmp.Diff(want, r.Log()); d != "" {
		t.Error(d)
	}
}

// BenchmarkDecision measures the cost of a decision besides the script's own work.
func BenchmarkDecision(b *testing.B) {
	for name, body := range map[string]string{
		"fixed":    "    return {\"SPY\": 0.6, \"AGG\": 0.4}\n",
		"momentum": "    return equal_weight(top({s: momentum(ctx.prices(s, 20)) for s in ctx.universe}, 1))\n",
	} {
		b.Run(name, func(b *testing.B) {
			p := mustCheck(b, "from harness import momentum, top, equal_weight\n"+daily+"def decide(ctx):\n"+body)
			inputs, _ := p.Bind(nil)
			f := panel(b, 60)
			r, err := NewRunner(p, inputs, f, RunnerLimits{Steps: 1 << 62})
			if err != nil {
				b.Fatal(err)
			}
			s := &backtest.Session{
				Frame: f, T: 50, Date: f.Axis[50], Weights: []float64{0.6, 0.4}, Equity: 1, Tradable: []bool{true, true}, Last: 49,
			}
			target := make([]float64, 2)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Decide(s, target); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheck measures the static checks of the contract's own example and of
// a script of 200 lines.
func BenchmarkCheck(b *testing.B) {
	long := regional
	for i := 0; strings.Count(long, "\n") < 200; i++ {
		long += strings.ReplaceAll(`
def scoreN(ctx, symbols):
    """Scores of one kind, for those with enough history."""
    lookback = ctx.inputs.lookback
    scores = {}
    for s in symbols:
        if ctx.sessions(s) <= lookback:
            continue
        prices = ctx.prices(s, lookback)
        gained = momentum(prices, skip=21 if lookback > 42 else 0)
        if gained > 0 and prices.last() > prices.mean():
            scores[s] = gained / (1 + prices.std()) + N
        else:
            scores[s] = -1.0
    best = [s for s in top(scores, ctx.inputs.hold) if scores[s] > 0]
    weights = equal_weight(best, total=0.5)
    ctx.record("held.N", len(best))
    return {s: w for s, w in sorted(weights.items()) if w > 0.001}
`, "N", strconv.Itoa(i))
	}
	for name, text := range map[string]string{"example": regional, "200 lines": long} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, found := Check(text, nil); len(found) > 0 {
					b.Fatal(found)
				}
			}
		})
	}
}

package script

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/timeseries"
)

const seriesReader = `NAME = "Reader"
SCHEDULE = %s
START = "two_members"
UNIVERSE = ["A", "B", "C", "D", "E"]

def decide(ctx):
    latest = ctx.series("S.K", 1)
    if len(latest) == 0:
        return {}
    return {"A": 0.5 if latest.last() > 0 else 0.1}
`

// withSeries puts a column on a frame with a value on every session, known some
// sessions later.
func withSeries(f *timeseries.Frame, lag int) *timeseries.Frame {
	rng := rand.New(rand.NewPCG(7, 7))
	values := make([]float64, len(f.Axis))
	known := make([]timeseries.Date, len(f.Axis))
	for t := range values {
		if values[t], known[t] = rng.NormFloat64(), timeseries.NoDate; t+lag < len(f.Axis) {
			known[t] = f.Axis[t+lag]
		}
	}
	with := *f
	with.Outside = []timeseries.Outside{timeseries.NewOutside("S.K", f.Axis, known, f.Axis, values)}
	return &with
}

// early is the frame as a context would read it that takes what is known one session
// later.
func early(f *timeseries.Frame) *timeseries.Frame {
	wrong := *f
	o := f.Outside[0]
	o.Ends = append(slices.Clone(o.Ends[:1]), append(slices.Clone(o.Ends[2:]), o.Ends[len(o.Ends)-1])...)
	wrong.Outside = []timeseries.Outside{o}
	return &wrong
}

// A context that showed a series one session too early would be found by the proof of
// every build, and one that does not is causal.
func TestPeekingAtSeriesIsCaught(t *testing.T) {
	t.Parallel()
	for _, schedule := range []string{`"daily"`, `"weekly"`, `"monthly"`} {
		for _, lag := range []int{0, 3, 15} {
			f := withSeries(raggedFrame(t, 23, 250), lag)
			p := mustCheck(t, strings.Replace(seriesReader, "%s", schedule, 1))
			for name, read := range map[string]func(*timeseries.Frame) *timeseries.Frame{
				"as known": func(f *timeseries.Frame) *timeseries.Frame { return f }, "early": early,
			} {
				verdict := readAs(t, p, f, read)
				if verdict.Causal != (name == "as known") {
					t.Errorf("%s, lag %d, %s: causal %t", schedule, lag, name, verdict.Causal)
				}
				if d := verdict.Difference; d != nil && d.Column == backtest.ColumnView && d.Symbol != "S.K" {
					t.Errorf("%s, lag %d: %+v", schedule, lag, d)
				}
			}
		}
	}
}

// readAs checks the causality of a script whose context reads frames in some way.
func readAs(t *testing.T, p *Script, f *timeseries.Frame, read func(*timeseries.Frame) *timeseries.Frame) *backtest.Causality {
	t.Helper()
	in, _ := p.Bind(nil)
	d, err := NewRunner(p, in, read(f), RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	d.Remember()
	r, err := backtest.Run(context.Background(), f, p.Spec(in), d, backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := backtest.CheckCausality(context.Background(), f, p.Spec(in), r, 1, func(past *timeseries.Frame) (backtest.Decider, error) {
		again, err := NewRunner(p, in, read(past), RunnerLimits{})
		if err == nil {
			again.Repeat(d)
		}
		return again, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// The columns of a script are known before it runs.
func TestSeriesOfScripts(t *testing.T) {
	t.Parallel()
	const head = "NAME = \"S\"\nSCHEDULE = \"daily\"\n"
	body := func(expression string) string {
		return "\n\ndef decide(ctx):\n    x = " + expression + "\n    return None\n"
	}
	for _, c := range []struct {
		name, text string
		given      map[string]any
		want       []string
		refused    string
	}{
		{name: "named twice", text: head + "UNIVERSE = [\"A\"]" + body(`len(ctx.series("ff5.smb")) + len(ctx.series_dates(name="FF5.SMB", n=1)) + len(ctx.series("A" + ".B"))`), want: []string{"A.B", "FF5.SMB"}},
		{name: "a constant", text: head + "UNIVERSE = [\"A\"]\nRATE = \"BILLS.RF\"" + body(`ctx.series(RATE).last()`), want: []string{"BILLS.RF"}},
		{name: "inputs", text: head + "INPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"A\"]}, \"c\": {\"type\": \"array\", \"format\": \"series\", \"default\": [\"X.A\"]}}" + body(`[ctx.series(k) for k in ctx.inputs.c]`), given: map[string]any{"c": []any{"X.B", "x.a"}}, want: []string{"X.A", "X.B"}},
		{name: "computed", text: head + "UNIVERSE = [\"A\"]" + body(`ctx.series(ctx.date)`), refused: "must be known before the script runs"},
		{name: "not a column", text: head + "UNIVERSE = [\"A\"]" + body(`ctx.series("SPY")`), refused: "which is NAME.KEY"},
		{name: "a default that is none", text: head + "INPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"A\"]}, \"c\": {\"type\": \"string\", \"format\": \"series\", \"default\": \"X\"}}" + body(`ctx.series(ctx.inputs.c)`), refused: "not a column of a series"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, problems := Check(c.text, nil)
			if c.refused != "" {
				if len(problems) == 0 || !strings.Contains(problems[0].Message, c.refused) {
					t.Errorf("%+v", problems)
				}
				return
			}
			if len(problems) > 0 {
				t.Fatalf("%+v", problems)
			}
			in, details := p.Bind(c.given)
			if got := p.Series(in); len(details) > 0 || !slices.Equal(got, c.want) {
				t.Errorf("%v instead of %v, %v", got, c.want, details)
			}
		})
	}
}

// A column that was not read for the run is an error that says how to name it.
func TestSeriesNotRead(t *testing.T) {
	t.Parallel()
	f := withSeries(raggedFrame(t, 3, 60), 0)
	p := mustCheck(t, strings.Replace(strings.Replace(seriesReader, "%s", `"daily"`, 1), "S.K", "S.KAY", 1))
	in, _ := p.Bind(nil)
	d, err := NewRunner(p, in, f, RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = backtest.Run(context.Background(), f, p.Spec(in), d, backtest.Everything)
	if e := AsRunError(err); e == nil || e.Type != ScriptError || !strings.Contains(e.Message, "S.KAY is not among the series of this run (did you mean S.K?)") {
		t.Errorf("%v", err)
	}
}

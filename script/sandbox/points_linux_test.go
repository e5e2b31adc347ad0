package sandbox

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

const momentumScript = `from harness import equal_weight, momentum, top

NAME = "Momentum"
INPUTS = {
    "universe": {"type": "array", "default": ["A000", "A001", "A002"]},
    "lookback": {"type": "integer", "default": 20, "minimum": 0, "maximum": 1000},
}
SCHEDULE = "monthly"


def decide(ctx):
    n = ctx.inputs.lookback
    if min([ctx.sessions(s) for s in ctx.universe]) <= n:
        return None
    if n == 13:
        return {"A000": 1 / (n - 13)}
    return equal_weight(top({s: momentum(ctx.prices(s, n + 1)) for s in ctx.universe}, 2))
`

func momentumJob(t testing.TB) Job {
	t.Helper()
	p, problems := script.Check(momentumScript, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in, details := p.Bind(map[string]any{"universe": []any{"A000", "A001", "A002"}})
	if len(details) > 0 {
		t.Fatal(details)
	}
	return Job{Source: momentumScript, Inputs: in.Map(), Frame: panel(t, 3, 700)}
}

// TestPointsAreRuns checks that each point of a job is the run with its inputs, to the
// bit, and that a point that fails does not end the others.
func TestPointsAreRuns(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}, Size: 1})
	j := momentumJob(t)
	lookbacks := []int{20, 5, 13, 120, 650, 900}
	points := j
	for _, n := range lookbacks {
		points.Points = append(points.Points, map[string]any{"lookback": n})
	}
	points.Slice = time.Minute
	got, err := p.Run(t.Context(), points)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Points) != len(lookbacks) {
		t.Fatalf("%d points", len(got.Points))
	}
	for i, n := range lookbacks {
		single := j
		single.Inputs = map[string]any{"universe": j.Inputs["universe"], "lookback": n}
		want, err := p.Run(t.Context(), single)
		var failed *script.RunError
		if errors.As(err, &failed) {
			if f := got.Points[i].Failure; f == nil || f.Message != failed.Message || f.Line != failed.Line {
				t.Errorf("%d: failure %v, not %v", n, f, failed)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		daily := want.Daily()
		returns := daily.Column(daily.Schema().FieldIndices("return")[0]).(*array.Float64).Float64Values()[1:]
		traded := daily.Column(daily.Schema().FieldIndices("traded")[0]).(*array.Float64).Float64Values()[1:]
		point := got.Points[i]
		if point.Failure != nil || !slices.Equal(point.Returns, returns) {
			t.Errorf("%d: other returns, failure %v", n, point.Failure)
		}
		s := timeseries.Series{Base: j.Frame.Axis[point.First], Dates: j.Frame.Axis[point.First+1:], Returns: returns}
		if core := metrics.CoreOf(s, traded, j.Frame.BarsPerYear); core != point.Figures {
			t.Errorf("%d: figures %v, not %v", n, point.Figures, core)
		}
	}
}

// TestPointsTakeSlices checks that a job ends after its slice with at least one point.
func TestPointsTakeSlices(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}, Size: 1})
	j := momentumJob(t)
	j.Slice = time.Nanosecond
	for n := range 50 {
		j.Points = append(j.Points, map[string]any{"lookback": n})
	}
	got, err := p.Run(t.Context(), j)
	if err != nil || len(got.Points) != 1 {
		t.Errorf("%d points, error %v", len(got.Points), err)
	}
}

// TestDamagedPointsAreRefused checks what a child could send.
func TestDamagedPointsAreRefused(t *testing.T) {
	f := panel(t, 1, 10)
	good := []Point{{First: 7, Returns: []float64{0.1, 0.2}, Figures: metrics.Core{Sharpe: math.NaN()}}}
	for name, c := range map[string]struct {
		points []Point
		asked  int
		want   string
	}{
		"sound":       {good, 1, ""},
		"too many":    {append(good, good...), 1, "2 points of 1"},
		"not a model": {good, 0, "kind"},
		"short":       {[]Point{{First: 7, Returns: []float64{0.1}}}, 1, "body"},
		"infinite":    {[]Point{{First: 8, Returns: []float64{math.Inf(1)}}}, 1, "return of +Inf"},
		"outside":     {[]Point{{First: 10}}, 1, "session 10 of 10"},
		"negative":    {[]Point{{First: -1}}, 1, "session -1"},
	} {
		var b bytes.Buffer
		if _, err := writeReply(&b, 1, finished{points: c.points}); err != nil {
			t.Fatal(err)
		}
		h, err := readHeader(&b)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = readReply(&b, h, 1, f, nil, false, c.asked)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSweepsCrossTheFrame checks that an analysis gets the points as they were sent.
func TestSweepsCrossTheFrame(t *testing.T) {
	f := panel(t, 1, 10)
	sent := []script.Swept{{
		Sweep: script.Sweep{Model: "M", Inputs: []string{"n"}, Points: [][]any{{int64(1)}, {int64(2)}}}, BarsPerYear: 252,
		Points: []script.SweptPoint{{Base: f.Axis[3], Dates: f.Axis[4:], Returns: []float64{1, 2, 3, 4, 5, 6}, Figures: metrics.Core{Sharpe: 2}}, {Error: "broken"}},
	}}
	shapes, with := sharedSweeps(f, sent)
	if len(f.Outside) != 0 {
		t.Error("the frame was changed")
	}
	shared, err := share(with)
	if err != nil {
		t.Fatal(err)
	}
	shared.close()
	got, err := sweptOf(with, shapes)
	if err != nil {
		t.Fatal(err)
	}
	if p := got[0].Points[0]; p.Base != f.Axis[3] || !slices.Equal(p.Returns, sent[0].Points[0].Returns) || !slices.Equal(p.Dates, f.Axis[4:]) || p.Figures.Sharpe != 2 {
		t.Errorf("%v", p)
	}
	if got[0].Points[1].Error != "broken" || got[0].Sweep.Key() != sent[0].Sweep.Key() {
		t.Errorf("%v", got[0].Points[1])
	}
	if _, err := sweptOf(f, shapes); err == nil {
		t.Error("points without returns are accepted")
	}
}

// BenchmarkPoints is a point of a sweep of momentum over ten members and 5,000 sessions.
func BenchmarkPoints(b *testing.B) {
	p := poolOf(b, Config{Command: []string{"/proc/self/exe", "script"}, Size: 1})
	j := momentumJob(b)
	j.Frame = panel(b, 10, 5000)
	universe := make([]any, 10)
	for i := range universe {
		universe[i] = j.Frame.Members[i].Key
	}
	j.Inputs["universe"], j.Slice = universe, time.Hour
	for n := range 100 {
		j.Points = append(j.Points, map[string]any{"lookback": 20 + n})
	}
	cpu := time.Duration(0)
	for b.Loop() {
		o, err := p.Run(b.Context(), j)
		if err != nil {
			b.Fatal(err)
		}
		cpu += o.CPU
	}
	b.ReportMetric(cpu.Seconds()*1e3/float64(b.N*len(j.Points)), "ms-cpu/point")
}

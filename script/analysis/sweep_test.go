package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"pgregory.net/rapid"

	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

func TestGrid(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a": [1, 2.0], "b": ["x", "y"]}`, "[[1 x] [1 y] [2 x] [2 y]]"},
		{`{"a": {"from": 3, "to": 6}}`, "[[3] [4] [5] [6]]"},
		{`{"a": {"from": 0.1, "to": 0.5, "step": 0.1}}`, "[[0.1] [0.2] [0.3] [0.4] [0.5]]"},
		{`{"a": [[1, 2], True]}`, "[[[1 2]] [true]]"},
		{`{}`, "dictionary"},
		{`[1]`, "list"},
		{`{"a": 5}`, "has for a 5"},
		{`{"a": [1, 1]}`, "the value 1 twice"},
		{`{"a": [None]}`, "the value missing"},
		{`{"a": []}`, "0 values"},
		{`{"a": {"from": 3}}`, "a range without"},
		{`{"a": {"from": 3, "to": 1}}`, "a range without"},
		{`{"a": {"from": 0, "to": 1, "step": 0}}`, "a range without"},
		{`{"a": {"from": 0, "to": 1, "by": 1}}`, `"by" 1`},
		{`{"a": {"from": 0, "to": 1e9}}`, "1000000001 values"},
		{`{"universe": [["SPY"]]}`, "varies the universe"},
		{`{1: [2]}`, "has the key 1"},
	} {
		v, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "", c.text, nil)
		check(t, err)
		a := &arguments{function: "sweep", values: map[string]starlark.Value{"grid": v}}
		g := a.grid("grid")
		got := fmt.Sprint(g.points(0, 0))
		if err := a.err(); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
	}
}

// A sample has different points of the grid, in its order, and depends on the seed alone.
func TestSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grid{{name: "a"}, {name: "b"}}
		for i := range g {
			for n := range rapid.IntRange(1, 12).Draw(t, "values") {
				g[i].values = append(g[i].values, int64(n))
			}
		}
		all := g.points(0, 0)
		n := rapid.IntRange(1, 150).Draw(t, "sample")
		seed := rapid.Uint64().Draw(t, "seed")
		drawn := g.points(n, seed)
		if len(drawn) != min(n, len(all)) || fmt.Sprint(drawn) != fmt.Sprint(g.points(n, seed)) {
			t.Errorf("%d points of %d", len(drawn), len(all))
		}
		at := 0
		for _, p := range drawn {
			for at < len(all) && !slices.Equal(all[at], p) {
				at++
			}
			at++
		}
		if at > len(all) {
			t.Error("a point is not in the grid, or twice")
		}
	})
}

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

const sweepScript = `from harness import sweep

NAME = "Sweep"
INPUTS = {"universe": {"type": "array", "default": ["AAA"]}}


def analyze(ctx):
    return sweep(ctx, "AAA", {"n": [10, 20, 30, 40]})
`

// sweptWith returns points with random returns of which each begins a day later than the
// one before. The last has failed.
func sweptWith(f *timeseries.Frame, wanted *script.Sweep) script.Swept {
	s := script.Swept{Sweep: *wanted, BarsPerYear: 252}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range wanted.Points {
		p := script.SweptPoint{Base: f.Axis[i], Dates: f.Axis[i+1:]}
		for range p.Dates {
			p.Returns = append(p.Returns, 0.0004+0.0001*float64(i%3)+0.01*r.NormFloat64())
		}
		p.Figures = metrics.CoreOf(p.Series(), nil, 252)
		if i == len(wanted.Points)-1 && i > 0 {
			p = script.SweptPoint{Error: "script_error: no"}
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// sweptAnswer calls a script until it lacks no sweep.
func sweptAnswer(t testing.TB, f *timeseries.Frame, source string) *script.Answer {
	t.Helper()
	c := callOf(t, f, source, nil)
	for {
		answer, err := Execute(t.Context(), c)
		check(t, err)
		if answer.Wants == nil {
			return answer
		}
		c.Swept = append(c.Swept, sweptWith(f, answer.Wants))
	}
}

func TestSweep(t *testing.T) {
	f := frameOf(t, member(newRandom(), "AAA", 2000, 8))
	answer := sweptAnswer(t, f, sweepScript)
	points := answer.Tables[0]
	columns := map[string]script.Column{}
	for _, c := range points.Columns {
		columns[c.Name] = c
	}
	if points.Name != "points" || points.Rows() != 4 || !slices.Equal(columns["n"].Numbers, []float64{10, 20, 30, 40}) {
		t.Errorf("%+v", points)
	}
	sharpe, rank := columns["sharpe"].Numbers, columns["rank"].Numbers
	for i := range 3 {
		better := 1.0
		for k := range 3 {
			if sharpe[k] > sharpe[i] {
				better++
			}
		}
		if rank[i] != better {
			t.Errorf("point %d has the rank %v of %v", i, rank[i], sharpe)
		}
	}
	if rank[3] == rank[3] || columns["error"].Texts[3] != "script_error: no" {
		t.Errorf("the failed point has the rank %v", rank[3])
	}
}

// An analysis cannot ask for sweeps without end.
func TestSweepsAreLimited(t *testing.T) {
	source := strings.Replace(sweepScript, `    return sweep(ctx, "AAA", {"n": [10, 20, 30, 40]})`, "    for n in range(9):\n        sweep(ctx, \"AAA\", {\"n\": [n]})", 1)
	f := frameOf(t, member(newRandom(), "AAA", 2000, 8))
	c := callOf(t, f, source, nil)
	for range script.MaxSweeps {
		answer, err := Execute(t.Context(), c)
		check(t, err)
		c.Swept = append(c.Swept, sweptWith(f, answer.Wants))
	}
	if _, err := Execute(t.Context(), c); err == nil || !strings.Contains(err.Error(), "up to 4") {
		t.Error(err)
	}
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	o := &trials{metric: "cagr", grid: grid{{"n", []any{int64(9), int64(1), 4.5}}, {"kind", []any{"a", "b"}}}}
	s := &script.Swept{Sweep: script.Sweep{Inputs: o.grid.names(), Points: o.grid.points(0, 0)}}
	for i := range s.Sweep.Points { // 9a 9b 1a 1b 4.5a 4.5b
		s.Points = append(s.Points, script.SweptPoint{Figures: metrics.Core{CAGR: float64(i)}})
	}
	s.Points[3].Error = "no"
	want := []float64{4, 5, 4, 5, 1, 1}
	if got := o.neighbours(s); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

package optimizer_test

import (
	"math"
	"strings"
	"testing"

	"ballast/optimize/optimizer"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	most := 0.6
	d := optimizer.Definition{
		Objective: optimizer.Scripted, Script: "def optimize(ctx): pass",
		Bounds:   map[string]optimizer.Bounds{"default": {0, 0.5}, "C": {-0.2, 0.5}},
		Groups:   []optimizer.Group{{Members: []string{"A", "B", "GONE"}, Max: &most}},
		Turnover: &optimizer.Turnover{Max: 0.5},
	}
	if details := d.Check(); len(details) > 0 {
		t.Fatal(details)
	}
	for _, c := range []struct {
		name    string
		current map[string]float64
		weights []float64
		want    string // part of the error, or ""
	}{
		{name: "within the limits", weights: []float64{0.3, 0.3, 0.4}},
		{name: "a sum within the tolerance", weights: []float64{0.3, 0.3, 0.4 + 1e-10}},
		{name: "cash left over", weights: []float64{0.3, 0.3, 0.3}, want: "the weights add up to 0.8999"},
		{name: "not a number", weights: []float64{0.3, math.NaN(), 0.4}, want: "the weights add up to NaN"},
		{name: "infinite", weights: []float64{math.Inf(1), math.Inf(-1), 1}, want: "the weights add up to NaN"},
		{name: "above a bound", weights: []float64{0.55, 0, 0.45}, want: "the weight of A is 0.55, above its most of 0.5"},
		{name: "below a bound", weights: []float64{0.5, -0.1, 0.6}, want: "the weight of B is -0.1, below its least of 0"},
		{name: "above a group", weights: []float64{0.4, 0.3, 0.3}, want: "the sum of group 1 is 0.7, above its most of 0.6"},
		{name: "little is traded", current: map[string]float64{"A": 0.5, "C": 0.5}, weights: []float64{0.3, 0.2, 0.5}},
		{name: "too much is traded", current: map[string]float64{"A": 0.5, "C": 0.5}, weights: []float64{0.1, 0.4, 0.5}, want: "the turnover is 0.8, above its most of 0.5"},
		{name: "what leaves is traded", current: map[string]float64{"C": 0.5, "GONE": 0.5}, weights: []float64{0.3, 0.2, 0.5}, want: "the turnover is 1, above its most of 0.5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := d.Bounded(optimizer.Input{Symbols: []string{"A", "B", "C"}, Current: c.current})
			violation, _, err := d.Judge(in, c.weights)
			switch {
			case c.want == "" && (err != nil || violation > optimizer.MostViolation):
				t.Errorf("violation %v, error %v", violation, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

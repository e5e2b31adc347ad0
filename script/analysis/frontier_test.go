package analysis

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// weightsAt returns the weights of each point of a frontier, by member in its order.
func weightsAt(t *testing.T, points, weights []float64, of, members []string) [][]float64 {
	t.Helper()
	var out [][]float64
	for i, p := range points {
		if int(p) > len(out) {
			out = append(out, make([]float64, len(members)))
		}
		for k, m := range members {
			if of[i] == m {
				out[int(p)-1][k] = weights[i]
			}
		}
	}
	return out
}

// Each point has the figures of its weights, adds up and keeps the limits; no other point
// has a higher ratio than the tangency.
func TestFrontier(t *testing.T) {
	t.Parallel()
	f := three(t)
	a := analyzed(t, f, `frontier(ctx, ["AAA", "BBB", "CCC"], points=25, bounds={"default": [0.05, 0.7]}, groups=[{"members": ["AAA", "CCC"], "max": 0.8}], riskless=0.01)`)
	columns := [][]float64{f.Members[0].Returns[1:], f.Members[1].Returns[1:], f.Members[2].Returns[1:]}
	members := []string{"AAA", "BBB", "CCC"}
	weights := weightsAt(t, column(t, a, "frontier", "point").Numbers, column(t, a, "frontier", "weight").Numbers, column(t, a, "frontier", "key").Texts, members)
	risks, gains := column(t, a, "frontier_line", "risk").Numbers, column(t, a, "frontier_line", "return").Numbers
	if len(weights) != 25 || len(risks) != 25 {
		t.Fatalf("%d and %d points", len(weights), len(risks))
	}
	for i, w := range weights {
		variance, gain := 0.0, 0.0
		for j := range w {
			gain += 252 * w[j] * stat.Mean(columns[j], nil)
			for k := range w {
				variance += 252 * w[j] * w[k] * stat.Covariance(columns[j], columns[k], nil)
			}
			if w[j] < .05-1e-12 || w[j] > .7+1e-12 {
				t.Errorf("point %d has the weights %v", i, w)
			}
		}
		if math.Abs(floats.Sum(w)-1) > 1e-12 || w[0]+w[2] > .8+1e-12 || math.Abs(gain-gains[i]) > 1e-12 || math.Abs(math.Sqrt(variance)-risks[i]) > 1e-12 {
			t.Errorf("point %d: %v has return %v and risk %v, not %v and %v", i, w, gain, math.Sqrt(variance), gains[i], risks[i])
		}
		if i > 0 && !(gains[i] > gains[i-1] && risks[i] > risks[i-1]) {
			t.Errorf("point %d is not above the one before it", i)
		}
		if ratio := (gains[i] - .01) / risks[i]; ratio > scalar(t, a, "tangency_sharpe")+1e-12 {
			t.Errorf("point %d has the ratio %v, the tangency %v", i, ratio, scalar(t, a, "tangency_sharpe"))
		}
	}
	if r := scalar(t, a, "kkt_residual"); !(r <= 1e-10) {
		t.Errorf("the residual is %v", r)
	}
}

// Of two members, the weights of least risk are known.
func TestFrontierOfTwoMembers(t *testing.T) {
	t.Parallel()
	f := three(t)
	a := analyzed(t, f, `frontier(ctx, ["AAA", "BBB"], points=2, expected={"AAA": 0.08, "BBB": 0.03})`)
	x, y := f.Members[0].Returns[1:], f.Members[1].Returns[1:]
	covariance := stat.Covariance(x, y, nil)
	want := (stat.Variance(y, nil) - covariance) / (stat.Variance(x, nil) + stat.Variance(y, nil) - 2*covariance)
	w := column(t, a, "frontier", "weight").Numbers
	if math.Abs(w[0]-want) > 1e-12 || w[2] != 1 || math.Abs(column(t, a, "frontier_line", "return").Numbers[1]-.08) > 1e-15 {
		t.Errorf("weights %v, want %v first", w, want)
	}
}

func TestFrontierRefuses(t *testing.T) {
	t.Parallel()
	f := three(t)
	for call, says := range map[string]string{
		`frontier(ctx, ["AAA"])`:                                                 "at least 2 different members",
		`frontier(ctx, ["AAA", "DDD"])`:                                          "DDD is not in the universe",
		`frontier(ctx, ["AAA", "BBB"], points=1)`:                                "an integer from 2 to 1000",
		`frontier(ctx, ["AAA", "BBB"], covariance="shrunk")`:                     "covariance is",
		`frontier(ctx, ["AAA", "BBB"], bounds={"default": [0, 0.4]})`:            "contradict",
		`frontier(ctx, ["AAA", "BBB"], bounds={"CCC": [0, 0.4]})`:                "for CCC",
		`frontier(ctx, ["AAA", "BBB"], bounds={"AAA": [0.5, 0.4]})`:              "bounds.AAA is [0.5, 0.4]",
		`frontier(ctx, ["AAA", "BBB"], bounds=[0, 1])`:                           "bounds is a list",
		`frontier(ctx, ["AAA", "BBB"], groups=[{"members": ["CCC"], "max": 1}])`: `has "CCC" in a group`,
		`frontier(ctx, ["AAA", "BBB"], groups=[{"members": ["AAA"]}])`:           "limits nothing",
		`frontier(ctx, ["AAA", "BBB"], expected={"AAA": 0.1})`:                   "has no return for BBB",
		`frontier(ctx, ["AAA", "BBB"], expected={"AAA": 0.1, "BBB": True})`:      "has True for BBB",
	} {
		if err := failure(t, f, call); !strings.Contains(err.Message, says) {
			t.Errorf("%s: %s", call, err.Message)
		}
	}
}

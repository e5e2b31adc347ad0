package analyze_test

import (
	"math"
	"testing"

	"ballast/analyze"

	"gonum.org/v1/gonum/stat"
)

func TestPerformanceEqualsWindows(t *testing.T) {
	t.Parallel()
	c, b := noise("c", 200, 1), noise("b", 200, 2)
	b.Values[40] = math.NaN()
	p, err := analyze.RollingPerformance(c, &b, 50, 252)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Last) != 150 || p.Last[149] != 199 {
		t.Fatalf("%d windows", len(p.Last))
	}
	for w, last := range p.Last {
		var x, y []float64
		growth := 1.0
		for row := last; len(x) < 50; row-- {
			if row != 40 {
				x, y = append(x, c.Values[row]), append(y, b.Values[row])
				growth *= 1 + c.Values[row]
			}
		}
		near(t, "return", p.Return[w], math.Pow(growth, 252.0/50)-1, 1e-11)
		near(t, "volatility", p.Volatility[w], stat.StdDev(x, nil)*math.Sqrt(252), 1e-12)
		near(t, "beta", p.Beta[w], stat.Covariance(x, y, nil)/stat.Variance(y, nil), 1e-11)
	}
}

func TestPerformanceOfRuinAndOfItself(t *testing.T) {
	t.Parallel()
	c := analyze.Column{Name: "c", Values: []float64{0.01, -0.02, -1, 0.03, 0.01, 0.02}}
	p, err := analyze.RollingPerformance(c, &c, 2, 252)
	if err != nil {
		t.Fatal(err)
	}
	for w, ruined := range []bool{false, true, true, false, false} {
		if (p.Return[w] == -1) != ruined {
			t.Errorf("the return of window %d is %v", w, p.Return[w])
		}
		near(t, "beta on itself", p.Beta[w], 1, 1e-12)
	}
	if short, err := analyze.RollingPerformance(c, nil, 7, 252); err != nil || len(short.Last) != 0 {
		t.Errorf("a window longer than the data: %v, %v", short, err)
	}
}

// Equal values share their mean rank: the ranks are 1, 2.5, 2.5, 4 and 1, 3, 2, 4, whose
// deviations have the products 4.5, 4.5 and 5.
func TestSpearmanSharesRanks(t *testing.T) {
	t.Parallel()
	c, err := analyze.Correlate([]analyze.Column{{Name: "a", Values: []float64{1, 2, 2, 3}}, {Name: "b", Values: []float64{1, 3, 2, 4}}}, analyze.Spearman)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ρ", c.Values[0][1], 4.5/math.Sqrt(4.5*5), 1e-15)
}

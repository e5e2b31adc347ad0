package analyze_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ballast/analyze"
)

func TestShock(t *testing.T) {
	t.Parallel()
	y, a, b := noise("Y", 200, 1), noise("A", 200, 2), noise("B", 200, 3)
	r, err := analyze.Regress(y, []analyze.Column{a, b}, 4)
	if err != nil {
		t.Fatal(err)
	}
	impact, err := r.Shock(map[string]float64{"A": -0.3})
	if err != nil {
		t.Fatal(err)
	}
	loading := r.Coefficients[1]
	near(t, "impact of one factor", impact.Return, -0.3*loading.Loading, 1e-16)
	near(t, "its error", impact.StdError, 0.3*loading.StdError, 1e-15)
	near(t, "its interval", impact.Low, -0.3*loading.High, 1e-15)
	for says, moves := range map[string]map[string]float64{
		"its factors are A, B":  {"C": 0.1},
		"must be a finite":      {"B": math.Inf(1)},
		"B by NaN; it must be ": {"B": math.NaN()},
	} {
		var bad *analyze.DataError
		if _, err := r.Shock(moves); !errors.As(err, &bad) || !strings.Contains(bad.Message, says) {
			t.Errorf("%v: %v", moves, err)
		}
	}
}

// The covariance of the coefficients moves with the factors: by hand for a shift of a
// factor, which changes the constant alone.
func TestCovarianceOfShiftedFactor(t *testing.T) {
	t.Parallel()
	y, a := noise("Y", 300, 1), noise("A", 300, 2)
	r, err := analyze.Regress(y, []analyze.Column{a}, 4)
	if err != nil {
		t.Fatal(err)
	}
	shifted := analyze.Column{Name: "A"}
	for _, v := range a.Values {
		shifted.Values = append(shifted.Values, v+2)
	}
	s, err := analyze.Regress(y, []analyze.Column{shifted}, 4)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "variance of the loading", s.Covariance.At(1, 1), r.Covariance.At(1, 1), 1e-13)
	want := r.Covariance.At(0, 0) - 4*r.Covariance.At(0, 1) + 4*r.Covariance.At(1, 1)
	near(t, "variance of the constant", s.Covariance.At(0, 0), want, 1e-12)
}

func TestCoDrawdowns(t *testing.T) {
	t.Parallel()
	gap := math.NaN()
	a := analyze.Column{Name: "A", Values: []float64{0.1, -0.2, gap, -0.5, 0.3, 0.1}}
	b := analyze.Column{Name: "B", Values: []float64{0, 0.5, 0.9, -0.1, -0.05, 0.2}}
	up := analyze.Column{Name: "UP", Values: []float64{0.01, 0, 0.01, 0.01, 0.01, 0.01}}
	got, err := analyze.CoDrawdowns([]analyze.Column{a, b, up})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "depth of A", got[0].Depth, -0.6, 1e-15)
	near(t, "A itself", got[0].Others[0].Return, -0.6, 1e-15)
	near(t, "B meanwhile", got[0].Others[1].Return, 1.5*0.9-1, 1e-15)
	near(t, "B's drawdown meanwhile", got[0].Others[1].Drawdown, -0.1, 1e-15)
	if got[0].Peak != 0 || got[0].Valley != 3 {
		t.Errorf("A falls from row %d to row %d", got[0].Peak, got[0].Valley)
	}
	near(t, "depth of B", got[1].Depth, 0.9*0.95-1, 1e-15)
	near(t, "a series that never falls", got[2].Depth, 0, 0)
	near(t, "the others then", got[2].Others[0].Return, math.NaN(), 0)

	ruined := analyze.Column{Name: "RUINED", Values: []float64{-1, 0, 0}}
	got, err = analyze.CoDrawdowns([]analyze.Column{ruined, {Name: "C", Values: []float64{0.1, -0.2, 0.1}}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ruin", got[0].Depth, -1, 0)
	if got[0].Peak != -1 || got[0].Valley != 0 {
		t.Errorf("ruin is from row %d to row %d", got[0].Peak, got[0].Valley)
	}
	near(t, "money that is gone", got[1].Others[0].Return, math.NaN(), 0)
	if _, err := analyze.CoDrawdowns([]analyze.Column{{Name: "DEBT", Values: []float64{-1.5}}}); err == nil || !strings.Contains(err.Error(), "DEBT loses more than everything") {
		t.Errorf("debt: %v", err)
	}
}

func TestRollingStyleEqualsWindows(t *testing.T) {
	t.Parallel()
	y := noise("y", 120, 1)
	x := []analyze.Column{noise("a", 120, 2), noise("b", 120, 3), noise("c", 120, 4)}
	x[1].Values[30] = math.NaN()
	for row := 60; row < 100; row++ {
		y.Values[row] = 0.01 // windows of this alone have no style
	}
	last, mixes, err := analyze.RollingStyle(y, x, 36)
	if err != nil {
		t.Fatal(err)
	}
	if len(last) != 119-35 || last[len(last)-1] != 119 {
		t.Fatalf("%d windows, the last ends with row %d", len(last), last[len(last)-1])
	}
	none := 0
	for w, mix := range mixes {
		first := last[w] - 35
		if first <= 30 && last[w] >= 30 {
			first--
		}
		cut := func(c analyze.Column) analyze.Column {
			return analyze.Column{Name: c.Name, Values: c.Values[first : last[w]+1]}
		}
		want, err := analyze.Style(cut(y), []analyze.Column{cut(x[0]), cut(x[1]), cut(x[2])})
		if mix == nil {
			none++
			if err == nil {
				t.Errorf("window %d has a style alone, and none among the others", w)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for j := range x {
			near(t, "weight", mix.Weights[j], want.Weights[j], 1e-10)
		}
	}
	if none != 5 {
		t.Errorf("%d windows have no style, want 5", none)
	}
}

func BenchmarkRollingStyle(b *testing.B) {
	y := noise("y", 4612, 99)
	var x []analyze.Column
	for j := range 5 {
		x = append(x, noise(string(rune('a'+j)), 4612, uint64(j+1)))
	}
	for b.Loop() {
		if _, _, err := analyze.RollingStyle(y, x, 252); err != nil {
			b.Fatal(err)
		}
	}
}

package harness_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// factors returns k waves with a common wave; later ones have more of it.
func factors(n, k int) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range k {
		fmt.Fprintf(&b, "%q: %s + %s*%v,", string(rune('A'+i)), wave(n, i), wave(n, 9), float64(i+1)*0.5)
	}
	b.WriteString("}")
	return b.String()
}

// numbers returns all numbers in a value, with dictionaries and lists in order.
func numbers(t *testing.T, v starlark.Value) []float64 {
	t.Helper()
	if f, ok := starlark.AsFloat(v); ok {
		return []float64{f}
	}
	var all []float64
	switch v := v.(type) {
	case starlark.IterableMapping:
		for _, item := range v.Items() {
			all = append(all, numbers(t, item[1])...)
		}
	case starlark.Iterable:
		it := v.Iterate()
		defer it.Done()
		var x starlark.Value
		for it.Next(&x) {
			all = append(all, numbers(t, x)...)
		}
	default:
		t.Fatalf("a %s holds no numbers", v.Type())
	}
	return all
}

// TestNumbersOfPeers compares with numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1
// and, for the optimisers, cvxpy 1.9.3 with Clarabel, whose own tolerance of
// 1e-10 on the objective leaves about 1e-6 of a weight.
func TestNumbersOfPeers(t *testing.T) {
	t.Parallel()
	write := strings.NewReplacer("XX", wave(60, 0), "PANEL", factors(60, 6), "SMALL", factors(40, 3), "WIDE", factors(12, 20))
	const exact, solver = 1e-12, 2e-6
	for _, c := range []struct {
		expression string
		tolerance  float64
		want       []float64
	}{
		{`[percentile(XX, q) for q in [0, 0.1, 0.25, 0.5, 0.9, 1]] + [XX.median()]`, exact, []float64{-0.02295, -0.0188, -0.0114, -0.00215, 0.02207, 0.02575, -0.00215}}, // numpy.percentile
		{`[slope(XX), r_squared(XX), slope(XX, 20), r_squared(XX, 20)]`, exact, // scipy.stats.linregress
			[]float64{2.709085857182552e-05, 0.000972951153540011, -0.0007781954887218043, 0.09490099431454248}},
		{`[sharpe(XX), downside_deviation(XX), wma(XX, 10)]`, exact, []float64{0.6453919944038963, 0.15628669329152753, 0.0023590909090909096}},                // numpy
		{`[max_drawdown(XX.growth()), XX.growth()[-1], XX.cumulative()[-1]]`, exact, []float64{-0.12318201870878487, 1.0306805814889037, 0.03699999999999999}}, // numpy.cumprod, cumsum
		{`[percent_rank(XX), percent_rank(XX, 20)]`, exact, []float64{0.23728813559322035, 0.10526315789473685}},                                               // scipy.stats.percentileofscore, kind mean
		{`[rolling_volatility(XX, 20)[7], rolling_zscore(XX, 20)[7], rolling_mean(XX, 20)[7]]`, exact, // numpy's sliding_window_view
			[]float64{0.25141748463252783, -0.11049505489557364, -0.0029999999999999996}},
		{`[(covariance(p, "ledoit_wolf")["A"]["B"]/covariance(p)["A"]["B"]) for p in [PANEL, SMALL, WIDE]]`, exact, // 1 − ledoit_wolf_shrinkage of scikit-learn
			[]float64{1 - 0.02067045839018831, 1 - 0.12466736067605788, 1 - 0.034802551234851244}},
		{`[covariance(PANEL, "ledoit_wolf")[s]["A"] for s in ["A", "B"]]`, 1e-16, []float64{0.00029134379869813, 0.00011286575164617419}},
		{`portfolio_volatility({"A": 0.5, "B": 0.2, "C": -0.1, "D": 0.1, "E": 0.3}, PANEL)`, exact, []float64{0.34742459749245824}},
		{`risk_contribution({"A": 0.5, "B": 0.2, "C": -0.1, "D": 0.1, "E": 0.3, "F": 0}, PANEL)`, exact,
			[]float64{0.25176295408361754, 0.14540463879462528, -0.10330133191711045, 0.14545155355607362, 0.5606821854827939, 0}},
		{`min_variance(PANEL)`, solver, []float64{0.6902610361, 0.3097389639, 0, 0, 0, 0}},
		{`min_variance(PANEL, lower=0.05, upper={"A": 0.2, "B": 0.2, "C": 0.2, "D": 0.2, "E": 0.18, "F": 0.2})`, solver, []float64{0.2, 0.2, 0.2, 0.2, 0.15, 0.05}},
		{`min_variance(covariance(PANEL, "ledoit_wolf"), -0.1, 0.5, 0.8)`, solver, []float64{0.4671857221, 0.2768860242, 0.2160340862, 0.0398941675, -0.1, -0.1}},
		{`mean_variance(PANEL, upper=0.4)`, solver, []float64{0.0706998118, 0.4, 0.4, 0, 0, 0.1293001882}},
		{`mean_variance(PANEL, 30, -0.2, 0.4, 0.5)`, solver, []float64{0.1467403197, 0.1634373863, 0.4, 0.0418652245, -0.2, -0.0520429305}},
		{`risk_parity(PANEL, {"A": 1, "B": 2, "C": 3, "D": 1, "E": 1, "F": 2, "G": 9})`, 1e-10, // scipy.optimize.root
			[]float64{0.25326892316757144, 0.2657220627443605, 0.26383129744217426, 0.07000693157133314, 0.05563825526195212, 0.09153252981260854}},
	} {
		v, err := eval(t, write.Replace(c.expression))
		if err != nil {
			t.Fatal(c.expression, err)
		}
		got := numbers(t, v)
		if len(got) != len(c.want) {
			t.Fatalf("%s gives %d numbers, want %d", c.expression, len(got), len(c.want))
		}
		for i, want := range c.want {
			if math.Abs(got[i]-want) > c.tolerance {
				t.Errorf("%s: number %d is %v, want %v", c.expression, i, got[i], want)
			}
		}
	}
}

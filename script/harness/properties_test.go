package harness_test

import (
	"math"
	"slices"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"

	"ballast/script/harness"
)

// use calls a function of the harness.
func use(t *rapid.T, name string, args starlark.Tuple, named map[string]starlark.Value) starlark.Value {
	f, _ := harness.Lookup(name)
	var kwargs []starlark.Tuple
	for k, v := range named {
		kwargs = append(kwargs, starlark.Tuple{starlark.String(k), v})
	}
	v, err := starlark.Call(&starlark.Thread{}, f, args, kwargs)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// member returns the name of column i.
func member(i int) string { return string(rune('A' + i)) }

// drawPanel draws up to eight members with a common factor over 40 bars.
func drawPanel(t *rapid.T) (*starlark.Dict, [][]float64) {
	n := rapid.IntRange(1, 8).Draw(t, "members")
	seed := rapid.Int64().Draw(t, "seed")
	d := starlark.NewDict(n)
	common := use(t, "random", starlark.Tuple{starlark.MakeInt64(seed), starlark.MakeInt(40)}, nil).(*harness.Vector).Values()
	var columns [][]float64
	for i := range n {
		own := use(t, "random", starlark.Tuple{starlark.MakeInt64(seed ^ int64(i+1)<<32), starlark.MakeInt(40)}, nil).(*harness.Vector).Values()
		size := rapid.Float64Range(0.2, 3).Draw(t, "size")
		load := rapid.Float64Range(-1, 1).Draw(t, "load")
		column := make([]float64, 40)
		for k := range column {
			column[k] = 0.02 * size * (own[k] + load*common[k] - 0.5)
		}
		columns = append(columns, column)
		d.SetKey(starlark.String(member(i)), harness.NewVector(column))
	}
	return d, columns
}

func get(d starlark.Value, i int) float64 {
	v, _, _ := d.(starlark.Mapping).Get(starlark.String(member(i)))
	f, _ := starlark.AsFloat(v)
	return f
}

// sigma returns the covariance matrix, row by row.
func sigma(m starlark.Value, n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		row, _, _ := m.(starlark.Mapping).Get(starlark.String(member(i)))
		out[i] = make([]float64, n)
		for j := range out[i] {
			out[i][j] = get(row, j)
		}
	}
	return out
}

// drawBounds draws feasible bounds and a total.
func drawBounds(t *rapid.T, n int) (lower, upper *starlark.Dict, low, high []float64, total float64) {
	lower, upper = starlark.NewDict(n), starlark.NewDict(n)
	var least, most float64
	for i := range n {
		a := rapid.Float64Range(-0.5, 0.3).Draw(t, "lower")
		b := a + rapid.SampledFrom([]float64{0, 0.05, 0.3, 2}).Draw(t, "room")
		low, high = append(low, a), append(high, b)
		least, most = least+a, most+b
		lower.SetKey(starlark.String(member(i)), starlark.Float(a))
		upper.SetKey(starlark.String(member(i)), starlark.Float(b))
	}
	total = least + rapid.Float64Range(0, 1).Draw(t, "share")*(most-least)
	return lower, upper, low, high, total
}

// optimal checks the Karush–Kuhn–Tucker conditions: the weights are within bounds, add up
// to total, and no feasible exchange between two members lowers w'Σw/2 + l'w.
func optimal(t *rapid.T, w, linear, low, high []float64, total float64, s [][]float64) {
	var added, scale float64
	gradient := slices.Clone(linear)
	for i := range w {
		added += w[i]
		scale = max(scale, s[i][i])
		for j := range w {
			gradient[i] += s[i][j] * w[j]
		}
		if w[i] < low[i]-1e-9 || w[i] > high[i]+1e-9 {
			t.Fatalf("weight %d is %v, outside of %v to %v", i, w[i], low[i], high[i])
		}
	}
	if math.Abs(added-total) > 1e-9 {
		t.Fatalf("weights add up to %v, not %v", added, total)
	}
	for i := range w {
		for j := range w {
			if w[i] > low[i]+1e-9 && w[j] < high[j]-1e-9 && gradient[i]-gradient[j] > 1e-7*scale {
				t.Fatalf("moving weight from %d to %d is better: gradients %v and %v", i, j, gradient[i], gradient[j])
			}
		}
	}
}

func TestVarianceIsMinimalWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		panel, columns := drawPanel(t)
		n := len(columns)
		m := use(t, "covariance", starlark.Tuple{panel, starlark.String("ledoit_wolf")}, nil)
		lower, upper, low, high, total := drawBounds(t, n)
		bounds := map[string]starlark.Value{"lower": lower, "upper": upper, "total": starlark.Float(total)}
		w := use(t, "min_variance", starlark.Tuple{m}, bounds)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = get(w, i)
		}
		optimal(t, weights, make([]float64, n), low, high, total, sigma(m, n))

		// With returns instead of the matrix, and means.
		aversion := rapid.Float64Range(0.5, 50).Draw(t, "aversion")
		bounds["risk_aversion"] = starlark.Float(aversion)
		w = use(t, "mean_variance", starlark.Tuple{panel}, bounds)
		linear := make([]float64, n)
		for i, column := range columns {
			for _, x := range column {
				linear[i] -= x / 40 / aversion
			}
			weights[i] = get(w, i)
		}
		optimal(t, weights, linear, low, high, total, sigma(use(t, "covariance", starlark.Tuple{panel}, nil), n))
	})
}

func TestRiskParityKeepsItsBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		panel, columns := drawPanel(t)
		budget := starlark.NewDict(len(columns))
		var total float64
		for i := range columns {
			b := rapid.Float64Range(0.1, 5).Draw(t, "budget")
			total += b
			budget.SetKey(starlark.String(member(i)), starlark.Float(b))
		}
		w := use(t, "risk_parity", starlark.Tuple{panel, budget}, nil)
		shares := use(t, "risk_contribution", starlark.Tuple{w, panel}, nil)
		for i := range columns {
			if d := get(shares, i) - get(budget, i)/total; math.Abs(d) > 1e-8 || get(w, i) <= 0 {
				t.Fatalf("member %d has %v of the weight and is %v off its budget", i, get(w, i), d)
			}
		}
	})
}

// The matrix sums its products in another order than a pair does, so the last bits may
// differ.
func TestMatrixIsThatOfItsPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		panel, columns := drawPanel(t)
		for _, name := range []string{"covariance", "correlation"} {
			m := sigma(use(t, name, starlark.Tuple{panel}, nil), len(columns))
			for i, x := range columns {
				for j, y := range columns {
					pair := use(t, name, starlark.Tuple{harness.NewVector(x), harness.NewVector(y)}, nil)
					most := 1e-13 * math.Sqrt(m[i][i]*m[j][j])
					if !(math.Abs(float64(pair.(starlark.Float))-m[i][j]) <= most) || m[i][j] != m[j][i] {
						t.Fatalf("%s of %d and %d: %v alone, %v and %v in the matrix", name, i, j, pair, m[i][j], m[j][i])
					}
				}
			}
		}
	})
}

func TestRollingEndsWithPlainResult(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 1000 }), 2, 40).Draw(t, "values")
		n := rapid.IntRange(2, len(values)).Draw(t, "n")
		v := harness.NewVector(values)
		for rolling, plain := range map[string]string{"rolling_mean": "sma", "rolling_zscore": "zscore", "rolling_volatility": "volatility"} {
			all := use(t, rolling, starlark.Tuple{v, starlark.MakeInt(n)}, nil).(*harness.Vector).Values()
			if len(all) != len(values)-n+1 {
				t.Fatalf("%s of %d values by %d has %d", rolling, len(values), n, len(all))
			}
			for i, got := range all {
				window := harness.NewVector(values[i : i+n])
				if want := float64(use(t, plain, starlark.Tuple{window}, nil).(starlark.Float)); got != want {
					t.Fatalf("%s has %v at %d, %s %v", rolling, got, i, plain, want)
				}
			}
		}
	})
}

func TestTurnoverIsLimited(t *testing.T) {
	t.Parallel()
	weights := rapid.MapOf(rapid.SampledFrom([]string{"A", "B", "C", "D"}), rapid.Float64Range(-1, 1))
	dict := func(m map[string]float64) *starlark.Dict {
		d := starlark.NewDict(len(m))
		for _, s := range []string{"A", "B", "C", "D"} {
			if x, ok := m[s]; ok {
				d.SetKey(starlark.String(s), starlark.Float(x))
			}
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		from, to := weights.Draw(t, "current"), weights.Draw(t, "target")
		most := rapid.Float64Range(0, 3).Draw(t, "most")
		w := use(t, "limit_turnover", starlark.Tuple{dict(from), dict(to), starlark.Float(most)}, nil)
		var whole, traded float64
		for i, s := range []string{"A", "B", "C", "D"} {
			whole += math.Abs(to[s] - from[s])
			traded += math.Abs(get(w, i) - from[s])
		}
		if math.Abs(traded-min(whole, most)) > 1e-12 {
			t.Fatalf("traded %v of %v, with %v allowed", traded, whole, most)
		}
	})
}

// TestRandomIsAFunctionOfItsSeed also tests the numbers of some seeds: for 100,000 uniform
// numbers the statistic of 20 bins exceeds 43.8 once in a thousand (chi-squared, 19
// degrees of freedom), and neighbours correlate within 4/√n.
func TestRandomIsAFunctionOfItsSeed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := starlark.String(rapid.String().Draw(t, "seed"))
		n := rapid.IntRange(0, 50).Draw(t, "n")
		long := use(t, "random", starlark.Tuple{seed, starlark.MakeInt(50)}, nil).(*harness.Vector).Values()
		short := use(t, "random", starlark.Tuple{seed, starlark.MakeInt(n)}, nil).(*harness.Vector).Values()
		if !slices.Equal(short, long[:n]) {
			t.Fatal("the first numbers depend on n")
		}
		for _, x := range long {
			if x < 0 || x >= 1 {
				t.Fatalf("%v is not in [0, 1)", x)
			}
		}
	})
	for _, seed := range []string{"1", "2", "2020-01-31"} {
		f, _ := harness.Lookup("random")
		v, err := starlark.Call(&starlark.Thread{}, f, starlark.Tuple{starlark.String(seed), starlark.MakeInt(100_000)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		values := v.(*harness.Vector).Values()
		var bins [20]float64
		var together float64
		for i, x := range values {
			bins[int(20*x)]++
			if i > 0 {
				together += (x - 0.5) * (values[i-1] - 0.5) * 12 / 100_000
			}
		}
		var chi float64
		for _, b := range bins {
			chi += (b - 5000) * (b - 5000) / 5000
		}
		if chi > 43.8 || math.Abs(together) > 4/math.Sqrt(100_000) {
			t.Errorf("seed %s: the statistic is %v, neighbours correlate by %v", seed, chi, together)
		}
	}
}

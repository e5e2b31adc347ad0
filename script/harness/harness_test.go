package harness_test

import (
	"math"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script/harness"
)

// eval evaluates an expression with all harness functions defined.
func eval(t *testing.T, expression string) (starlark.Value, error) {
	t.Helper()
	env := starlark.StringDict{"math": harness.Math()}
	for _, name := range harness.Names() {
		env[name], _ = harness.Lookup(name)
	}
	small, err := starlark.Call(&starlark.Thread{}, env["covariance"], starlark.Tuple{smallPanel()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	env["M"] = small
	for name, text := range map[string]string{"D": panel, "E": correlated} {
		if env[name], err = starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "test", text, env); err != nil {
			t.Fatal(err)
		}
	}
	return starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "test", expression, env)
}

// smallPanel has the covariances 1, −1 and 4.
func smallPanel() *starlark.Dict {
	d := starlark.NewDict(2)
	d.SetKey(starlark.String("A"), harness.NewVector([]float64{-1, 0, 1}))
	d.SetKey(starlark.String("B"), harness.NewVector([]float64{2, -2, 0}))
	return d
}

// The panel of the tests: A varies by 1 %, B by 2 % and C by 3 %, uncorrelated.
const panel = `{"A": vector([0.01, -0.01, 0.01, -0.01]), "B": vector([0.02, 0.02, -0.02, -0.02]), "C": vector([0.03, -0.03, -0.03, 0.03])}`

// correlated is a panel of which the optimum within bounds is not the optimum cut to them.
const correlated = `{"A": [1, 2, 3, 5, 2, 4], "B": [2, 1, 4, 9, 1, 3], "C": [5, 1, 0, 3, 9, 8], "D": [1, 2, 4, 3, 1, 3]}`

func TestFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expression, want string }{
		// vectors
		{`vector([1, 2, 3])`, `vector([1, 2, 3])`},
		{`vector([1, 2, 3])[-2:] * 2 + 1`, `vector([5, 7])`},
		{`1 - vector([1, 2]) / vector([2, 4])`, `vector([0.5, 0.5])`},
		{`-vector([1, 2, 3, 4])[::-2]`, `vector([-4, -2])`},
		{`vector([1, 2, 3])[-1]`, `3.0`},
		{`[len(vector([1, 2])), max(vector([1, 2])), list(vector([1, 2])), 2 in [x for x in vector([1, 2])]]`, `[2, 2.0, [1.0, 2.0], True]`},
		{`[vector([1, 2, 4]).sum(), vector([1, 2, 3]).mean(), vector([1, 2, 3]).std(), vector([3, 1]).min(), vector([3, 1]).max()]`, `[7.0, 2.0, 1.0, 1.0, 3.0]`},
		{`[vector([2, 3]).product(), vector([2, 3]).first(), vector([2, 3]).last(), vector([]).sum(), vector([]).product()]`, `[6.0, 2.0, 3.0, 0.0, 1.0]`},
		{`"yes" if vector([]) else "no"`, `"no"`},
		// signals
		{`momentum([100, 50, 150])`, `0.5`},
		{`momentum([100, 150, 50], skip=1)`, `0.5`},
		{`[sma([1, 2, 3]), sma([1, 2, 3], 2)]`, `[2.0, 2.5]`},
		{`ema([1, 2, 3], 3)`, `2.25`}, // 1, 1.5, 2.25
		{`volatility([0.01, 0.03], 50)`, `0.1`},
		{`[drawdown([1, 2, 1.5]), drawdown([1, 2])]`, `[-0.25, 0.0]`},
		{`rsi([1, 2, 1, 2, 3], 2)`, `87.5`}, // gains 0.5, 0.75, 0.875; losses 0.5, 0.25, 0.125
		{`[rsi([1, 1, 1], 2), rsi([1, 2, 3], 2), rsi([3, 2, 1], 2)]`, `[50.0, 100.0, 0.0]`},
		{`[zscore([1, 2, 3]), zscore([9, 1, 2, 3], 3), zscore([0.1, 0.1, 0.1])]`, `[1.0, 1.0, 0.0]`},
		{`[roc([100, 50, 60], 1), roc([100, 50, 60], 2)]`, `[0.2, -0.4]`},
		{`[momentum_score([100, 50, 60], [1, 2]), momentum_score([100, 50, 60], [1.0, 2.0], [12, 4]), momentum_score([100, 50, 60], vector([2]), vector([3]))]`, `[-0.1, 0.8, -1.2]`},
		{`[wma([9, 1, 2, 4], 3), wma([5], 1)]`, `[2.8333333333333335, 5.0]`}, // (1 + 2·2 + 3·4)/6
		{`[crossover([3, 1, 5], 1, 2), crossover([1, 5, 3], 1, 2), crossover([1, 2, 3], 1, 2), crossover([2, 2, 2], 1, 2), crossover([2, 2, 3], 1, 2), crossover([2, 2, 1], 1, 2)]`, `[1, -1, 0, 0, 1, -1]`},
		{`[highest([1, 3, 2]), highest([9, 1, 2], 2), lowest([1, 3, 2]), lowest([0, 3, 2], 2)]`, `[3.0, 2.0, 1.0, 2.0]`},
		{`[percentile([3, 1, 2], 0.5), percentile([1, 2], 0.25), percentile([7], 0.3), percentile([1, 2, 4], 0.75)]`, `[2.0, 1.25, 7.0, 3.0]`},
		{`[percent_rank([1, 2, 3, 2]), percent_rank([9, 1, 2], 2), percent_rank([2, 1]), percent_rank([1, 1])]`, `[0.5, 1.0, 0.0, 0.5]`},
		{`[slope([1, 3, 5]), slope([9, 1, 2], 2), slope([0.1, 0.1, 0.1]), slope([2, 1])]`, `[2.0, 1.0, 0.0, -1.0]`},
		{`[r_squared([1, 3, 5]), r_squared([1, 0, 1]), r_squared([0.1, 0.1, 0.1]), r_squared([1, 2, 1, 2])]`, `[1.0, 0.0, 0.0, 0.2]`},
		{`[downside_deviation([0.03, -0.04, 0.03, 0.02], 100), downside_deviation([0.1])]`, `[0.2, 0.0]`}, // √(0.0016/4)·10
		{`[sharpe([0.01, 0.03], 50), sharpe([0.1, 0.1])]`, `[10.0, 0.0]`},                                 // 0.02/0.0141…·√50
		{`[max_drawdown([1, 2, 1, 3, 2]), max_drawdown([1, 2])]`, `[-0.5, 0.0]`},
		{`[rolling_mean([1, 2, 4], 2), rolling_mean([1, 2], 2), rolling_mean([3, 1], 1)]`, `[vector([1.5, 3]), vector([1.5]), vector([3, 1])]`},
		{`rolling_volatility([0.01, 0.03, 0.03], 2, 50)`, `vector([0.1, 0])`},
		{`rolling_zscore([1, 2, 3, 3, 3], 3)`, `vector([1, 0.5773502691896257, 0])`},
		{`[vector([3, 1, 2]).median(), vector([4, 1]).median(), vector([-1, 2]).abs(), vector([1, 2, 3]).cumulative(), vector([0.5, -0.5]).growth(), vector([]).growth()]`,
			`[2.0, 2.5, vector([1, 2]), vector([1, 3, 6]), vector([1.5, 0.75]), vector([])]`},
		// pairs
		{`[correlation([1, 2, 3], [2, 4, 6]), correlation([1, 2, 3], [3, 2, 1]), correlation([1, 2], [1, 1])]`, `[1.0, -1.0, 0.0]`},
		{`covariance([1, 2, 3], [2, 4, 6])`, `2.0`},
		{`[beta([2, 4, 6], [1, 2, 3]), beta([1, 2], [1, 1])]`, `[2.0, 0.0]`},
		{`covariance({"A": [1, 2, 3], "B": [3, 2, 1]})`, `{"A": {"A": 1.0, "B": -1.0}, "B": {"A": -1.0, "B": 1.0}}`},
		{`covariance({"A": [1, 2, 3], "B": [3, 2, 1]}, 0.25)`, `{"A": {"A": 1.0, "B": -0.75}, "B": {"A": -0.75, "B": 1.0}}`},
		{`covariance({"A": [1, 2, 3], "B": [3, 5, 1]}, shrinkage=1)`, `{"A": {"A": 2.5, "B": 0.0}, "B": {"A": 0.0, "B": 2.5}}`},
		{`covariance({"A": [0.1, 0.1, 0.1], "B": [1, 2, 3]})`, `{"A": {"A": 0.0, "B": 0.0}, "B": {"A": 0.0, "B": 1.0}}`},
		{`[covariance({}), correlation({}), covariance({}, "ledoit_wolf"), covariance({"A": [1, 2]}, "ledoit_wolf")]`, `[{}, {}, {}, {"A": {"A": 0.5}}]`},
		{`correlation({"A": [1, 2, 3], "B": [3, 2, 1], "C": [5, 5, 5]})["B"]`, `{"A": -1.0, "B": 1.0, "C": 0.0}`},
		// matrices: M is [[1, −1], [−1, 4]]
		{`[M["A"], M["A"]["B"], len(M), "A" in M, "Z" in M, [s for s in M], M.symbols, M.keys()]`, `[{"A": 1.0, "B": -1.0}, -1.0, 2, True, False, ["A", "B"], ["A", "B"], ["A", "B"]]`},
		{`[M.values(), M.items()]`, `[[{"A": 1.0, "B": -1.0}, {"A": -1.0, "B": 4.0}], [("A", {"A": 1.0, "B": -1.0}), ("B", {"A": -1.0, "B": 4.0})]]`},
		{`[M.diagonal(), M.times({"B": 0.5}), M.times({}), dict(M)["A"]]`, `[{"A": 1.0, "B": 4.0}, {"A": -0.5, "B": 2.0}, {"A": 0.0, "B": 0.0}, {"A": 1.0, "B": -1.0}]`},
		{`[(M + M)["A"], (M - M / 2)["A"], (2 * M)["B"], (M * 2 + 1)["B"], (1 - M)["A"], (-M)["B"], (+M)["B"], (2 / M)["B"]]`,
			`[{"A": 2.0, "B": -2.0}, {"A": 0.5, "B": -0.5}, {"A": -2.0, "B": 8.0}, {"A": -1.0, "B": 9.0}, {"A": 0.0, "B": 2.0}, {"A": 1.0, "B": -4.0}, {"A": -1.0, "B": 4.0}, {"A": -2.0, "B": 0.5}]`},
		{`["yes" if covariance({}) else "no", type(M), str(covariance({"S%d" % i: [i, 2 * i] for i in range(11)}))]`, `["no", "matrix", "matrix of 11 symbols"]`},
		// choices
		{`[breadth({"A": 1, "B": 0, "C": -1, "D": 2}), breadth({"A": 1, "B": 2}, 1), breadth({})]`, `[0.5, 0.5, 0.0]`},
		{`[bottom({"A": 1, "B": 3, "C": 1, "D": 0}, 3), bottom({}, 1)]`, `[["D", "A", "C"], []]`},
		{`[above({"B": 1, "A": 0, "C": 2}), above({"A": 1, "B": 2}, 1), above({})]`, `[{"B": 1.0, "C": 2.0}, {"B": 2.0}, {}]`},
		{`top({"A": 1, "B": 3, "C": 3, "D": 2}, 3)`, `["B", "C", "D"]`},
		{`[top({"A": 1}, 5), top({}, 2), top({"A": 1}, 0)]`, `[["A"], [], []]`},
		{`rank({"A": 1, "B": 3, "C": 3})`, `{"A": 3, "B": 1, "C": 2}`},
		// weights
		{`equal_weight(["A", "B"])`, `{"A": 0.5, "B": 0.5}`},
		{`[equal_weight([]), equal_weight(["A"], total=0.3)]`, `[{}, {"A": 0.3}]`},
		{`[normalize({"A": 1, "B": -3}), normalize({"A": 2}, 0.5), normalize({"A": 0})]`, `[{"A": 0.25, "B": -0.75}, {"A": 0.5}, {"A": 0.0}]`},
		{`cap({"A": 0.6, "B": 0.2, "C": 0.2}, 0.4)`, `{"A": 0.4, "B": 0.3, "C": 0.3}`},
		{`cap({"A": 0.9, "B": 0.1}, 0.3)`, `{"A": 0.3, "B": 0.3}`},
		{`blend({"A": 1}, {"B": 1, "A": 0.5}, 0.5)`, `{"A": 0.75, "B": 0.5}`},
		{`[drifted({"A": 0.55}, {"A": 0.5}, 0.1), drifted({"A": 0.7}, {"A": 0.5}, 0.1), drifted({"A": 0.2}, {}, 0.1), drifted({}, {"A": 0.05}, 0.1)]`, `[False, True, True, False]`},
		{`[drifted({"A": 0.545}, {"A": 0.5}, 0.1, relative=True), drifted({"A": 0.56}, {"A": 0.5}, 0.1, relative=True), drifted({"A": 0.001}, {"A": 0}, 0.1, True), drifted({"A": 0.001}, {}, 0.1, True)]`, `[False, True, True, True]`},
		{`[proportional({"A": 3, "B": -1, "C": 1}), proportional({"A": 1}, total=0.5), proportional({"A": -1, "B": 0}), proportional({})]`, `[{"A": 0.75, "B": 0.0, "C": 0.25}, {"A": 0.5}, {"A": 0.0, "B": 0.0}, {}]`},
		{`[scale({"A": 0.5, "B": 0.5}, 1.5), scale({"A": 1}, -0.3)]`, `[{"A": 0.75, "B": 0.75}, {"A": -0.3}]`},
		{`[remainder({"A": 0.25}, "B"), remainder({"A": 0.25, "B": 0.25}, "A"), remainder({"A": 1}, "B"), remainder({}, "B", total=0.5)]`, `[{"A": 0.25, "B": 0.75}, {"A": 0.75, "B": 0.25}, {"A": 1.0, "B": 0.0}, {"B": 0.5}]`},
		{`[limit_turnover({"A": 1}, {"B": 1}, 0.5), limit_turnover({"A": 1}, {"B": 1}, 2), limit_turnover({}, {}, 0), limit_turnover({"A": 0.5}, {"A": 0.5}, 0)]`, `[{"A": 0.75, "B": 0.25}, {"A": 0.0, "B": 1.0}, {}, {"A": 0.5}]`},
		{`inverse_volatility({"A": 0.1, "B": 0.3})`, `{"A": 0.75, "B": 0.25}`},
		{`vol_target({"A": 1}, {"A": [0.01, 0.03]}, 0.05, bars_per_year=50)`, `{"A": 0.5}`},
		{`vol_target({"A": 0.5}, {"A": [0.01, 0.03]}, 9)`, `{"A": 1.0}`},
		{`vol_target({"B": 1}, M, 8, 9, 16)`, `{"B": 1.0}`},                                                                                                                 // σ is √(4·16)
		{`[portfolio_volatility({"A": 1, "B": 0.5}, M, 100), portfolio_volatility({}, M), portfolio_volatility({"A": 1}, {"A": [1, 1], "B": [1, 2]})]`, `[10.0, 0.0, 0.0]`}, // 1 − 1 + 1
		{`[risk_contribution({"B": 0.5, "A": 1}, M), risk_contribution({"A": 0}, M)]`, `[{"B": 0.5, "A": 0.5}, {"A": 0.0}]`},
		{`min_variance(M)`, `{"A": 0.7142857142857143, "B": 0.2857142857142857}`}, // (4 + 1)/(1 + 4 + 2)
		{`[min_variance(M, upper=0.5), min_variance(M, lower={"B": 0.4}), min_variance(M, upper=7, total=7)]`, `[{"A": 0.5, "B": 0.5}, {"A": 0.6, "B": 0.4}, {"A": 5.0, "B": 2.0}]`},
		{`mean_variance(M, 2, expected={"A": 0, "B": 7, "Z": 1})`, `{"A": 0.2142857142857143, "B": 0.7857142857142857}`}, // 5/7 − 7/(2·7)
		{`mean_variance(M, 2, -1, 2, expected={"A": 0, "B": 21})`, `{"A": -0.7857142857142857, "B": 1.7857142857142858}`},
		// A cap is a limit of the problem, unless the weights are no longer the optimiser's.
		{`[f(min_variance(E), 0.4) == min_variance(E, upper=0.4) for f in [cap]] + [cap(dict(min_variance(E)), 0.4) == min_variance(E, upper=0.4)]`, `[True, False]`},
		{`[cap(min_variance(D), 0.2), cap(min_variance(D), 0.9) == min_variance(D)]`, `[{"A": 0.2, "B": 0.2, "C": 0.2}, True]`},
		{`cap(cap(risk_parity(D), 0.5), 0.4) == risk_parity(D, upper=0.4)`, `True`},
		{`cap({s: w for s, w in min_variance(D).items()}, 0.7)["A"]`, `0.7`}, // other weights are cut
		{`min_variance(D, groups=[{"members": ["B", "C", "Z"], "min": 0.5}, {"members": ["C"], "max": 0.1}])`, `{"A": 0.5, "B": 0.4, "C": 0.1}`},
		{`risk_parity(2 * M / 2)`, `{"A": 0.6666666666666666, "B": 0.3333333333333333}`}, // two members: 1/σ
		{`[random(42, 3), random("2020-01-31", 2), random(-7), random(""), random("Zürich"), random(1, 0)]`, `[vector([0.18065559456841696, 0.7535073685064374, 0.549855099791562]), vector([0.9859591244379992, 0.08282591436453757]), vector([0.10322822343565263]), vector([0.7636945250957473]), vector([0.601515372301689]), vector([])]`}, // the same in Python's integers
		{`[min_variance({}), risk_parity({}), mean_variance({}), inverse_volatility({})]`, `[{}, {}, {}, {}]`},
		// math, as in Python
		{`[math.sqrt(4), math.floor(1.5), math.log(1), math.pow(2, 3), math.isnan(float("nan"))]`, `[2.0, 1, 0.0, 8.0, True]`},
	} {
		t.Run(c.expression, func(t *testing.T) {
			t.Parallel()
			got, err := eval(t, c.expression)
			if err != nil {
				t.Fatal(err)
			}
			if !near(got.String(), c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// near compares texts, with numbers to 1e-12 and any kind of quotes.
func near(a, b string) bool {
	split := func(c rune) bool { return strings.ContainsRune("[](){}, :'\"", c) }
	x, y := strings.FieldsFunc(a, split), strings.FieldsFunc(b, split)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		u, err1 := starlark.Call(&starlark.Thread{}, starlark.Universe["float"], starlark.Tuple{starlark.String(x[i])}, nil)
		v, err2 := starlark.Call(&starlark.Thread{}, starlark.Universe["float"], starlark.Tuple{starlark.String(y[i])}, nil)
		if err1 != nil || err2 != nil {
			if x[i] != y[i] {
				return false
			}
			continue
		}
		if math.Abs(float64(u.(starlark.Float)-v.(starlark.Float))) > 1e-12 {
			return false
		}
	}
	return true
}

func TestFunctionsRefuse(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		`momentum([1])`:                                "momentum: prices has 1 value, but 2 are needed",
		`momentum([1, 2], skip=1)`:                     "prices has 2 values, but 3 are needed",
		`momentum([0, 1])`:                             "not a finite number",
		`momentum("SPY")`:                              "a vector or a list of numbers is needed",
		`sma([1, 2], 3)`:                               "3 are needed",
		`sma([1], 0)`:                                  "n is 0",
		`ema([], 3)`:                                   "1 are needed",
		`volatility([0.1])`:                            "2 are needed",
		`rsi([1, 2, 3])`:                               "15 are needed",
		`correlation([1, 2], [1, 2, 3])`:               "x has 2 values and y 3",
		`covariance([1, 2])`:                           "a dictionary from symbols to vectors is needed",
		`top({"A": float("nan")}, 1)`:                  "A is NaN",
		`top({"A": None}, 1)`:                          "A is a NoneType",
		`top({"A": 1}, -1)`:                            "at least 0",
		`equal_weight(["A", "A"])`:                     `"A" is listed twice`,
		`equal_weight([1])`:                            "it must contain only symbols",
		`inverse_volatility({"A": [1, 1]})`:            "the volatility of A is 0",
		`min_variance({"A": [1, 1]})`:                  "the variance of A is not above 0",
		`risk_parity({"A": [1, 2], "B": [1]})`:         "B has 1 value",
		`risk_parity({"A": [1, 2], "B": [1, 2, 3]})`:   "A has 2 values and B 3",
		`cap({"A": -1}, 0.5)`:                          "at least 0",
		`vol_target({"Z": 1}, {"A": [1, 2]}, 0.1)`:     "no returns of Z",
		`vector([1]) == vector([1])`:                   "vectors cannot be compared",
		`vector([1, 2]) / 0`:                           "not a finite number",
		`vector([1, 2]) + vector([1])`:                 "vectors of 2 and 1 values",
		`vector([]).mean()`:                            "1 are needed",
		`vector([1e308, 1e308]).sum()`:                 "not a finite number",
		`vector([1])[5]`:                               "out of range",
		`{vector([1]): 1}`:                             "unhashable",
		`momentum([1, 2], skp=1)`:                      "there is no parameter skp; did you mean skip?",
		`momentum([1, 2], 0, 0)`:                       "got 3 arguments but takes at most 2: momentum(prices, skip=0)",
		`momentum()`:                                   "prices is missing",
		`roc([1, 2], 2)`:                               "3 are needed",
		`roc([1, 2], 0)`:                               "n is 0",
		`roc([1, 2], 1.5)`:                             "n is 1.5; an integer is needed",
		`momentum_score([1, 2], [])`:                   "lookbacks is empty",
		`momentum_score([1, 2], [1.5])`:                "element 0 is 1.5",
		`momentum_score([1, 2], [1, 1], [1])`:          "1 weights for 2 lookbacks",
		`momentum_score([1, 2], [1, 2])`:               "3 are needed",
		`momentum_score([0, 0], [1])`:                  "not a finite number",
		`wma([1], 2)`:                                  "2 are needed",
		`wma([1], 0)`:                                  "n is 0",
		`crossover([1, 2], 1, 2)`:                      "3 are needed",
		`crossover([1, 2], 2, 2)`:                      "fast is 2 and slow 2",
		`highest([])`:                                  "1 are needed",
		`lowest([1], 2)`:                               "2 are needed",
		`percentile([1], 1.1)`:                         "from 0 to 1",
		`percentile([], 0.5)`:                          "1 are needed",
		`percent_rank([1])`:                            "2 are needed",
		`percent_rank([1, 2], 1)`:                      "an integer of at least 2",
		`slope([1, 2, 3], 1)`:                          "an integer of at least 2",
		`r_squared([1])`:                               "2 are needed",
		`downside_deviation([])`:                       "1 are needed",
		`downside_deviation([-1], -1)`:                 "not a finite number",
		`sharpe([1])`:                                  "2 are needed",
		`max_drawdown([])`:                             "1 are needed",
		`max_drawdown([0, 1])`:                         "not a finite number",
		`rolling_mean([1], 2)`:                         "2 are needed",
		`rolling_mean([1], 0)`:                         "an integer of at least 1",
		`rolling_volatility([1, 2], 1)`:                "an integer of at least 2",
		`rolling_zscore([1, 2], None)`:                 "an integer of at least 2",
		`covariance(M, 0.1)`:                           "a vector or a list of numbers is needed",
		`covariance({"A": [1, 2]}, 2)`:                 "from 0 to 1",
		`covariance({"A": [1, 2]}, "ledoitwolf")`:      `or "ledoit_wolf"`,
		`covariance({"A": [1, 2]}, 0.1, 0.2)`:          "write covariance(panel, shrinkage=0.1)",
		`covariance([1, 2], [1, 2], 0.5)`:              "not to two vectors",
		`covariance({"A": [1e200, -1e200]})`:           "the element of A and A is not a finite number",
		`M["Z"]`:                                       "the matrix has no \"Z\"",
		`M[0]`:                                         "the matrix has no 0",
		`M["A"].update({"B": 1})`:                      "frozen",
		`M * M`:                                        "m.times(weights)",
		`M + covariance({"A": [1, 2]})`:                "the same symbols",
		`M / 0`:                                        "not a finite number",
		`M + {}`:                                       "unknown binary op",
		`M == M`:                                       "matrices cannot be compared",
		`{M: 1}`:                                       "unhashable",
		`M.times({"Z": 1})`:                            "the matrix has no Z",
		`M.times([1, 2])`:                              "a dictionary by symbol is needed",
		`M.keys(1)`:                                    "got 1 arguments but takes at most 0",
		`vector([1]).mean(1)`:                          "takes at most 0",
		`vector([]).median()`:                          "1 are needed",
		`vector([1e308, 1e308]).cumulative()`:          "element 1 of the result is not a finite number",
		`min_variance(M, lower=0.6)`:                   "the lower bounds add up to 1.2, above the total of 1",
		`min_variance(M, upper=0.4)`:                   "the upper bounds add up to 0.8, below the total of 1",
		`min_variance(M, lower={"A": 0.5}, upper=0.4)`: "the lower bound of A is 0.5, above its upper of 0.4",
		`min_variance(M, lower="x")`:                   "or a dictionary by symbol",
		`min_variance(M, upper={"A": "x"})`:            "upper: A is a string",
		`min_variance(-M)`:                             "the variance of A is not above 0",
		`min_variance(D, upper=0.4, groups=[{"members": ["A", "B"], "min": 0.9}])`:                      "These contradict one another: the upper bounds of A and B add up to 0.8; group 1 (A and B) has at least 0.9",
		`min_variance(D, groups=[{"members": ["A"], "max": 0.1}, {"members": ["B", "C"], "max": 0.2}])`: "all weights add up to 1",
		`min_variance(D, groups=[{"members": ["A"], "most": 0.1}])`:                                     `group 1 has the key "most"; it takes members, min and max`,
		`cap(min_variance(D, lower=0.3), 0.2)`:                                                          "cap: the lower bound of A is 0.3, above the limit of 0.2",
		`min_variance({"A": [1, 2], "B": [2, 1], "C": [1, 1.5]})`:                                       "2 bars do not determine the weights of 3 members",
		`mean_variance(M)`:                               "expected is missing",
		`mean_variance(M, expected={"A": 1})`:            "expected has no B",
		`mean_variance(M, 0, expected={"A": 1, "B": 1})`: "above 0",
		`risk_parity(M, {"A": 1})`:                       "budget has no B",
		`risk_parity(M, {"A": 1, "B": 0})`:               "the budget of B is 0; it must be above 0",
		`risk_parity(correlation({"A": [1, 1]}))`:        "the variance of A is not above 0",
		`portfolio_volatility({"Z": 1}, M)`:              "no returns of Z",
		`risk_contribution({"Z": 1}, M)`:                 "no returns of Z",
		`breadth([1])`:                                   "a dictionary by symbol is needed",
		`bottom({"A": 1}, -1)`:                           "at least 0",
		`above({"A": 1}, "x")`:                           "a number is needed",
		`scale({"A": 1e308}, 10)`:                        "the result for A is not a finite number",
		`remainder({"A": 1.1}, "B")`:                     "the weights add up to 1.1, above the total of 1",
		`remainder({"A": 1}, 3)`:                         "a string is needed",
		`limit_turnover({}, {}, -1)`:                     "at least 0",
		`drifted({}, {}, 0.1, relative=1)`:               "True or False is needed",
		`random(1.0)`:                                    "an integer or a string",
		`random(True)`:                                   "an integer or a string",
		`random(1, -1)`:                                  "from 0 to 100000",
		`random(1, 100001)`:                              "from 0 to 100000",
		`normalize({"A": True})`:                         "A is a bool",
		`math.sqrt(-1)`:                                  "not a finite number",
		`math.log(0)`:                                    "not a finite number",
	} {
		t.Run(expression, func(t *testing.T) {
			t.Parallel()
			got, err := eval(t, expression)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("gives %v, %v; want %q", got, err, want)
			}
		})
	}
}

// For uncorrelated members the weights of least variance are in proportion to 1/σ², and
// those of equal risk to 1/σ.
func TestOptimisersOnUncorrelatedMembers(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][3]float64{
		`min_variance(` + panel + `)`:       {36. / 49, 9. / 49, 4. / 49},
		`risk_parity(` + panel + `)`:        {6. / 11, 3. / 11, 2. / 11},
		`inverse_volatility(` + panel + `)`: {6. / 11, 3. / 11, 2. / 11},
		`mean_variance(` + panel + `)`:      {36. / 49, 9. / 49, 4. / 49}, // all means are 0
	} {
		v, err := eval(t, expression)
		if err != nil {
			t.Fatal(err)
		}
		for i, symbol := range []string{"A", "B", "C"} {
			w, _, _ := v.(*starlark.Dict).Get(starlark.String(symbol))
			if got, _ := starlark.AsFloat(w); math.Abs(got-want[i]) > 1e-9 {
				t.Errorf("%s gives %s %v, want %v", expression, symbol, got, want[i])
			}
		}
	}
}

package harness_test

import (
	"math"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script/harness"
)

// eval evaluates an expression with the whole harness in sight.
func eval(t *testing.T, expression string) (starlark.Value, error) {
	t.Helper()
	env := starlark.StringDict{"math": harness.Math()}
	for _, name := range harness.Names() {
		env[name], _ = harness.Lookup(name)
	}
	return starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "test", expression, env)
}

// The panel of the tests: A swings by 1 %, B by 2 % and C by 3 %, uncorrelated.
const panel = `{"A": vector([0.01, -0.01, 0.01, -0.01]), "B": vector([0.02, 0.02, -0.02, -0.02]), "C": vector([0.03, -0.03, -0.03, 0.03])}`

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
		// pairs
		{`[correlation([1, 2, 3], [2, 4, 6]), correlation([1, 2, 3], [3, 2, 1]), correlation([1, 2], [1, 1])]`, `[1.0, -1.0, 0.0]`},
		{`covariance([1, 2, 3], [2, 4, 6])`, `2.0`},
		{`[beta([2, 4, 6], [1, 2, 3]), beta([1, 2], [1, 1])]`, `[2.0, 0.0]`},
		{`covariance({"A": [1, 2, 3], "B": [3, 2, 1]})`, `{"A": {"A": 1.0, "B": -1.0}, "B": {"A": -1.0, "B": 1.0}}`},
		// choices
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
		{`inverse_volatility({"A": 0.1, "B": 0.3})`, `{"A": 0.75, "B": 0.25}`},
		{`vol_target({"A": 1}, {"A": [0.01, 0.03]}, 0.05, bars_per_year=50)`, `{"A": 0.5}`},
		{`vol_target({"A": 0.5}, {"A": [0.01, 0.03]}, 9)`, `{"A": 1.0}`},
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

// near compares texts, numbers in them to 1e-12.
func near(a, b string) bool {
	split := func(c rune) bool { return strings.ContainsRune("[](){}, :", c) }
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
		`momentum([1])`:                              "momentum: prices has 1 value, and 2 are needed",
		`momentum([1, 2], skip=1)`:                   "prices has 2 values, and 3 are needed",
		`momentum([0, 1])`:                           "not a finite number",
		`momentum("SPY")`:                            "a vector or a list of numbers is needed",
		`sma([1, 2], 3)`:                             "3 are needed",
		`sma([1], 0)`:                                "n is 0",
		`ema([], 3)`:                                 "1 are needed",
		`volatility([0.1])`:                          "2 are needed",
		`rsi([1, 2, 3])`:                             "15 are needed",
		`correlation([1, 2], [1, 2, 3])`:             "x has 2 values and y 3",
		`covariance([1, 2])`:                         "a dictionary from symbols to vectors is needed",
		`top({"A": float("nan")}, 1)`:                "A is NaN",
		`top({"A": None}, 1)`:                        "A is a NoneType",
		`top({"A": 1}, -1)`:                          "0 or more",
		`equal_weight(["A", "A"])`:                   `"A" is there twice`,
		`equal_weight([1])`:                          "its members are symbols",
		`inverse_volatility({"A": [1, 1]})`:          "the volatility of A is 0",
		`min_variance({"A": [1, 1]})`:                "A does not move",
		`risk_parity({"A": [1, 2], "B": [1]})`:       "B has 1 value",
		`risk_parity({"A": [1, 2], "B": [1, 2, 3]})`: "A has 2 values and B 3",
		`cap({"A": -1}, 0.5)`:                        "0 or more",
		`vol_target({"Z": 1}, {"A": [1, 2]}, 0.1)`:   "no returns of Z",
		`vector([1]) == vector([1])`:                 "vectors are not compared",
		`vector([1, 2]) / 0`:                         "not a finite number",
		`vector([1, 2]) + vector([1])`:               "vectors of 2 and 1 values",
		`vector([]).mean()`:                          "1 are needed",
		`vector([1e308, 1e308]).sum()`:               "not a finite number",
		`vector([1])[5]`:                             "out of range",
		`{vector([1]): 1}`:                           "unhashable",
		`math.sqrt(-1)`:                              "not a finite number",
		`math.log(0)`:                                "not a finite number",
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

// Of uncorrelated members the least variance goes by 1/σ², the same risk by 1/σ.
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

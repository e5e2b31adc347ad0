package download_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// use describes how a name of the harness is tested.
type use struct {
	arguments []string // arguments of a call that returns a value
	sweeps    []string // expressions in which $S stands for every series, and so on; see sweep
	iterative bool     // whether the result comes from an iteration
}

var uses = map[string]use{
	"above":              {[]string{"scores0", "0.1"}, []string{"above($D)", "above($D, $Q)"}, false},
	"beta":               {[]string{"returns0", "returns1"}, []string{"beta($S, $T)"}, false},
	"blend":              {[]string{"weights0", "weights1", "0.3"}, []string{"blend($D, $E)", "blend($D, $E, $Q)"}, false},
	"bottom":             {[]string{"scores0", "2"}, []string{"bottom($D, $N)"}, false},
	"breadth":            {[]string{"scores0", "0.1"}, []string{"breadth($D)", "breadth($D, $Q)"}, false},
	"cap":                {[]string{"weights0", "0.2"}, []string{"cap($D, $Q)", "cap(min_variance($P), $Q)", "cap(risk_parity(panel0), 0.3)", "cap(cap(min_variance(panel0), 0.5), 0.3)", "cap(mean_variance(panel0, upper=0.6), $Q)", "cap(min_variance(panel0, lower=0.1), 0.05)", "cap(min_variance(panel0, groups=groups0), 0.3)"}, true},
	"correlation":        {[]string{"returns0", "returns1"}, []string{"correlation($S, $T)", "correlation($P)", "correlation($P, $Q)"}, false},
	"covariance":         {[]string{"panel0", "None", "0.3"}, []string{"covariance($S, $T)", "covariance($P)", "covariance($P, $Q)", "covariance($P, shrinkage=$Q)", `covariance($P, "ledoit_wolf")`, `covariance($P, shrinkage="ledoit_wolf")`, `covariance($P, shrinkage="lw")`, "covariance($P, 0.1, 0.2)", "covariance(returns0, returns1, 0.2)"}, false},
	"crossover":          {[]string{"walk0", "5", "20"}, []string{"crossover($S, 1, 2)", "crossover($S, $N, 10)", "[crossover(walk0[:i], 3, 8) for i in range(9, 100)]", "[crossover(ties[:i], 1, 3) for i in range(4, 60)]"}, false},
	"downside_deviation": {[]string{"returns0", "252"}, []string{"downside_deviation($S)", "downside_deviation($S, 365)"}, false},
	"drawdown":           {[]string{"walk0"}, []string{"drawdown($S)"}, false},
	"drifted":            {[]string{"weights0", "weights1", "0.05", "True"}, []string{"drifted($D, $E, $Q)", "drifted($D, $E, $Q, True)"}, false},
	"ema":                {[]string{"walk0", "20"}, []string{"ema($S, $N)"}, false},
	"equal_weight":       {[]string{`["A", "B", "C"]`, "0.9"}, []string{"equal_weight($D)", "equal_weight(list($D), $Q)", "equal_weight($P)", "equal_weight(covariance($P))"}, false},
	"highest":            {[]string{"walk0", "20"}, []string{"highest($S)", "highest($S, $N)"}, false},
	"inverse_volatility": {[]string{"panel0"}, []string{"inverse_volatility($P)", "inverse_volatility($D)"}, false},
	"limit_turnover":     {[]string{"weights0", "weights1", "0.2"}, []string{"limit_turnover($D, $E, $Q)"}, false},
	"lowest":             {[]string{"walk0", "20"}, []string{"lowest($S)", "lowest($S, $N)"}, false},
	"max_drawdown":       {[]string{"walk0"}, []string{"max_drawdown($S)"}, false},
	"mean_variance":      {[]string{"panel0", "3.0", "0.02", "0.6", "1.0", "means0", "groups0"}, []string{"mean_variance($P)", "mean_variance($P, $Q)", "mean_variance($P, lower=$Q)", "mean_variance($P, 2, lower=-0.2, upper=0.6)", "mean_variance($P, lower=bounds0, upper=bounds1)", "mean_variance($P, expected=means0)", "mean_variance(covariance($P), expected=means0)", "mean_variance(covariance($P))", "mean_variance($P, groups=groups0)"}, true},
	"min_variance": {[]string{"panel0", "0.02", "0.6", "0.9", "groups0"}, []string{"min_variance($P)", "min_variance($P, $Q)", "min_variance($P, -0.1, 0.3)", "min_variance($P, upper=$Q)", "min_variance($P, lower=bounds0, upper=bounds1)", "min_variance($P, total=$Q)", "min_variance(covariance($P))", `min_variance(covariance($P, "ledoit_wolf"))`, "min_variance($P, groups=groups0)", "min_variance($P, upper=0.5, groups=groups1)",
		"min_variance(panel0, groups=7)", "min_variance(panel0, groups=[7])", `min_variance(panel0, groups=[{"max": 1}])`, `min_variance(panel0, groups=[{"members": "A"}])`, `min_variance(panel0, groups=[{"members": [1]}])`, `min_variance(panel0, groups=[{"members": ["A", "A"]}])`,
		`min_variance(panel0, groups=[{"members": ["A"], "most": 1}])`, `min_variance(panel0, groups=[{"members": ["A"], "max": "x"}])`, `min_variance(panel0, groups=[{"members": ["A"], "min": 1, "max": 0}])`,
		`min_variance(panel0, groups=[{"members": ["A", "B"], "min": 0.9}], upper=0.4)`, `min_variance(panel0, groups=[{"members": ["Z"], "min": 0.1}])`, `min_variance(panel0, groups=[{"members": ["A", "B"], "max": 0.2}, {"members": ["B", "A"], "min": 0.3}])`}, true},
	"momentum":             {[]string{"walk0", "21"}, []string{"momentum($S)", "momentum($S, $N)", "momentum($S, skip=1)"}, false},
	"momentum_score":       {[]string{"walk0", "[5, 10, 20]", "[3, 2, 1]"}, []string{"momentum_score($S, [1, 3])", "momentum_score($S, [1, 2, 4, 7], [12, 4, 2, 1])", "momentum_score($S, [$N])", "momentum_score(walk0, $S)", "momentum_score(walk0, [21.0, 3])", "momentum_score(walk0, vector([21, 3]), vector([0.5, 0.5]))"}, false},
	"normalize":            {[]string{"weights0", "0.8"}, []string{"normalize($D)", "normalize($D, $Q)"}, false},
	"percent_rank":         {[]string{"walk0", "60"}, []string{"percent_rank($S)", "percent_rank($S, $N)"}, false},
	"percentile":           {[]string{"walk0", "0.3"}, []string{"percentile($S, $Q)", "[percentile(walk1, i / 97.0) for i in range(98)]", "[percentile(ties, i / 31.0) for i in range(32)]"}, false},
	"portfolio_volatility": {[]string{"weights0", "panel0", "252"}, []string{"portfolio_volatility(weights0, $P)", "portfolio_volatility($D, panel0)", "portfolio_volatility($D, covariance(panel0))", "portfolio_volatility(weights0, $P, 365)"}, false},
	"proportional":         {[]string{"scores0", "0.9"}, []string{"proportional($D)", "proportional($D, $Q)"}, false},
	"r_squared":            {[]string{"walk0", "60"}, []string{"r_squared($S)", "r_squared($S, $N)"}, false},
	"random":               {[]string{`"2020-01-31"`, "5"}, []string{"random($N)", "random($N, 3)", `random("", 4)`, `random("Zürich ☃", 4)`, "random(123456789012345678901234567890, 2)", "random(-7, 1000)", "random(7, 100000)", "random(7, 100001)"}, false},
	"rank":                 {[]string{"scores0"}, []string{"rank($D)"}, false},
	"remainder":            {[]string{"weights0", `"A"`, "1.4"}, []string{`remainder($D, "BIL")`, `remainder($D, "B", $Q)`}, false},
	"risk_contribution":    {[]string{"weights0", "panel0"}, []string{"risk_contribution(weights0, $P)", "risk_contribution($D, panel0)", "risk_contribution($D, covariance(panel0))"}, false},
	"risk_parity":          {[]string{"panel0", "budget0", "0.1", "0.4", "0.9"}, []string{"risk_parity($P)", "risk_parity($P, upper=$Q)", "risk_parity($P, lower=0.15, upper=0.3, total=0.8)", "risk_parity($P, None, $Q)", "risk_parity($P, lower=bounds0, upper=bounds1)", "risk_parity(panel0, total=$Q)", "risk_parity($P, budget0)", "risk_parity($P, $D)", "risk_parity(covariance($P))", "risk_parity(covariance($P, 0.5), budget0)"}, true},
	"roc":                  {[]string{"walk0", "21"}, []string{"roc($S, 1)", "roc($S, $N)"}, false},
	"rolling_mean":         {[]string{"walk0", "21"}, []string{"rolling_mean($S, $N)", "rolling_mean($S, 2)"}, false},
	"rolling_volatility":   {[]string{"returns0", "21", "252"}, []string{"rolling_volatility($S, $N)", "rolling_volatility($S, 2, 365)"}, false},
	"rolling_zscore":       {[]string{"walk0", "21"}, []string{"rolling_zscore($S, $N)", "rolling_zscore($S, 2)"}, false},
	"rsi":                  {[]string{"walk0", "14"}, []string{"rsi($S)", "rsi($S, $N)"}, false},
	"scale":                {[]string{"weights0", "1.5"}, []string{"scale($D, $Q)", "scale($D, -0.5)"}, false},
	"sharpe":               {[]string{"returns0", "252"}, []string{"sharpe($S)", "sharpe($S, 365)"}, false},
	"slope":                {[]string{"walk0", "60"}, []string{"slope($S)", "slope($S, $N)"}, false},
	"sma":                  {[]string{"walk0", "60"}, []string{"sma($S)", "sma($S, $N)"}, false},
	"top":                  {[]string{"scores0", "2"}, []string{"top($D, $N)"}, false},
	"vector":               {[]string{"walk0"}, []string{"vector($S)", "vector(list($S))", "vector($D)"}, false},
	"vol_target":           {[]string{"weights0", "panel0", "0.1", "1.5", "252"}, []string{"vol_target(weights0, $P, 0.1)", "vol_target($D, panel0, $Q)", "vol_target($D, covariance(panel0), 0.1, 2.0)", "vol_target(weights0, panel0, $Q, 3, 365)"}, false},
	"volatility":           {[]string{"returns0", "252"}, []string{"volatility($S)", "volatility($S, 365)"}, false},
	"wma":                  {[]string{"walk0", "60"}, []string{"wma($S, $N)", "wma($S, 1)"}, false},
	"zscore":               {[]string{"walk0", "60"}, []string{"zscore($S)", "zscore($S, $N)"}, false},
}

// valueSweeps test vectors and matrices themselves.
var valueSweeps = []string{
	"vector($S) + vector($T)", "vector($S) - vector($T)", "vector($S) * vector($T)", "vector($S) / vector($T)",
	"vector($S) + $Q", "vector($S) - $Q", "vector($S) * $Q", "vector($S) / $Q", "$Q + vector($S)", "$Q - vector($S)", "$Q * vector($S)", "$Q / vector($S)",
	"-vector($S)", "+vector($S)", "vector($S)[$N]", "vector($S)[-$N:]", "vector($S)[:$N]", "vector($S)[::2]", "vector($S)[::-1]", "vector($S)[5:1:-2]",
	"len(vector($S))", "list(vector($S))", "sorted(vector($S))", "min(vector($S))", "max(vector($S))", "[x * 2 for x in vector($S)]",
	`"yes" if vector($S) else "no"`, "str(vector($S))",
	"vector($S).first()", "vector($S).last()", "vector($S).sum()", "vector($S).product()", "vector($S).mean()", "vector($S).std()",
	"vector($S).min()", "vector($S).max()", "vector($S).median()", "vector($S).abs()", "vector($S).cumulative()", "vector($S).growth()",
	"vector($S) == vector($T)", "vector($S) < vector($T)", "vector($S) == 1", "vector($S) != None", "vector($S) < 1", "vector($S) + True", "vector($S) + None",
	"vector($S) + [1]", "vector($S) * (1, 2)", "vector([1, 2]) // 2", "vector([1, 2]) % 2", "1 in vector([1, 2])", "{vector([1]): 1}", "vector([1]).size()",
	"vector([1, 2]).sum(1)", "vector([1, 2])[1.5]", `vector([1, 2])["a"]`, "vector([1, 2])[::0]", "10000000000000000000000 * vector([1, 2])",
	"vector(vector([1, 2]))", "vector([1, 2, 4]) / 3 * 7 - 0.25 + vector([1, 0, -1])", "[vector([1e308]) * 10]", "vector([0]) / 0", "1 / vector([0])",

	"covariance($P) + covariance($P)", "covariance($P) - correlation($P)", "covariance($P) * covariance($P)", "covariance($P) / covariance($P)",
	"covariance($P) * $Q", "$Q * covariance($P)", "covariance($P) / $Q", "$Q / covariance($P)", "covariance($P) + $Q", "$Q + covariance($P)", "covariance($P) - $Q", "$Q - covariance($P)",
	"-covariance($P)", "+covariance($P)", "covariance($P).diagonal()", "covariance($P).symbols", "covariance($P).keys()", "covariance($P).values()", "covariance($P).items()",
	"covariance(panel0).times($D)", "covariance($P).times(weights0)", "len(covariance($P))", `"A" in covariance($P)`, "[s for s in covariance($P)]", "list(covariance($P))",
	`covariance($P)["A"]`, `covariance($P)["A"]["B"]`, `covariance($P)["Z"]`, "covariance($P)[0]", `"yes" if covariance($P) else "no"`, "covariance($P) == covariance($P)",
	"covariance($P) == 1", "covariance($P) < 1", "covariance($P) + {}", "covariance($P) + vector([1])", "covariance($P) + True", "{covariance(panel0): 1}", "covariance(panel0).trace()",
	"covariance(panel0).get(\"A\")", "covariance(panel0) + covariance(panel1)", `top(covariance(panel0)["A"], 2)`, `covariance(panel0)["A"].pop("A")`, "covariance(panel0).times()",
	"correlation(covariance(panel0))", "covariance(covariance(panel0))", "inverse_volatility(covariance(panel0))", "inverse_volatility(covariance(panel0).diagonal())",
	"vol_target(weights0, covariance(panel0) * 4, 0.2)", "risk_parity(covariance(panel0) + covariance(panel0))", "min_variance(-covariance(panel0))", "risk_parity(correlation($P) * 0.0001)",
}

// sweep puts data in the place of $S and $T (series), $P (panels), $D and $E
// (dictionaries of numbers), $Q (numbers) and $N (integers).
func sweep(expressions []string, data []binding) []string {
	choices := map[string][]string{
		"$S": named(data, "walk0", "walk1", "returns0", "returns1", "one", "two", "three", "none", "flat", "rounding", "zeros", "negative", "huge", "tiny", "ties", "rising", "falling", "crossing", "tuple", "row"),
		"$T": named(data, "walk1", "returns1", "returns0", "two", "flat", "rounding", "huge", "tiny", "ties", "one", "row"),
		"$P": named(data, "panel0", "panel1", "panel2", "panel3", "single", "still", "twins", "wide", "short", "uneven", "hugePanel", "tinyPanel", "tiesPanel", "emptyDict", "offset", "rounded"),
		"$D": named(data, "scores0", "scores1", "weights0", "weights1", "equal", "zeroed", "losing", "large", "small", "emptyDict", "long", "budget0"),
		"$E": named(data, "weights1", "scores1", "equal", "zeroed", "emptyDict", "long"),
		"$Q": {"0", "0.0", "1", "0.05", "0.5", "0.75", "1.0", "2", "-0.25", "1e-9", "1e300"},
		"$N": {"0", "1", "2", "3", "5", "14", "30", "252"},
	}
	var out []string
	for _, e := range expressions {
		filled := []string{e}
		for _, key := range []string{"$S", "$T", "$P", "$D", "$E", "$Q", "$N"} {
			if !strings.Contains(e, key) {
				continue
			}
			var next []string
			for _, f := range filled {
				for _, choice := range choices[key] {
					next = append(next, strings.ReplaceAll(f, key, choice))
				}
			}
			filled = next
		}
		out = append(out, filled...)
	}
	return out
}

// named checks that the names exist in data.
func named(data []binding, names ...string) []string {
	for _, name := range names {
		if !slices.ContainsFunc(data, func(b binding) bool { return b[0] == name }) {
			panic("no data called " + name)
		}
	}
	return names
}

// seriesData returns the data of the cases: random, short, constant, with ties, negative,
// huge and tiny.
func seriesData() []binding {
	r := rand.New(rand.NewPCG(11, 7))
	normal := func(n int, level, width float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = level + width*r.NormFloat64()
		}
		return out
	}
	walk := func(n int) []float64 {
		out := make([]float64, n)
		price := 1.0
		for i := range out {
			out[i] = price
			price *= 1 + 0.0003 + 0.012*r.NormFloat64()
		}
		return out
	}
	market := normal(120, 0.0004, 0.008)
	panel := func(symbols string, length int, scale float64) string {
		var columns []string
		for i, s := range strings.Split(symbols, "") {
			column := normal(length, 0.0002, 0.004*float64(i%4+1))
			for t := range column {
				column[t] = scale * (column[t] + market[t]*(0.2+0.3*float64(i%5)))
			}
			columns = append(columns, strconv.Quote(s)+": vector("+list(column)+")")
		}
		return "{" + strings.Join(columns, ", ") + "}"
	}
	ties := make([]float64, 60)
	for i := range ties {
		ties[i] = float64(r.IntN(4))
	}
	tiny := normal(40, 0, 1e-170)
	huge := []float64{1e308, -1e308, 1.7e308, 3e307, -1.2e308, 1e308}
	crossing := make([]float64, 80)
	for i := range crossing {
		crossing[i] = 10 + math.Round(3*math.Sin(float64(i)/4))
	}
	return []binding{
		{"walk0", list(walk(400))}, {"walk1", list(walk(60))},
		{"returns0", "vector(" + list(normal(300, 0.0003, 0.01)) + ")"}, {"returns1", list(normal(300, 0, 0.02))},
		{"one", "[3]"}, {"two", "[1, 2.5]"}, {"three", "vector([0.25, -4, 1e-3])"}, {"none", "[]"},
		{"flat", "[5] * 300"}, {"rounding", "[0.1] * 60"}, {"zeros", "[0.0] * 40"}, {"negative", list(normal(300, -3, 1))},
		{"huge", list(huge)}, {"tiny", list(tiny)}, {"ties", list(ties)}, {"rising", "[float(i) for i in range(1, 40)]"}, {"falling", "list(range(60, 0, -1))"},
		{"crossing", list(crossing)}, {"tuple", "(1, 2, 1.5, 0, -1, 4)"}, {"row", "vector(walk0)[-60:]"},
		{"panel0", panel("ABCD", 90, 1)}, {"panel1", panel("ABCDEFGH", 120, 1)}, {"panel2", panel("BA", 20, 1)}, {"panel3", panel("ABCDE", 60, 1)},
		{"single", panel("A", 30, 1)}, {"still", `{"A": returns1[:20], "B": [0.1] * 20}`}, {"twins", `{"A": returns1, "B": returns1, "C": returns0}`},
		{"wide", panel("ABCDEFGHIJ", 5, 1)}, {"short", `{"A": [0.1], "B": [0.2]}`}, {"uneven", `{"A": [0.1, 0.2], "B": [0.2, 0.1, 0.3]}`},
		{"hugePanel", panel("ABC", 12, 1e156)}, {"tinyPanel", panel("ABC", 12, 1e-160)}, {"tiesPanel", `{"A": [1, 2, 1, 2], "B": [2, 1, 2, 1], "C": [1, 1, 2, 2]}`},
		{"offset", `{"A": [0.01, 0.02, -0.01], "B": (0.02, 0.01, 0.005), "C": vector([0.0, 0.01, -0.03])}`}, {"rounded", `{"A": rounding, "B": [0.7] * 60, "C": ties}`},
		{"scores0", `{"A": 0.12, "B": -0.03, "C": 0.31, "D": 0.07}`}, {"scores1", `{"D": 1, "B": 3, "A": 3, "C": 2, "E": 3, "F": -1}`},
		{"weights0", `{"A": 0.5, "B": 0.3, "C": 0.2}`}, {"weights1", `{"B": 0.25, "D": 0.35, "A": 0.15}`}, {"equal", `{"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25}`},
		{"zeroed", `{"A": 0, "B": 0.0}`}, {"losing", `{"A": -1, "B": -0.2, "C": -3}`}, {"large", `{"A": 1e308, "B": 1.5e308, "C": 1e308}`}, {"small", `{"A": 1e-310, "B": 3e-320}`},
		{"emptyDict", "{}"}, {"long", `{"A": 0.03, "B": 0.17, "C": 0.011, "D": 0.29, "E": 0.083, "F": 0.21, "G": 0.0, "H": 0.206}`}, {"budget0", `{"A": 1, "B": 2, "C": 3, "D": 0.5, "E": 1, "F": 1, "G": 1, "H": 1, "I": 1, "J": 2}`},
		{"means0", `{"A": 0.0004, "B": 0.0006, "C": -0.0001, "D": 0.0008, "E": 0.0002, "F": 0.0003, "G": 0.0001, "H": 0.0005}`},
		{"groups0", `[{"members": ["A", "B", "Z"], "min": 0.2, "max": 0.45}, {"members": ["B", "C"], "max": 0.6}]`}, {"groups1", `[{"members": ("A", "C"), "min": 0.3}, {"members": ["A"], "max": 0.1}]`},
		{"bounds0", `{"A": 0.05, "B": -0.1, "X": 5}`}, {"bounds1", `{"A": 0.4, "C": 0.3, "X": -5}`},
	}
}

// list formats numbers so that both languages can read them.
func list(v []float64) string {
	var b strings.Builder
	for i, x := range v {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
	}
	return "[" + b.String() + "]"
}

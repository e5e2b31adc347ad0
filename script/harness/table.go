package harness

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script/internal/signature"
)

// function is a function that a script can import.
type function func(c call) (starlark.Value, error)

// definition is a function with its parameters.
type definition struct {
	parameters string
	of         function
}

// table has every name of the harness for scripts of all kinds.
var table = map[string]definition{
	"above":                {"scores, threshold=0.0", above},
	"beta":                 {"returns, benchmark", beta},
	"blend":                {"a, b, share=0.5", blend},
	"bottom":               {"scores, n", bottom},
	"breadth":              {"scores, threshold=0.0", breadth},
	"cap":                  {"weights, limit", capWeights},
	"correlation":          {"x, y=None", correlated},
	"covariance":           {"x, y=None, shrinkage=0.0", covariance},
	"crossover":            {"values, fast, slow", crossover},
	"downside_deviation":   {"returns, bars_per_year=252", downsideDeviation},
	"drawdown":             {"prices", drawdown},
	"drifted":              {"weights, target, band, relative=False", drifted},
	"ema":                  {"values, n", ema},
	"equal_weight":         {"symbols, total=1.0", equalWeight},
	"highest":              {"values, n=None", highest},
	"inverse_volatility":   {"panel", inverseVolatility},
	"limit_turnover":       {"current, target, most", limitTurnover},
	"lowest":               {"values, n=None", lowest},
	"max_drawdown":         {"prices", maxDrawdown},
	"mean_variance":        {"panel, risk_aversion=4.0, lower=0.0, upper=1.0, total=1.0, expected=None, groups=None", meanVariance},
	"min_variance":         {"panel, lower=0.0, upper=1.0, total=1.0, groups=None", minVariance},
	"momentum":             {"prices, skip=0", momentum},
	"momentum_score":       {"prices, lookbacks, weights=None", momentumScore},
	"normalize":            {"weights, total=1.0", normalize},
	"percent_rank":         {"values, n=None", percentRank},
	"percentile":           {"values, q", percentile},
	"portfolio_volatility": {"weights, panel, bars_per_year=252", portfolioVolatility},
	"proportional":         {"scores, total=1.0", proportional},
	"r_squared":            {"values, n=None", rSquared},
	"random":               {"seed, n=1", random},
	"rank":                 {"scores", rank},
	"remainder":            {"weights, symbol, total=1.0", remainder},
	"risk_contribution":    {"weights, panel", riskContribution},
	"risk_parity":          {"panel, budget=None, lower=0.0, upper=1.0, total=1.0", riskParity},
	"roc":                  {"prices, n", roc},
	"rolling_mean":         {"values, n", rollingMean},
	"rolling_volatility":   {"returns, n, bars_per_year=252", rollingVolatility},
	"rolling_zscore":       {"values, n", rollingZscore},
	"rsi":                  {"prices, n=14", rsi},
	"scale":                {"weights, factor", scale},
	"sharpe":               {"returns, bars_per_year=252", sharpe},
	"slope":                {"values, n=None", slope},
	"sma":                  {"values, n=None", sma},
	"top":                  {"scores, n", top},
	"vector":               {"values", vector},
	"vol_target":           {"weights, panel, target, max_gross=1.0, bars_per_year=252", volTarget},
	"volatility":           {"returns, bars_per_year=252", volatility},
	"wma":                  {"values, n", wma},
	"zscore":               {"values, n=None", zscore},
}

// entry is what a name of the harness refers to in a script.
type entry struct {
	signature *signature.Signature
	value     starlark.Value
}

var entries = func() map[string]entry {
	m := make(map[string]entry, len(table)+len(optimizing)+len(spending)+len(analyses))
	for _, definitions := range []map[string]definition{optimizing, analyses, spending, table} { // a name for all kinds wins
		for name, line := range definitions {
			s := signature.New(name, line.parameters)
			m[name] = entry{s, starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				return line.of(call{b.Name(), s, args, kwargs, thread})
			})}
		}
	}
	return m
}()

var names = slices.Sorted(maps.Keys(entries))

// Names returns the names of the harness, sorted. The caller must not change it.
func Names() []string { return names }

// Lookup returns the value of a name, and whether the harness has the name.
func Lookup(name string) (starlark.Value, bool) {
	e, ok := entries[name]
	return e.value, ok
}

// Signature returns the signature of a function, or nil if the harness does not
// have the name. SignatureIn knows the functions that mean something else in scripts
// of one kind.
func Signature(name string) *signature.Signature { return entries[name].signature }

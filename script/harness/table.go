package harness

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"
)

// function is what a script can import.
type function func(c call) (starlark.Value, error)

// table has every name of the harness.
var table = map[string]function{
	"beta":               beta,
	"blend":              blend,
	"cap":                capWeights,
	"correlation":        correlation,
	"covariance":         covariance,
	"drawdown":           drawdown,
	"drifted":            drifted,
	"ema":                ema,
	"equal_weight":       equalWeight,
	"inverse_volatility": inverseVolatility,
	"mean_variance":      meanVariance,
	"min_variance":       minVariance,
	"momentum":           momentum,
	"normalize":          normalize,
	"rank":               rank,
	"risk_parity":        riskParity,
	"rsi":                rsi,
	"sma":                sma,
	"top":                top,
	"vector":             vector,
	"vol_target":         volTarget,
	"volatility":         volatility,
	"zscore":             zscore,
}

var values = func() map[string]starlark.Value {
	m := make(map[string]starlark.Value, len(table))
	for name, f := range table {
		m[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(call{b.Name(), args, kwargs})
		})
	}
	return m
}()

var names = slices.Sorted(maps.Keys(table))

// Names returns the harness's names, sorted; the caller does not change it.
func Names() []string { return names }

// Lookup returns what a name stands for, false where the harness does not have it.
func Lookup(name string) (starlark.Value, bool) {
	v, ok := values[name]
	return v, ok
}

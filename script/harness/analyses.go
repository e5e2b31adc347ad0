package harness

import (
	"go.starlark.net/starlark"

	"ballast/script/internal/signature"
)

// Analyst is the context of analyze. It carries out the functions of analyses.
type Analyst interface {
	starlark.Value
	// Analyze carries out a function with its arguments, in the order of its signature
	// and without the context.
	Analyze(name string, arguments []starlark.Value) (starlark.Value, error)
}

// analyses are the functions of analyses. Each writes tables, scalars and figures of the
// result, and returns its main table as a dictionary of columns.
var analyses = map[string]definition{
	"attribution":  {`ctx, model, benchmark=None, by="member"`, analyze},
	"components":   {`ctx, keys, frequency="daily"`, analyze},
	"correlation":  {correlationParameters, analyze},
	"drawdowns":    {`ctx, keys, n=10`, analyze},
	"factors":      {`ctx, y, x, frequency="daily", riskless=None, lags=None`, analyze},
	"frontier":     {`ctx, keys, points=50, covariance="sample", expected=None, bounds=None, groups=None, riskless=0.0, frequency="daily"`, analyze},
	"regimes":      {`ctx, keys, rule`, analyze},
	"report":       {`ctx, keys, benchmark=None`, analyze},
	"rolling":      {`ctx, keys, years, benchmark=None`, analyze},
	"stress":       {`ctx, keys, episodes=None, shocks=None`, analyze},
	"style":        {`ctx, y, x, frequency="monthly"`, analyze},
	"sweep":        {`ctx, model, grid, metric="sharpe", keep=0, sample=None, seed=1`, analyze},
	"tails":        {`ctx, keys, level=0.95`, analyze},
	"walk_forward": {`ctx, model, grid, train_years, test_years, anchored=False, metric="sharpe", embargo=0, sample=None, seed=1`, analyze},
}

// correlation has other parameters in scripts of other kinds.
const correlationParameters = `ctx, keys, frequency="daily", method="pearson"`

var correlationOfAnalyses = signature.New("correlation", correlationParameters)

// analyze hands a call to its context.
func analyze(c call) (starlark.Value, error) {
	values := make([]starlark.Value, len(c.signature.Parameters))
	targets := make([]any, len(values))
	for i := range values {
		targets[i] = &values[i]
	}
	if err := c.unpack(targets...); err != nil {
		return nil, err
	}
	ctx, ok := values[0].(Analyst)
	if !ok {
		return nil, c.errorf("ctx is a %s; the context of analyze is needed", values[0].Type())
	}
	return ctx.Analyze(c.name, values[1:])
}

// correlated is correlation: the function of analyses if its first argument is their
// context, and otherwise the matrix of vectors.
func correlated(c call) (starlark.Value, error) {
	var first starlark.Value
	if len(c.args) > 0 {
		first = c.args[0]
	}
	for _, pair := range c.kwargs {
		if pair[0] == starlark.String("ctx") {
			first = pair[1]
		}
	}
	if _, ok := first.(Analyst); ok {
		c.signature = correlationOfAnalyses
		return analyze(c)
	}
	return correlation(c)
}

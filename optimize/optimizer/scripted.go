package optimizer

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Scripted is the objective of an optimizer whose weights a script returns.
const Scripted = "script"

// MostViolation is by how much the weights of a script may break a limit.
const MostViolation = 1e-9

// checkScripted fills in defaults and refuses what only other objectives take. The script
// itself is checked by those who know the contract of scripts.
func (d *Definition) checkScripted(bad func(field, message string, accepted ...string)) {
	if d.Script == "" {
		bad("script", "is missing; give the text of a script with optimize(ctx)")
	}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"target", d.Target != nil}, {"covariance", d.Covariance != nil}, {"expected", d.Expected != nil},
		{"tracking", d.Tracking != nil}, {"riskless", d.Riskless != 0}, {"risk_aversion", d.RiskAversion != 0},
		{"market", len(d.Market) > 0}, {"views", len(d.Views) > 0}, {"budget", len(d.Budget) > 0},
	} {
		if f.given {
			bad(f.name, "does not apply to a script, which computes its weights itself")
		}
	}
	if len(d.Inputs) == 0 {
		d.Inputs = nil // as it is read back
	}
}

// Judge checks weights that a script has returned, and returns by how much they break a
// limit and the limits that they are at. The input must be bounded. Weights that break a
// limit by more than MostViolation are an *Error. That they are feasible is all that is
// checked: nothing says that they are best.
func (d *Definition) Judge(in Input, weights []float64) (violation float64, active []string, err error) {
	active = []string{}
	total := floats.Sum(weights)
	if violation = math.Abs(total - in.Total); violation > MostViolation || math.IsNaN(total) {
		return 0, nil, errorf("the weights add up to %v; they must add up to %v", total, in.Total)
	}
	limit := func(name string, value, least, most float64) {
		broken := max(least-value, value-most, 0)
		violation = max(violation, broken)
		switch {
		case broken > MostViolation && err == nil && value < least:
			err = errorf("%s is %v, below its least of %v", name, value, least)
		case broken > MostViolation && err == nil:
			err = errorf("%s is %v, above its most of %v", name, value, most)
		case value-least <= MostViolation:
			active = append(active, fmt.Sprintf("%s is at its least of %v", name, least))
		case most-value <= MostViolation:
			active = append(active, fmt.Sprintf("%s is at its most of %v", name, most))
		}
	}
	for i, s := range in.Symbols {
		limit("the weight of "+s, weights[i], in.Lower[i], in.Upper[i])
	}
	for _, row := range d.Rows(in.Symbols) {
		sum := 0.0
		for _, i := range row.Members {
			sum += weights[i]
		}
		limit("the sum of "+row.Name, sum, row.Min, row.Max)
	}
	if d.Turnover != nil && len(in.Current) > 0 {
		traded := 0.0
		for i, w := range weightsOf(in.Symbols, in.Current) {
			traded += math.Abs(weights[i] - w)
		}
		held := 0.0
		for s, w := range in.Current {
			held += math.Abs(w)
			if !slices.Contains(in.Symbols, s) {
				traded += math.Abs(w)
			}
		}
		if held > 0 {
			limit("the turnover", traded, math.Inf(-1), d.Turnover.Max)
		}
	}
	if err != nil {
		return 0, nil, err
	}
	return violation, active, nil
}

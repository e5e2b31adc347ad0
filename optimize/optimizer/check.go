package optimizer

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ballast/internal/fault"
	"ballast/optimize/estimate"
)

// DefaultBounds is the key of the bounds of members without their own.
const DefaultBounds = "default"

const (
	defaultLookback = 252
	defaultHalflife = 63
	defaultAversion = 2.5
	mostBars        = 20_000
)

// Check fills in defaults and returns what is wrong with the definition.
func (d *Definition) Check() (details []fault.Detail) {
	bad := func(field, message string, accepted ...string) {
		details = append(details, fault.Detail{Field: field, Message: message, Accepted: accepted})
	}
	if !slices.Contains(Objectives, d.Objective) {
		bad("objective", fmt.Sprintf("%q is not an objective", d.Objective), Objectives...)
		return details
	}
	scripted := d.Objective == Scripted
	if scripted {
		d.checkScripted(bad)
	} else {
		d.fillEstimates()
	}
	d.fill()
	if !slices.Contains(Fallbacks, d.Fallback) {
		bad("fallback", fmt.Sprintf("%q is not a fallback", d.Fallback), Fallbacks...)
	}
	if scripted {
		d.checkLimits(bad)
		return details
	}
	if d.Script != "" || len(d.Inputs) > 0 {
		bad("script", fmt.Sprintf("does not apply to %s; leave out the objective, or the script and its inputs", d.Objective))
	}
	if !slices.Contains(estimate.Estimators, d.Covariance.Estimator) {
		names := make([]string, len(estimate.Estimators))
		for i, e := range estimate.Estimators {
			names[i] = string(e)
		}
		bad("covariance.estimator", fmt.Sprintf("%q is not an estimator", d.Covariance.Estimator), names...)
	}
	if l := d.Covariance.Lookback; l < 2 || l > mostBars {
		bad("covariance.lookback", fmt.Sprintf("is %d; it must be from 2 to %d bars", l, mostBars))
	}
	targeted := d.Objective == TargetReturn || d.Objective == TargetRisk
	switch {
	case targeted && d.Target == nil:
		bad("target", fmt.Sprintf("is missing; %s needs an annual figure, such as 0.08", d.Objective))
	case !targeted && d.Target != nil:
		bad("target", fmt.Sprintf("does not apply to %s", d.Objective))
	case d.Objective == TargetRisk && !(*d.Target > 0):
		bad("target", fmt.Sprintf("is %v; a volatility must be above 0", *d.Target))
	}
	switch {
	case d.needsExpected() && d.Expected == nil:
		bad("expected", fmt.Sprintf("is missing; %s needs expected returns", d.Objective), `{"estimator": "mean", "lookback": 252}`)
	case !d.needsExpected() && d.Expected != nil:
		bad("expected", fmt.Sprintf("does not apply to %s, which takes no expected returns", d.Objective))
	case d.Expected != nil:
		d.checkExpected(bad)
	}
	if d.Covariance.Estimator == estimate.Exponential && !(d.Covariance.Halflife > 0) {
		bad("covariance.halflife", fmt.Sprintf("is %v; it must be above 0 bars", d.Covariance.Halflife))
	}
	if !(d.RiskAversion > 0) {
		bad("risk_aversion", fmt.Sprintf("is %v; it must be above 0", d.RiskAversion))
	}
	if d.Objective == BlackLitterman && len(d.Market) == 0 {
		bad("market", "is missing; black_litterman starts from the market's weights")
	}
	d.checkOwn(bad)
	d.checkLimits(bad)
	return details
}

// fillEstimates sets the defaults of what estimates need.
func (d *Definition) fillEstimates() {
	if d.Covariance == nil {
		d.Covariance = &Covariance{}
	}
	c := *d.Covariance
	if c.Estimator == "" {
		c.Estimator = estimate.LedoitWolf
	}
	if c.Lookback == 0 {
		c.Lookback = defaultLookback
	}
	if c.Halflife == 0 && c.Estimator == estimate.Exponential {
		c.Halflife = defaultHalflife
	}
	d.Covariance = &c
	if d.Expected != nil {
		e := *d.Expected
		if e.Lookback == 0 {
			e.Lookback = defaultLookback
		}
		if e.Halflife == 0 && e.Estimator == ExpectExponential {
			e.Halflife = defaultHalflife
		}
		d.Expected = &e
	}
	if d.RiskAversion == 0 {
		d.RiskAversion = defaultAversion
	}
}

// fill sets the other defaults, so that equal definitions have one form.
func (d *Definition) fill() {
	if d.Bounds == nil {
		d.Bounds = map[string]Bounds{}
	}
	if d.Groups == nil {
		d.Groups = []Group{}
	}
	if d.Market == nil {
		d.Market = map[string]float64{}
	}
	if d.Views == nil {
		d.Views = []View{}
	}
	if d.Budget == nil {
		d.Budget = map[string]float64{}
	}
	if d.Fallback == "" {
		d.Fallback = FallbackError
	}
}

func (d *Definition) needsExpected() bool {
	return slices.Contains([]string{MaxSharpe, TargetReturn, TargetRisk, MeanVariance}, d.Objective)
}

func (d *Definition) checkExpected(bad func(field, message string, accepted ...string)) {
	ways := []string{ExpectMean, ExpectExponential, ExpectImplied}
	if !slices.Contains(ways, d.Expected.Estimator) {
		bad("expected.estimator", fmt.Sprintf("%q is not a way to estimate returns", d.Expected.Estimator), ways...)
	}
	if l := d.Expected.Lookback; l < 1 || l > mostBars {
		bad("expected.lookback", fmt.Sprintf("is %d; it must be from 1 to %d bars", l, mostBars))
	}
	if d.Expected.Estimator == ExpectExponential && !(d.Expected.Halflife > 0) {
		bad("expected.halflife", fmt.Sprintf("is %v; it must be above 0 bars", d.Expected.Halflife))
	}
	if d.Expected.Estimator == ExpectImplied && len(d.Market) == 0 {
		bad("market", "is missing; implied returns are those of a market")
	}
}

// checkOwn refuses what only some objectives take.
func (d *Definition) checkOwn(bad func(field, message string, accepted ...string)) {
	if len(d.Views) > 0 && d.Objective != BlackLitterman {
		bad("views", fmt.Sprintf("do not apply to %s; only black_litterman takes views", d.Objective))
	}
	for i, v := range d.Views {
		if len(v.Weights) == 0 {
			bad(fmt.Sprintf("views[%d].weights", i), "is empty; name the members that the view is about")
		}
	}
	if len(d.Budget) > 0 && d.Objective != RiskParity {
		bad("budget", fmt.Sprintf("does not apply to %s; only risk_parity takes shares of risk", d.Objective))
	}
	for _, s := range slices.Sorted(maps.Keys(d.Budget)) {
		if !(d.Budget[s] > 0) {
			bad("budget."+s, fmt.Sprintf("is %v; a share of risk must be above 0", d.Budget[s]))
		}
	}
	for _, s := range slices.Sorted(maps.Keys(d.Market)) {
		if !(d.Market[s] >= 0) {
			bad("market."+s, fmt.Sprintf("is %v; a weight of the market must be at least 0", d.Market[s]))
		}
	}
	if d.Objective == MinCVaR && d.Tracking != nil {
		bad("tracking", "does not apply to min_cvar, which takes bounds, groups and turnover")
	}
	if d.Objective != RiskParity && d.Objective != HRP {
		return
	}
	for field, given := range map[string]bool{"groups": len(d.Groups) > 0, "turnover": d.Turnover != nil, "tracking": d.Tracking != nil} {
		if given {
			bad(field, fmt.Sprintf("does not apply to %s, which takes bounds only", d.Objective))
		}
	}
}

// most is how far a weight may be from 0.
const most = 100

func (d *Definition) checkLimits(bad func(field, message string, accepted ...string)) {
	for _, s := range slices.Sorted(maps.Keys(d.Bounds)) {
		b := d.Bounds[s]
		if !(b[0] <= b[1]) || b[0] < -most || b[1] > most {
			bad("bounds."+s, fmt.Sprintf("is [%v, %v]; the least comes first, and both are from %d to %d", b[0], b[1], -most, most))
		}
	}
	for i, g := range d.Groups {
		at := fmt.Sprintf("groups[%d]", i)
		seen := map[string]bool{}
		for _, s := range g.Members {
			if seen[s] {
				bad(at+".members", s+" is named twice")
			}
			seen[s] = true
		}
		switch {
		case len(g.Members) == 0 && g.Tag == "":
			bad(at+".members", "is empty; name the symbols of the group, or give a tag")
		case g.Min == nil && g.Max == nil:
			bad(at, "limits nothing; give min or max")
		case g.Min != nil && g.Max != nil && !(*g.Min <= *g.Max):
			bad(at, fmt.Sprintf("has a min of %v, above its max of %v", *g.Min, *g.Max))
		}
	}
	if d.Turnover != nil && !(d.Turnover.Max >= 0 && d.Turnover.Max <= most) {
		bad("turnover.max", fmt.Sprintf("is %v; it must be from 0 to %d", d.Turnover.Max, most))
	}
	if d.Tracking != nil && !(d.Tracking.Max > 0 && d.Tracking.Max <= 10) {
		bad("tracking.max", fmt.Sprintf("is %v; it must be an annual fraction above 0 and at most 10", d.Tracking.Max))
	}
	if d.Tracking != nil && len(d.Tracking.Benchmark) == 0 {
		bad("tracking.benchmark", "is empty; name the benchmark's weights by symbol")
	}
}

// limits returns the bounds of each symbol.
func (d *Definition) limits(symbols []string) (lower, upper []float64) {
	standard, ok := d.Bounds[DefaultBounds]
	if !ok {
		standard = Bounds{0, 1}
	}
	lower, upper = make([]float64, len(symbols)), make([]float64, len(symbols))
	for i, s := range symbols {
		b, own := d.Bounds[s]
		if !own {
			b = standard
		}
		lower[i], upper[i] = b[0], b[1]
	}
	return lower, upper
}

func orInfinity(v *float64, sign int) float64 {
	if v == nil {
		return math.Inf(sign)
	}
	return *v
}

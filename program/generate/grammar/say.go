package grammar

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Say writes a plan as a description that is read as that plan.
func Say(plan *Plan) string {
	var b strings.Builder
	b.WriteString(sayHoldings(plan))
	for _, part := range []string{sayWeights(plan), sayGate(plan), sayOtherwise(plan), sayLimits(plan), saySchedule(plan), sayBand(plan.Band)} {
		if part != "" {
			b.WriteString(", " + part)
		}
	}
	if plan.Fill == "next_close" {
		b.WriteString(", trade at the next close")
	}
	if plan.Name != "" {
		b.WriteString(`, called "` + plan.Name + `"`)
	}
	if plan.Symbol != "" {
		b.WriteString(", symbol " + plan.Symbol)
	}
	return strings.Replace(b.String(), ", when", " when", 1)
}

func sayHoldings(plan *Plan) string {
	keys := keysOf(plan.Pool)
	switch {
	case plan.Rule != nil:
		return sayRule(plan)
	case plan.Select != nil:
		return sayChosen(plan)
	case plan.Weighting == Fixed:
		return sayShares(plan.Pool)
	case len(keys) == 1:
		return "100% " + keys[0]
	case plan.Weighting == Equal:
		return "equal weight " + and(keys)
	}
	return sayWeighting(plan) + " of " + and(keys) + fmt.Sprintf(" over %d days", plan.RiskLookback)
}

// sayShares lists holdings with their shares, and the rest as cash.
func sayShares(list []Holding) string {
	var parts []string
	sum := 0.0
	for _, h := range list {
		sum += h.Weight
		share := exactShare(h.Weight)
		if h.Weight < 0 {
			share = "short " + exactPercent(-h.Weight)
		}
		parts = append(parts, share+" "+h.Key)
	}
	if sum < 1-1e-9 && !slices.ContainsFunc(list, func(h Holding) bool { return h.Weight < 0 }) {
		parts = append(parts, exactPercent(1-sum)+" cash")
	}
	return strings.Join(parts, ", ")
}

// exactShare writes a fraction as people do: 60%, 1/3.
func exactShare(x float64) string {
	for _, of := range []float64{3, 6, 7, 9} {
		if n := math.Round(x * of); n > 0 && n < of && math.Abs(x-n/of) < 1e-11 {
			return fmt.Sprintf("%v/%v", n, of)
		}
	}
	return exactPercent(x)
}

// exactPercent writes a fraction as a percentage without losing digits that count.
func exactPercent(x float64) string {
	return strings.TrimSuffix(float(hundredth(x*1e4)), ".0") + "%"
}

var sayingWeights = map[Weighting]string{InverseVolatility: "inverse volatility", RiskParity: "risk parity", MinimumVariance: "minimum variance", MeanVariance: "mean variance"}

func sayWeighting(plan *Plan) string {
	if plan.Weighting == ByOptimizer {
		return fmt.Sprintf("optimized by %q", plan.Optimizer)
	}
	return sayingWeights[plan.Weighting]
}

func sayRule(plan *Plan) string {
	r := rulesByName[slices.IndexFunc(rulesByName, func(r publishedRule) bool { return r.kind == plan.Rule.Kind })]
	text := strings.ToUpper(r.short) + " portfolio with " + and(keysOf(plan.Pool)) + ", otherwise " + and(plan.Rule.Defensive)
	if plan.Rule.Canary != nil {
		text += ", canaries " + and(plan.Rule.Canary)
	}
	return text
}

func sayChosen(plan *Plan) string {
	x, keys := plan.Select, and(keysOf(plan.Pool))
	end := "top"
	if x.Lowest {
		end = "bottom"
	}
	text := fmt.Sprintf("%s %d of %s", end, x.Count, keys)
	if x.Count >= len(plan.Pool) {
		text = "equal weight " + keys
	}
	switch x.By {
	case ByRSI:
		text += fmt.Sprintf(" by %d day RSI", x.Lookbacks[0])
	case ByVolatility, ByDrawdown, BySharpe:
		best := map[bool]string{false: "highest", true: "lowest"}[x.Lowest != (x.By == ByDrawdown)]
		name := map[Score]string{ByVolatility: "volatility", ByDrawdown: "drawdown", BySharpe: "Sharpe ratio"}[x.By]
		text = fmt.Sprintf("hold the %d of %s with the %s %d day %s", x.Count, keys, best, x.Lookbacks[0], name)
	default:
		if len(x.Lookbacks) > 1 {
			var spans []string
			for _, n := range x.Lookbacks {
				spans = append(spans, fmt.Sprint(n))
			}
			text += " by the average of " + and(spans) + " day returns"
		} else {
			text += fmt.Sprintf(" by %d day momentum", x.Lookbacks[0])
		}
	}
	if x.Skip > 0 {
		text += fmt.Sprintf(", skipping the last %d days", x.Skip)
	}
	switch {
	case x.Hurdle != "":
		text += ", " + x.Hurdle + " as the hurdle"
	case x.Positive == PerMember:
		text += ", only if positive"
	}
	return text
}

// sayWeights says how chosen members are weighted.
func sayWeights(plan *Plan) string {
	if plan.Select == nil && plan.Weighting == MeanVariance {
		return "risk aversion " + plainNumber(plan.RiskAversion)
	}
	if plan.Select == nil || sayWeighting(plan) == "" {
		return ""
	}
	return fmt.Sprintf("weighted by %s over %d days", sayWeighting(plan), plan.RiskLookback)
}

func sayGate(plan *Plan) string {
	var parts []string
	if t := plan.Each; t != nil {
		parts = append(parts, "each only while "+sayTest(t, ""))
	}
	if t := plan.Gate; t != nil {
		parts = append(parts, "when "+sayTest(t, t.Signal))
	}
	return strings.Join(parts, ", ")
}

func sayTest(t *Test, who string) string {
	side := map[bool]string{false: "above", true: "below"}[t.Below]
	average := "day moving average"
	if t.Exponential {
		average = "day exponential moving average"
	}
	subject, its := who+" is ", who+"'s "
	if who == "" {
		subject, its = "", "its "
	}
	switch t.Kind {
	case AboveAverage:
		return fmt.Sprintf("%s%s its %d %s", subject, side, t.Slow, average)
	case Cross:
		if who == "" {
			return fmt.Sprintf("its %d day moving average is %s its %d day moving average", t.Fast, side, t.Slow)
		}
		return fmt.Sprintf("the %d day moving average of %s is %s its %d day moving average", t.Fast, who, side, t.Slow)
	case Rising:
		if t.Other != "" {
			return fmt.Sprintf("%s beats %s over the last %d days", who, t.Other, t.Slow)
		}
		return fmt.Sprintf("%s%d day return is %s", its, t.Slow, map[bool]string{false: "positive", true: "negative"}[t.Below])
	case Strength:
		return fmt.Sprintf("%s%d day RSI is %s %s", its, t.Slow, side, plainNumber(t.Level))
	}
	return fmt.Sprintf("at least %s of them are above their %d %ss", exactPercent(t.Level), t.Slow, average)
}

func sayOtherwise(plan *Plan) string {
	if plan.Gate == nil && plan.Each == nil && (plan.Select == nil || plan.Select.Positive == NotAsked) {
		return ""
	}
	held := "cash"
	switch n := len(plan.Else); {
	case n == 1 && plan.Else[0].Weight == 1:
		held = plan.Else[0].Key
	case n > 1 && !slices.ContainsFunc(plan.Else, func(h Holding) bool { return h.Weight != plan.Else[0].Weight }) && plan.Else[0].Weight*float64(n) > 1-1e-9:
		held = "equally " + and(keysOf(plan.Else))
	case n > 0:
		held = sayShares(plan.Else)
	}
	if plan.Select != nil && plan.Select.Positive == AnyMember {
		return "if none are positive hold " + held
	}
	return "otherwise " + held
}

func sayLimits(plan *Plan) string {
	var parts []string
	if plan.Cap > 0 {
		parts = append(parts, "no more than "+exactPercent(plan.Cap)+" in any asset")
	}
	parts = append(parts, sayBounds(plan.Bounds)...)
	if plan.Target > 0 {
		text := "target " + exactPercent(plan.Target) + " volatility"
		if plan.Select != nil || plan.Weighting == Equal || plan.Weighting == Fixed {
			text += fmt.Sprintf(" over %d days", plan.RiskLookback)
		}
		if plan.MaxGross != 1 {
			text += " with at most " + plainNumber(plan.MaxGross) + "x leverage"
		}
		parts = append(parts, text)
		if plan.Rest != "" {
			parts = append(parts, "the rest in "+plan.Rest)
		}
	}
	if plan.Leverage != 1 {
		parts = append(parts, "leveraged "+plainNumber(plan.Leverage)+"x")
	}
	return strings.Join(parts, ", ")
}

func saySchedule(plan *Plan) string {
	s := plan.Schedule
	switch {
	case plan.Hold:
		return "buy and hold"
	case s.Every == "daily":
		return "daily"
	case s.Weekday != "":
		return "every " + days[s.Weekday]
	case len(s.Months) > 0 && s.Session == -1:
		return "rebalanced in " + and(monthNames(s.Months))
	case len(s.Months) > 0:
		return fmt.Sprintf("rebalanced on the %s trading day of %s", nth(s.Session), and(monthNames(s.Months)))
	case s.Session == -1:
		return s.Every
	case s.Session < 0:
		return fmt.Sprintf("on the %s to last trading day of the %s", nth(-s.Session), periodN[s.Every])
	}
	return fmt.Sprintf("on the %s trading day of the %s", nth(s.Session), periodN[s.Every])
}

func sayBand(b *Band) string {
	switch {
	case b == nil:
		return ""
	case b.Key != "" && b.Relative:
		return "rebalance when " + b.Key + " drifts " + exactPercent(b.Size) + " relative to target"
	case b.Key != "":
		return "rebalance when " + b.Key + " drifts " + strings.TrimSuffix(exactPercent(b.Size), "%") + " points"
	case b.Relative:
		return "with a " + exactPercent(b.Size) + " relative band"
	}
	return "with a band of " + strings.TrimSuffix(exactPercent(b.Size), "%") + " points"
}

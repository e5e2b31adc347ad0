package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// decide writes the body of decide, step by step.
func (w *writer) decide() {
	w.begin()
	w.held()
	w.finish()
}

// held writes what is held as target, once there is enough history.
func (w *writer) held() {
	if w.plan.Rule != nil {
		w.ruled()
		return
	}
	w.pool()
	w.history()
	w.gated()
}

// begin returns None on sessions without a decision.
func (w *writer) begin() {
	plan := w.plan
	switch {
	case plan.Hold:
		w.line(1, "if ctx.last_decision is not None:")
		w.line(2, "return None  # bought once")
	case len(plan.Schedule.Months) > 0:
		months := list(plan.Schedule.Months, func(m int) string { return fmt.Sprintf("\"%02d\"", m) })
		w.line(1, "if ctx.last_decision is not None and ctx.date[5:7] not in %s:", months)
		w.line(2, "return None  # not one of its months")
	}
}

// gated writes the target, under the gate if there is one.
func (w *writer) gated() {
	plan := w.plan
	if plan.Gate == nil {
		w.target(1)
		return
	}
	w.test(plan.Gate, "holds")
	argument := "ctx.inputs.signal"
	if plan.Gate.Kind == Breadth {
		argument = "pool"
	}
	w.line(1, "if holds(ctx, %s):", argument)
	w.target(2)
	w.line(1, "else:")
	w.line(2, "target = %s", w.instead())
}

// fixed reports whether members have shares, and none are chosen or counted.
func (w *writer) fixed() bool {
	return w.plan.Weighting == Fixed && w.plan.Select == nil && (w.plan.Gate == nil || w.plan.Gate.Kind != Breadth)
}

// pool writes the members that can be held, without those that have another role.
func (w *writer) pool() {
	if w.fixed() {
		return
	}
	if len(w.apart) == 0 {
		w.line(1, "pool = ctx.universe")
		return
	}
	var names []string
	apart := ""
	for _, a := range w.apart {
		if a == "*defensive" {
			apart = " + ctx.inputs.defensive"
			continue
		}
		if !slices.Contains(names, a) {
			names = append(names, a)
		}
	}
	set := "[" + strings.Join(names, ", ") + "]" + apart
	if len(names) == 0 {
		set = "ctx.inputs.defensive"
	}
	if len(names) == 1 && apart == "" {
		w.line(1, "pool = [s for s in ctx.universe if s != %s]", names[0])
		return
	}
	w.line(1, "apart = %s", set)
	w.line(1, "pool = [s for s in ctx.universe if s not in apart]")
}

// test writes a helper function that evaluates a test.
func (w *writer) test(t *Test, name string) {
	op := ">"
	if t.Below {
		op = "<"
	}
	body := func(doc string, lines ...string) {
		w.helper = append(w.helper, fmt.Sprintf("\ndef %s(ctx, s):\n    # %s\n    %s", name, doc, strings.Join(lines, "\n    ")))
	}
	average := func() (prices, mean string) {
		if t.Exponential {
			return "ctx.prices(s, 5 * ctx.inputs.average)", w.use("ema") + "(prices, ctx.inputs.average)"
		}
		return "ctx.prices(s, ctx.inputs.average)", w.use("sma") + "(prices)"
	}
	switch t.Kind {
	case AboveAverage:
		prices, mean := average()
		body("The price against its moving average.", "prices = "+prices, fmt.Sprintf("return prices.last() %s %s", op, mean))
	case Cross:
		mean := w.use("sma")
		body("One moving average against the other.", "prices = ctx.prices(s, max(ctx.inputs.fast, ctx.inputs.slow))",
			fmt.Sprintf("return %s(prices, ctx.inputs.fast) %s %s(prices, ctx.inputs.slow)", mean, op, mean))
	case Rising:
		of := w.use("momentum")
		than := "0"
		if t.Other != "" {
			than = of + "(ctx.prices(ctx.inputs.rival, ctx.inputs.trend + 1))"
		}
		body("The return over the trend's lookback.", fmt.Sprintf("return %s(ctx.prices(s, ctx.inputs.trend + 1)) %s %s", of, op, than))
	case Strength:
		body("Wilder's index, over up to ten times its lookback so that its beginning fades.", "prices = ctx.prices(s, 10 * ctx.inputs.rsi_lookback + 1)",
			fmt.Sprintf("return %s(prices, ctx.inputs.rsi_lookback) %s ctx.inputs.level", w.use("rsi"), op))
	case Breadth:
		prices, mean := average()
		w.helper = append(w.helper, fmt.Sprintf("\ndef above_average(ctx, s):\n    # The price against its moving average.\n    prices = %s\n    return prices.last() > %s", prices, mean),
			fmt.Sprintf("\ndef %s(ctx, pool):\n    # The share of members above their averages.\n    above = [s for s in pool if above_average(ctx, s)]\n    return len(pool) > 0 and len(above) >= ctx.inputs.level * len(pool)", name))
	}
}

// target writes what is held while the gate, if any, is open.
func (w *writer) target(indent int) {
	plan := w.plan
	shared := false // whether only a share of the pool is held
	winners := "pool"
	if plan.Each != nil {
		w.test(plan.Each, "passes")
	}
	switch {
	case plan.Select != nil:
		w.scores(indent)
		winners = "chosen"
		if plan.Select.Positive == AnyMember {
			w.line(indent, "if max(list(scores.values())) <= %s:", w.bar())
			w.line(indent+1, "target = %s  # none of them rises", w.instead())
			w.line(indent, "else:")
			indent++
		}
		if plan.Select.Positive == PerMember {
			w.line(indent, "winners = [s for s in chosen if scores[s] > %s]", w.bar())
			winners, shared = "winners", true
		}
	case plan.Weighting == Fixed:
		w.line(indent, "# Fractions of equity; what they leave is CASH.")
		w.line(indent, "target = dict(zip(ctx.inputs.universe, ctx.inputs.weights))")
		if plan.Each != nil {
			w.line(indent, "total = sum(target.values())")
			w.line(indent, "target = {s: x for s, x in target.items() if s in ctx.universe and passes(ctx, s)}")
			w.leftover(indent, "total - sum(target.values())")
		}
		w.shape(indent)
		return
	}
	if plan.Each != nil {
		w.line(indent, "winners = [s for s in %s if passes(ctx, s)]", winners)
		winners, shared = "winners", true
	}
	share := ""
	if shared {
		all := "pool"
		if plan.Select != nil {
			all = "chosen"
		}
		w.line(indent, "share = len(winners) / max(len(%s), 1)  # each that passes keeps its own part", all)
		share = "share"
	}
	w.weigh(indent, winners, share)
	if plan.Cap > 0 && !plan.Weighting.optimal() {
		w.line(indent, "target = %s(target, ctx.inputs.cap)", w.use("cap"))
	}
	if shared {
		w.leftover(indent, "1.0 - share")
	}
	w.scaled(indent)
}

// shape applies cap and scale to fixed shares.
func (w *writer) shape(indent int) {
	if w.plan.Cap > 0 {
		w.line(indent, "target = %s(target, ctx.inputs.cap)", w.use("cap"))
	}
	w.scaled(indent)
}

// scores writes the momentum of the pool and the choice among it.
func (w *writer) scores(indent int) {
	x := w.plan.Select
	skip := ""
	if x.Skip > 0 {
		skip = ", ctx.inputs.skip"
	}
	of := w.use(map[Score]string{ByReturn: "momentum", ByRSI: "rsi", ByVolatility: "volatility", ByDrawdown: "max_drawdown", BySharpe: "sharpe"}[x.By])
	expression := func(s string) string {
		switch x.By {
		case ByRSI:
			return fmt.Sprintf("%s(ctx.prices(%s, 10 * ctx.inputs.lookback + 1), ctx.inputs.lookback)", of, s)
		case ByVolatility, BySharpe:
			return fmt.Sprintf("%s(ctx.returns(%s, ctx.inputs.lookback), ctx.bars_per_year)", of, s)
		case ByDrawdown:
			return fmt.Sprintf("-%s(ctx.prices(%s, ctx.inputs.lookback + 1))", of, s)
		}
		if len(x.Lookbacks) == 1 {
			return fmt.Sprintf("%s(ctx.prices(%s, ctx.inputs.lookback + 1)%s)", of, s, skip)
		}
		return fmt.Sprintf("score(ctx, %s)", s)
	}
	if len(x.Lookbacks) > 1 {
		w.helper = append(w.helper, fmt.Sprintf("\ndef score(ctx, s):\n    # The mean of the returns over the lookbacks.\n"+
			"    returns = [%s(ctx.prices(s, int(n) + 1)%s) for n in ctx.inputs.lookbacks]\n    return sum(returns) / len(returns)", of, skip))
	}
	w.line(indent, "scores = {s: %s for s in pool}", expression("s"))
	if x.Positive == AnyMember {
		w.line(indent, "if not scores:")
		w.line(indent+1, "return None")
	}
	take := "top"
	if x.Lowest {
		take = "bottom"
	}
	w.line(indent, "chosen = %s(scores, ctx.inputs.hold)", w.use(take))
	if x.Hurdle != "" {
		w.line(indent, "hurdle = %s", expression("ctx.inputs.hurdle"))
	}
}

// bar returns what momentum has to be above.
func (w *writer) bar() string {
	if w.plan.Select.Hurdle != "" {
		return "hurdle"
	}
	return "0"
}

// weigh writes the weights of the winners, which add up to share, or to 1.
func (w *writer) weigh(indent int, winners, share string) {
	plan := w.plan
	if plan.Weighting == Equal || plan.Weighting == Fixed {
		if share != "" {
			share = ", " + share
		}
		w.line(indent, "target = %s(%s%s)", w.use("equal_weight"), winners, share)
		return
	}
	if plan.Weighting == ByOptimizer {
		w.optimize(indent, winners)
		return
	}
	name := map[Weighting]string{InverseVolatility: "inverse_volatility", RiskParity: "risk_parity", MinimumVariance: "min_variance", MeanVariance: "mean_variance"}[plan.Weighting]
	extra := ""
	if plan.Weighting == MeanVariance {
		extra = ", ctx.inputs.risk_aversion"
	}
	if plan.Cap > 0 && plan.Weighting.optimal() {
		limit := "ctx.inputs.cap"
		if share != "" {
			w.line(indent, "limit = min(1.0, ctx.inputs.cap / max(share, 0.0001))  # of the part that is held")
			limit = "limit"
		}
		extra += fmt.Sprintf(", upper=%s, total=min(1.0, %s * max(len(%s), 1))", limit, limit, winners)
	}
	if len(plan.Bounds) > 0 && plan.Weighting.optimal() {
		w.line(indent, "lower = {s: x for s, x in zip(ctx.inputs.universe, ctx.inputs.lower) if s in %s}", winners)
		w.line(indent, "upper = {s: x for s, x in zip(ctx.inputs.universe, ctx.inputs.upper) if s in %s}", winners)
		extra += ", lower=lower, upper=upper, total=min(1.0, sum(upper.values()))"
	}
	w.line(indent, "target = %s(ctx.panel(%s, ctx.inputs.risk_lookback)%s)", w.use(name), winners, extra)
	if len(plan.Bounds) > 0 && !plan.Weighting.optimal() {
		w.helper = append(w.helper, "\ndef limited(target, limits):\n    # What a member has above its limit goes to the others in proportion.\n    for s, most in limits.items():\n        others = sum([x for t, x in target.items() if t != s])\n        over = target.get(s, 0.0) - most\n        if over > 0 and others > 0:\n            target = {t: most if t == s else x * (1.0 + over / others) for t, x in target.items()}\n    return target")
		w.line(indent, "target = limited(target, {s: x for s, x in zip(ctx.inputs.universe, ctx.inputs.upper) if x < 1.0})")
	}
	if share != "" {
		w.line(indent, "target = {s: x * share for s, x in target.items()}")
	}
}

// leftover gives the share that members leave to what is held instead.
func (w *writer) leftover(indent int, left string) {
	switch {
	case len(w.plan.Else) == 0:
	case w.safe():
		w.line(indent, "left = %s", left)
		w.line(indent, "if left > 0:")
		w.line(indent+1, "target[ctx.inputs.safe] = target.get(ctx.inputs.safe, 0.0) + left")
	default:
		w.line(indent, "left = %s", left)
		w.line(indent, "for s, x in zip(ctx.inputs.defensive, ctx.inputs.defensive_weights):")
		w.line(indent+1, "target[s] = target.get(s, 0.0) + left * x")
	}
}

// scaled writes the volatility target and the leverage.
func (w *writer) scaled(indent int) {
	if w.plan.Target > 0 {
		w.line(indent, "target = %s(target, ctx.panel(list(target), ctx.inputs.risk_lookback), ctx.inputs.target_volatility,", w.use("vol_target"))
		w.line(indent, "                    ctx.inputs.max_gross, ctx.bars_per_year)")
	}
	if w.plan.Rest != "" {
		w.line(indent, "left = 1.0 - sum(target.values())")
		w.line(indent, "if left > 0:")
		w.line(indent+1, "target[ctx.inputs.rest] = target.get(ctx.inputs.rest, 0.0) + left")
	}
	if w.plan.Leverage != 1 {
		w.line(indent, "target = {s: x * ctx.inputs.leverage for s, x in target.items()}")
	}
}

// instead returns the target of what is held instead.
func (w *writer) instead() string {
	switch {
	case len(w.plan.Else) == 0:
		return "{}"
	case w.safe():
		return "{ctx.inputs.safe: 1.0}"
	}
	return "dict(zip(ctx.inputs.defensive, ctx.inputs.defensive_weights))"
}

// finish writes the band and the return.
func (w *writer) finish() {
	if b := w.plan.Band; b != nil {
		switch {
		case b.Key != "":
			size := "ctx.inputs.band"
			if b.Relative {
				size += fmt.Sprintf(" * abs(target.get(%s, 0.0))", quote(b.Key))
			}
			w.line(1, "# Only this member's weight counts.")
			w.line(1, "if ctx.last_decision is not None and abs(ctx.weights.get(%s, 0.0) - target.get(%s, 0.0)) <= %s:", quote(b.Key), quote(b.Key), size)
		case b.Relative:
			w.line(1, "# The band is relative to each target.")
			w.line(1, "away = [s for s in ctx.inputs.universe")
			w.line(1, "        if abs(ctx.weights.get(s, 0.0) - target.get(s, 0.0)) > ctx.inputs.band * abs(target.get(s, 0.0))]")
			w.line(1, "if ctx.last_decision is not None and not away:")
		default:
			w.line(1, "if ctx.last_decision is not None and not %s(ctx.weights, target, ctx.inputs.band):", w.use("drifted"))
		}
		w.line(2, "return None  # near enough")
	}
	w.line(1, "return target")
}

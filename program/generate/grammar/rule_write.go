package grammar

// declareRule writes the inputs of a published rule.
func (w *writer) declareRule() {
	rule, in := w.plan.Rule, &w.inputs
	if rule == nil {
		return
	}
	in.add(input{name: "offensive", kind: "array", value: list(keysOf(w.plan.Pool), quote), title: "Offensive members", about: "Held while markets rise"})
	in.add(input{name: "defensive", kind: "array", value: list(rule.Defensive, quote), title: "Defensive members", about: "The best of them are held instead"})
	if rule.Canary != nil {
		in.add(input{name: "canaries", kind: "array", value: list(rule.Canary, quote), title: "Canaries", about: "Their momentum warns"})
	}
	in.integer("hold", rule.Hold, 1, max(10, len(w.plan.Pool)), "Holdings", "")
	switch rule.Kind {
	case Defending:
		in.integer("breadth", 2, 1, 10, "Breadth", "")
	case Protected:
		in.integer("protection", 2, 0, 4, "Protection factor", "")
	case Bold:
		in.integer("refuge", 3, 1, 10, "Defensive holdings", "")
		in.member("bills", rule.Bills, "Treasury bills", "Take the place of a defensive member that does not beat them")
	}
}

// ruled writes the target of a published rule. Months are 21 sessions.
func (w *writer) ruled() {
	w.line(1, "# Nothing is held until every member has the history of a year.")
	all := "ctx.inputs.offensive + ctx.inputs.defensive"
	if w.plan.Rule.Canary != nil {
		all += " + ctx.inputs.canaries"
	}
	if w.plan.Rule.Kind == Bold {
		all += " + [ctx.inputs.bills]"
	}
	w.line(1, "if [s for s in %s if ctx.sessions(s) < 253]:", all)
	w.line(2, "return None")
	switch w.plan.Rule.Kind {
	case Vigilant:
		w.weightedMomentum()
		w.bestDefensive()
		w.line(1, "scores = {s: score(ctx, s) for s in ctx.inputs.offensive}")
		w.line(1, "if min(list(scores.values())) > 0:")
		w.line(2, "target = %s(%s(scores, ctx.inputs.hold))", w.use("equal_weight"), w.use("top"))
		w.line(1, "else:")
		w.line(2, "target = {best(ctx): 1.0}  # one of them falls")
	case Defending:
		w.weightedMomentum()
		w.bestDefensive()
		w.line(1, "falling = [s for s in ctx.inputs.canaries if score(ctx, s) <= 0]")
		w.line(1, "safe = min(1.0, len(falling) / ctx.inputs.breadth)")
		w.line(1, "scores = {s: score(ctx, s) for s in ctx.inputs.offensive}")
		w.line(1, "target = %s(%s(scores, ctx.inputs.hold), 1.0 - safe)", w.use("equal_weight"), w.use("top"))
		w.toDefensive()
	case Protected:
		w.aboveAverage()
		w.bestDefensive()
		w.line(1, "scores = {s: score(ctx, s) for s in ctx.inputs.offensive}")
		w.line(1, "rising = {s: x for s, x in scores.items() if x > 0}")
		w.line(1, "few = ctx.inputs.protection * len(scores) / 4  # with no more than these, nothing of the pool is held")
		w.line(1, "safe = 1.0")
		w.line(1, "if len(rising) > few:")
		w.line(2, "safe = (len(scores) - len(rising)) / (len(scores) - few)")
		w.line(1, "target = %s(%s(rising, ctx.inputs.hold), 1.0 - safe)", w.use("equal_weight"), w.use("top"))
		w.toDefensive()
	case Hybrid:
		w.meanMomentum()
		w.bestDefensive()
		w.line(1, "target = {best(ctx): 1.0}")
		w.line(1, "if not [s for s in ctx.inputs.canaries if score(ctx, s) <= 0]:")
		w.line(2, "scores = {s: score(ctx, s) for s in ctx.inputs.offensive}")
		w.line(2, "chosen = %s(scores, ctx.inputs.hold)", w.use("top"))
		w.line(2, "target = %s([s for s in chosen if scores[s] > 0], len([s for s in chosen if scores[s] > 0]) / len(chosen))", w.use("equal_weight"))
		w.line(2, "safe = len([s for s in chosen if scores[s] <= 0]) / len(chosen)")
		w.line(2, "if safe > 0:")
		w.line(3, "target[best(ctx)] = target.get(best(ctx), 0.0) + safe")
	case Bold:
		w.aboveAverage()
		w.strength("strength")
		w.line(1, "if not [s for s in ctx.inputs.canaries if strength(ctx, s) <= 0]:")
		w.line(2, "target = %s(%s({s: score(ctx, s) for s in ctx.inputs.offensive}, ctx.inputs.hold))", w.use("equal_weight"), w.use("top"))
		w.line(1, "else:")
		w.line(2, "scores = {s: score(ctx, s) for s in ctx.inputs.defensive}")
		w.line(2, "chosen = %s(scores, ctx.inputs.refuge)", w.use("top"))
		w.line(2, "target = {}")
		w.line(2, "for s in chosen:")
		w.line(3, "key = s")
		w.line(3, "if scores[s] < score(ctx, ctx.inputs.bills):")
		w.line(4, "key = ctx.inputs.bills")
		w.line(3, "target[key] = target.get(key, 0.0) + 1.0 / len(chosen)")
	}
}

// weightedMomentum writes the score that counts recent months most, as score.
func (w *writer) weightedMomentum() { w.strength("score") }

// strength writes Keller's 13612W: monthly returns of recent months count most.
func (w *writer) strength(name string) {
	of := w.use("momentum")
	w.helper = append(w.helper, "\ndef "+name+"(ctx, s):\n    # The returns of 1, 3, 6 and 12 months, each as a yearly rate, so that recent months count most.\n"+
		"    return 12 * "+of+"(ctx.prices(s, 22)) + 4 * "+of+"(ctx.prices(s, 64)) + 2 * "+of+"(ctx.prices(s, 127)) + "+of+"(ctx.prices(s, 253))")
}

// meanMomentum writes the mean of the returns as score.
func (w *writer) meanMomentum() {
	of := w.use("momentum")
	w.helper = append(w.helper, "\ndef score(ctx, s):\n    # The mean of the returns of 1, 3, 6 and 12 months.\n"+
		"    return ("+of+"(ctx.prices(s, 22)) + "+of+"(ctx.prices(s, 64)) + "+of+"(ctx.prices(s, 127)) + "+of+"(ctx.prices(s, 253))) / 4")
}

// aboveAverage writes the distance of a price from its average over a year as score.
func (w *writer) aboveAverage() {
	w.helper = append(w.helper, "\ndef score(ctx, s):\n    # The price against its average over a year.\n"+
		"    prices = ctx.prices(s, 252)\n    return prices.last() / "+w.use("sma")+"(prices) - 1")
}

// bestDefensive writes the defensive member with the highest score as best.
func (w *writer) bestDefensive() {
	w.helper = append(w.helper, "\ndef best(ctx):\n    # The defensive member with the highest score.\n"+
		"    return "+w.use("top")+"({s: score(ctx, s) for s in ctx.inputs.defensive}, 1)[0]")
}

// toDefensive gives the safe part to the best defensive member.
func (w *writer) toDefensive() {
	w.line(1, "if safe > 0:")
	w.line(2, "target[best(ctx)] = target.get(best(ctx), 0.0) + safe")
}

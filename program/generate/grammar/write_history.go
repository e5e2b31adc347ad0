package grammar

import (
	"slices"
	"strings"
)

// history waits until whatever is looked at has enough sessions. Members that are
// only held instead need none, because every member has a bar when a model starts.
func (w *writer) history() {
	plan := w.plan
	var pool, safe []string // how many sessions their members need
	var lines [][2]string   // a member and how many it needs
	if x := plan.Select; x != nil {
		need := "ctx.inputs.lookback + 1"
		if len(x.Lookbacks) > 1 {
			need = "int(max(ctx.inputs.lookbacks)) + 1"
		}
		pool = append(pool, need)
		if x.Hurdle != "" {
			lines = append(lines, [2]string{"ctx.inputs.hurdle", need})
		}
	}
	for _, t := range []*Test{plan.Each, plan.Gate} {
		switch {
		case t == nil:
			continue
		case t.Signal != "":
			lines = append(lines, [2]string{"ctx.inputs.signal", testNeeds(t)})
		default:
			pool = append(pool, testNeeds(t))
		}
		if t.Other != "" {
			lines = append(lines, [2]string{"ctx.inputs.rival", testNeeds(t)})
		}
	}
	if plan.RiskLookback > 0 {
		pool = append(pool, "ctx.inputs.risk_lookback + 1")
		if plan.Target > 0 && w.partly() {
			safe = append(safe, "ctx.inputs.risk_lookback + 1")
		}
	}
	if len(lines)+len(pool) > 0 {
		w.line(1, "# Nothing is held until what is looked at has its history.")
	}
	for _, x := range lines {
		w.line(1, "if ctx.sessions(%s) < %s:", x[0], x[1])
		w.line(2, "return None")
	}
	w.waits(w.holdable(), pool)
	switch {
	case len(safe) == 0 || len(plan.Else) == 0:
	case w.safe():
		w.waits("[ctx.inputs.safe]", safe)
	default:
		w.waits("ctx.inputs.defensive", safe)
	}
}

// waits returns None while one of the members has too few sessions.
func (w *writer) waits(members string, needs []string) {
	needs = slices.Compact(needs)
	switch len(needs) {
	case 0:
		return
	case 1:
		w.line(1, "need = %s", needs[0])
	default:
		w.line(1, "need = max(%s)", strings.Join(needs, ", "))
	}
	w.line(1, "if [s for s in %s if ctx.sessions(s) < need]:", members)
	w.line(2, "return None")
}

// holdable returns what is held or chosen from, as script code.
func (w *writer) holdable() string {
	switch {
	case !w.fixed():
		return "pool"
	case len(w.universe()) == len(w.plan.Pool):
		return "ctx.inputs.universe"
	}
	return "[s for s, x in zip(ctx.inputs.universe, ctx.inputs.weights)]"
}

// partly reports whether part of what is held can go to what is held instead, and is
// then scaled with the rest.
func (w *writer) partly() bool {
	return w.plan.Each != nil || w.plan.Select != nil && w.plan.Select.Positive == PerMember
}

// testNeeds returns how many sessions a test needs. Exponential averages and the
// relative strength index look further back if there is more history, so that their
// start fades; they do not wait for it.
func testNeeds(t *Test) string {
	switch t.Kind {
	case Cross:
		return "max(ctx.inputs.fast, ctx.inputs.slow)"
	case Rising:
		return "ctx.inputs.trend + 1"
	case Strength:
		return "ctx.inputs.rsi_lookback + 1"
	}
	return "ctx.inputs.average"
}

package grammar

import "fmt"

// optimizerPhrases name the optimizer that gives the weights.
var optimizerPhrases = []phrase{
	{
		forms: []string{
			"[weights|weighted] (optimized|optimised|optimize|optimise|optimizing|optimising) (by|with|using) [optimizer|optimiser] {optimizer=code} [on|over|for|of|across]",
			"[weights|weighted] [by|with|using|from] (optimizer|optimiser) {optimizer=code} [on|over|for|of|across]",
		},
		says: func(p *parser, m match) {
			p.expected = true
			once(p, &p.draft.weighting, ByOptimizer, m, "a weighting")
			p.draft.optimizer = get[string](m.captures, "optimizer")
		},
	},
}

// optimized sets the optimizer of a plan. Its weights are held as they are: what would
// change them afterwards could break the limits that they were computed for, and a
// limit of turnover compares them with what is held.
func (p *parser) optimized(plan *Plan) {
	d := &p.draft
	if plan.Weighting != ByOptimizer {
		return
	}
	plan.Optimizer = d.optimizer
	name := plan.Optimizer
	refuse := func(there bool, from, to int, message string) {
		if there {
			p.refuse(from, max(to, from+1), "", message)
		}
	}
	refuse(d.cap.there, d.cap.from, d.cap.to, fmt.Sprintf("limits of weights belong to the optimizer: set the bounds of %s", name))
	refuse(d.target.there, d.target.from, d.target.to, fmt.Sprintf("the weights of an optimizer are not scaled: use an objective such as target_risk in %s", name))
	refuse(d.leverage.there && plan.Leverage != 1, d.leverage.from, d.leverage.to, fmt.Sprintf("the weights of an optimizer are not scaled: the weights of %s add up to 1", name))
	refuse(plan.Each != nil || plan.Select != nil && plan.Select.Positive == PerMember, d.weighting.from, d.weighting.to,
		fmt.Sprintf("%s gives the weights of all members, so none of them can be left to something else on its own: use one condition for the whole model", name))
}

// optimizes reports whether an optimizer gives weights anywhere in a part.
func optimizes(part Node) (found bool) {
	(&Tree{Root: part}).walk(func(n Node) {
		if a, ok := n.(*Allocation); ok && a.Plan.Weighting == ByOptimizer {
			found = true
		}
	})
	return found
}

// optimize writes the call of the optimizer. It is told what is held, for its limit of
// turnover and for its fallback.
func (w *writer) optimize(indent int, winners string) {
	w.line(indent, "target = %s(%s, ctx.panel(%s, ctx.inputs.risk_lookback), ctx.weights)", w.use("optimize"), quote(w.plan.Optimizer), winners)
}

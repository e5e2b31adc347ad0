package grammar

// simple returns the plan that says the same as a tree with one condition, so that
// however a strategy is worded, it gets the same script; nil if there is none.
func (t *Tree) simple() *Plan {
	c, ok := t.Root.(*Choice)
	if !ok {
		return nil
	}
	if c.Until != nil {
		return nil
	}
	gate := c.If.test()
	then, isLeaf := c.Then.(*Allocation)
	other, isOther := c.Else.(*Allocation)
	if gate == nil || !isLeaf || !isOther {
		return nil
	}
	if gate.Below && gate.Kind != Strength && len(other.Plan.Pool) > 0 || len(then.Plan.Pool) == 0 {
		gate.Below = !gate.Below
		then, other = other, then
	}
	if len(then.Plan.Pool) == 0 || !other.Plan.plain() || then.Plan.Rule != nil || then.Plan.Gate != nil || then.Plan.Each != nil || then.Plan.Select != nil || len(then.Plan.Else) > 0 || !then.Plan.plain() {
		return nil
	}
	plan := *then.Plan
	plan.Gate, plan.Schedule, plan.Fill, plan.Band, plan.Symbol, plan.Notes = gate, t.Schedule, t.Fill, t.Band, t.Symbol, nil
	for _, h := range other.Plan.Pool {
		if other.Plan.Weighting != Fixed {
			h.Weight = 1
		}
		plan.Else = append(plan.Else, h)
	}
	for _, n := range t.Notes {
		switch n {
		case checkedDaily:
			n = "No schedule was given, so the condition is checked daily."
		case cashOtherwise, rsiOverFourteen:
			continue // the description says it
		}
		plan.Notes = append(plan.Notes, n)
	}
	plan.Name = t.Name
	if t.Name == titleOf(t) {
		plan.Name = clipped(shortly(&plan))
	}
	return &plan
}

// test returns the test of a plan that says the same as a condition; nil if there is
// none.
func (c Condition) test() *Test {
	left, right := c.Left, c.Right
	if c.Join != Single || c.dated() || c.Equal || c.InARow > 1 || left.Factor != 1 || right.Factor != 1 || left.Ago+right.Ago > 0 || left.Kind == Return && left.Sessions < 2 {
		return nil
	}
	t := &Test{Signal: left.Member, Slow: right.Sessions, Below: c.Below}
	switch {
	case left.Kind == Price && right.Kind == SimpleMean:
		t.Kind = AboveAverage
	case left.Kind == Price && right.Kind == ExponentialMean:
		t.Kind, t.Exponential = AboveAverage, true
	case left.Kind == SimpleMean && right.Kind == SimpleMean && left.Sessions < right.Sessions:
		t.Kind, t.Fast = Cross, left.Sessions
	case left.Kind == Return && right.Kind == Level && right.Value == 0:
		t.Kind, t.Slow = Rising, left.Sessions
	case left.Kind == Return && right.Kind == Return && left.Sessions == right.Sessions:
		t.Kind, t.Other = Rising, right.Member
	case left.Kind == RSI && right.Kind == Level:
		t.Kind, t.Slow, t.Level = Strength, left.Sessions, right.Value
	default:
		return nil
	}
	return t
}

package grammar

// excepted reports an exception to all that was said: but if … hold BIL.
func (r *treeReader) excepted(at int) bool {
	next := r.skip(at, ", ; .")
	return r.is(next, "but") && opening[r.word(next+1)]
}

// exception reads what is held instead of a choice under a condition that comes after but.
func (r *treeReader) exception(c *Choice, at int) (Node, int) {
	open, not, _ := r.opens(r.skip(at, ", ; ."))
	condition, end := r.condition(open)
	if end == 0 {
		return nil, 0
	}
	if not {
		condition = condition.negated()
	}
	if r.defaulted(c.Else) && condition.opposes(c.If) { // SPY above its average, but BIL below it
		other, end := r.strategy(r.skip(end, ", then"), true)
		if other == nil {
			return nil, 0
		}
		c.Else = other
		return c, end
	}
	return r.overruled(condition.negated(), c, r.skip(end, ", then"))
}

package grammar

// months reads from November to April, and in May or June.
func (r *treeReader) months(at int) (Condition, int) {
	for r.is(at, "it") || r.is(at, "it's") || r.is(at, "is") || r.is(at, "the") || r.is(at, "month") || r.is(at, "in") || r.is(at, "during") || r.is(at, "'s") || r.is(at, "from") || r.is(at, "between") {
		at++
	}
	first := months[r.word(at)]
	if first == 0 || r.is(at, "may") && !r.is(at-1, "in") && !r.is(at-1, "from") && !r.is(at-1, "between") && !r.is(at-1, "is") && !r.is(at-1, "during") {
		return Condition{}, 0
	}
	c := Condition{Months: []int{first}}
	end := at + 1
	range_ := r.is(at-1, "between") && r.is(end, "and")
	switch last := months[r.word(end+1)]; {
	case last == 0:
	case range_ || r.is(end, "to") || r.is(end, "through") || r.is(end, "until") || r.is(end, "till") || r.is(end, "-"):
		for m := first; m != last; {
			m = m%12 + 1
			c.Months = append(c.Months, m)
		}
		return c, end + 2
	}
	for {
		next := end
		for r.is(next, ",") || r.is(next, "or") || r.is(next, "and") {
			next++
		}
		m := months[r.word(next)]
		if m == 0 || next == end {
			return c, end
		}
		c.Months, end = append(c.Months, m), next+1
	}
}

package grammar

import "fmt"

// counted reads how many of several members something is said of: at least 3 of SPY, EFA
// and EEM are above their 200 day averages.
func (r *treeReader) counted(at int) (c Condition, end int, found bool) {
	c.Join = Some
	start, fraction := at, 0.0
	more := false
	switch {
	case r.says(at, []string{"at", "least"}):
		at += 2
	case r.says(at, []string{"more", "than"}):
		at, more = at+2, true
	}
	switch n, after := r.number(at); {
	case r.is(at, "all") || r.is(at, "both") || r.is(at, "each"):
		c.Join, at = All, at+1
	case r.is(at, "any") || r.is(at, "either"):
		c.Join, at = Any, at+1
		if n, after := r.number(at); after > 0 {
			c.Join, c.Least, at = Some, int(n), after
		}
	case r.is(at, "none") || r.is(at, "neither"):
		c.Join, c.Not, at = Any, true, at+1
	case r.is(at, "half"):
		fraction, at = 0.5, at+1
	case r.is(at, "most"), r.is(at, "majority"):
		fraction, more, at = 0.5, true, at+1
	case after > 0 && r.p.percentSign(after) > 0:
		fraction, at = n/100, r.p.percentSign(after)
	case after > 0:
		c.Least, at = int(n), after
	default:
		return c, 0, false
	}
	said := linking[r.word(at)] && !r.is(start, "each") // both are below their averages
	if !r.is(at, "of") && at > start && !said {
		return c, 0, false
	}
	if c.Join == Some && fraction == 0 && c.Least > 0 {
		if begin := r.theseConditions(at + 1); begin > 0 {
			if more {
				c.Least++
			}
			return r.conditions(c, begin)
		}
	}
	members, end := r.memberList(at + 1)
	if next := r.skip(at, "of them the"); said || r.is(at+1, "them") && linking[r.word(next)] {
		members, end = r.pool, next
		if pair := r.is(start, "both") || r.is(start, "either") || r.is(start, "neither"); pair && len(members) != 2 {
			members = nil
		}
	}
	if len(members) < 2 {
		return c, 0, false
	}
	if fraction > 0 {
		n := fraction * float64(len(members))
		if c.Least = int(n); float64(c.Least) < n {
			c.Least++
		} else if more {
			c.Least++
		}
	} else if more {
		c.Least++
	}
	r.composed = true
	if c.Join == Some && (c.Least < 1 || c.Least > len(members)) {
		r.fail(start, at, "this is more than there are members, or none")
		return c, 0, true
	}
	one, end := r.predicate(measured{Quantity: Quantity{Kind: Price, Member: members[0], Factor: 1}, from: at + 1, end: end, bare: true})
	if end == 0 || one.Join != Single {
		return c, 0, true
	}
	c.Of = one.each(members[1:], All).Of
	return c, end, true
}

// theseConditions returns where a list of conditions begins that is announced: these are
// true:, the following conditions:; 0 if none is.
func (r *treeReader) theseConditions(at int) int {
	start := at
	at = r.skip(at, "the these following conditions signals three four five two are true hold is")
	if at == start || !r.is(at, ":") && !r.is(at, "(") {
		return 0
	}
	return at + 1
}

// conditions reads a list of conditions of which some have to be true.
func (r *treeReader) conditions(c Condition, at int) (Condition, int, bool) {
	bracketed := r.is(at-1, "(")
	for {
		one, end := r.single(at)
		if end == 0 {
			return c, 0, true
		}
		c.Of = append(c.Of, one)
		next := end
		for r.is(next, ",") || r.is(next, "and") || r.is(next, "or") || r.in(next) && r.p.tokens[next].kind == line {
			next++
		}
		if next == end || r.action(next) || !r.in(next) {
			at = end
			break
		}
		if _, other := r.elses(next); other {
			at = end
			break
		}
		at = next
	}
	if bracketed {
		if !r.is(at, ")") {
			r.fail(at, at+1, "this is not understood as part of a list of conditions")
			return c, 0, true
		}
		at++
	}
	if len(c.Of) < 2 || c.Least < 1 || c.Least > len(c.Of) {
		r.fail(at-1, at, fmt.Sprintf("%d conditions are listed, and %d have to be true", len(c.Of), c.Least))
		return c, 0, true
	}
	r.composed = true
	return c, at, true
}

// memberList reads members separated by commas, and, or.
func (r *treeReader) memberList(at int) (keys []string, end int) {
	for r.is(at, "the") || r.is(at, "these") || r.is(at, ":") || r.is(at, "(") {
		at++
	}
	for {
		var key string
		after := r.member(at, &key)
		if after == 0 {
			if r.is(end, ")") {
				end++
			}
			return keys, end
		}
		keys, end, at = append(keys, key), after, after
		for r.is(at, ",") || r.is(at, "and") || r.is(at, "or") || r.is(at, "/") || r.is(at, "&") {
			at++
		}
	}
}

package grammar

// departs reports what is held instead under a condition that follows it: and move to
// BIL if …, but BIL when ….
func (r *treeReader) departs(at int) bool {
	next := r.skip(at, ", ; . and then that which")
	if r.is(next, "but") {
		_, _, opened := r.opens(next)
		_, share := r.number(next + 1)
		return !opened && !exiting[r.word(next+1)] && (introducing[r.word(next+1)] || r.isMemberAt(next+1) || share > 0 || r.is(next+1, "all") || r.is(next+1, "everything"))
	}
	return next > at && leaving[r.word(next)] && r.is(next+1, "to")
}

// departure reads what is held instead of a node under a condition that follows it.
func (r *treeReader) departure(node Node, at int) (Node, int) {
	at = r.skip(at, ", ; . and then but that which")
	other, end := r.leaf(at)
	if other == nil {
		return nil, 0
	}
	return r.departed(node, other, end, at)
}

// fromTo reads switch from SPY to AGG before a condition: what is held, and what instead.
func (r *treeReader) fromTo(at int) (node, other Node, end int) {
	var from, to string
	if !leaving[r.word(at)] && replacing[r.word(at)] == nil || !r.is(at+1, "from") {
		return nil, nil, 0
	}
	if end = r.member(at+2, &from); end == 0 || !r.is(end, "to") && !r.is(end, "into") {
		return nil, nil, 0
	}
	if r.isCash(end + 1) {
		m, _ := r.p.memberAt(end+1, true)
		return alone(from), alone(""), m.end
	}
	if end = r.member(end+1, &to); end == 0 {
		return nil, nil, 0
	}
	return alone(from), alone(to), end
}

// cashLike are funds of bills: where one is held, what is said of it is said of what it is
// left for.
var cashLike = set("BIL SGOV SHV BILS TBIL USFR CLIP GBIL XHLF")

// departed reads the condition under which another strategy is held instead of a node.
func (r *treeReader) departed(node, other Node, end, at int) (Node, int) {
	next := r.skip(end, ",")
	open, not, ok := r.opens(next)
	if !ok || not {
		r.fail(at, max(end, at+1), "when is this held? Say if SPY is below its 200 day average after it")
		return nil, 0
	}
	if r.subject = soleMember(node); cashLike[r.subject] || r.subject == "" {
		r.subject = soleMember(other)
	}
	condition, end := r.condition(open)
	if end == 0 {
		return nil, 0
	}
	if next := r.skip(end, ","); r.is(next, "until") {
		until, end := r.condition(next + 1)
		if end == 0 {
			return nil, 0
		}
		return r.latched(&Choice{If: condition, Then: other, Else: node}, until), end
	}
	c := &Choice{If: condition, Then: other, Else: node}
	if until, end := r.back(end, node); end > 0 {
		return r.latched(c, until), end
	}
	if _, more := r.elses(r.skip(end, ", ; .")); more {
		r.fail(end, end+1, "otherwise than what? What is held was said before the condition, and what is held instead, too")
		return nil, 0
	}
	return c, end
}

// back reads when what was left is held again: and back to BIL at a new high. It returns the
// token after it, or 0.
func (r *treeReader) back(at int, node Node) (Condition, int) {
	at = r.skip(at, ", ; . and then")
	for leaving[r.word(at)] {
		at++
	}
	if !r.is(at, "back") {
		return Condition{}, 0
	}
	at = r.skip(at+1, "to into in")
	var key string
	if end := r.member(at, &key); end > 0 {
		if key != soleMember(node) {
			r.fail(at, end, "this is not what was held before: say when each of the two is held")
			return Condition{}, 0
		}
		at = end
	} else if r.isCash(at) && cashOnly(node) {
		m, _ := r.p.memberAt(at, true)
		at = m.end
	}
	open, not, ok := r.opens(at)
	if !ok || not {
		return Condition{}, 0
	}
	return r.condition(open)
}

// leaving are words that end what is held before something else begins.
var leaving = set("go move switch rotate shift flip rotates switches moves goes retreat")

// sold returns where what is held instead begins after words that say that something is
// sold: sell everything and go to BIL; 0 if it is not said.
func (r *treeReader) sold(at int) int {
	if !exiting[r.word(at)] {
		return 0
	}
	for at++; afterwards[r.word(at)] && !leaving[r.word(at)] && !introducing[r.word(at)] || r.is(at, "and") || r.is(at, ",") || r.is(at, "then"); at++ {
		if r.isMemberAt(at) {
			return 0
		}
	}
	if !introducing[r.word(at)] && !leaving[r.word(at)] || !r.is(at-1, "and") && !r.is(at-1, ",") && !r.is(at-1, "then") && !r.is(at-1, "out") {
		return 0
	}
	return at
}

package grammar

import "slices"

// mixing are the words for a blend whose shares are said before its parts.
var mixing = set("mix mixes blend blends blending combination mixture split splits splitting divide divides divided combine combines combining allocate invest put spread")

// mostCuts limits the places at which one part of a mixture may end.
const mostCuts = 6

// mixture reads parts whose shares are said before all of them: an 80/20 blend of A and
// B, or money split evenly between A, B and C. The parts have to be told apart in one way
// only. It returns tried if the range is one.
func (r *treeReader) mixture(from, to int) (n Node, tried bool) {
	shares, at := r.mixtureShares(from, to)
	if at == 0 {
		return nil, false
	}
	cuts := r.cuts(at, to)
	if len(cuts) == 0 || len(cuts) > mostCuts || shares != nil && len(cuts) < len(shares)-1 {
		return nil, false
	}
	var found [][]int
	for _, way := range waysToCut(len(cuts), len(shares)) {
		at := make([]int, len(way))
		for i, c := range way {
			at[i] = cuts[c]
		}
		kept, tree := *r, *r.tree
		b := r.mixed(from, to, at, shares)
		*r, *r.tree = kept, tree
		if b != nil {
			found = append(found, append([]int{}, at...))
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	r.composed = true
	if len(found) > 1 {
		r.fail(at, to, "it is not clear where one part ends and the next begins: put each part in parentheses")
		return nil, true
	}
	return r.mixed(from, to, found[0], shares), true
}

// mixtureShares reads what stands before the parts: their shares, nil if they are equal,
// and the token where the parts begin; 0 if this is no mixture.
func (r *treeReader) mixtureShares(from, to int) (shares []float64, begin int) {
	equal, mixed := false, false
	for at := from; at < to; at++ {
		if n, end := r.number(at); end > 0 && shares == nil && r.is(end, "/") {
			for shares = append(shares, n/100); r.is(end, "/"); {
				if n, end = r.number(end + 1); end == 0 {
					return nil, 0
				}
				shares = append(shares, n/100)
			}
			at = end - 1
			continue
		}
		switch w := r.word(at); {
		case w == "equal" || w == "equally" || w == "even" || w == "evenly":
			equal = true
		case mixing[w]:
			mixed = true
		case w == "of" && mixed || w == "between" || w == "across" || w == "among":
			sum := 0.0
			for _, s := range shares {
				sum += s
			}
			if !mixed || equal == (shares != nil) || shares != nil && (sum < 0.999 || sum > 1.001) {
				return nil, 0
			}
			return shares, at + 1
		case filler[w] || w == "into" || w == "in" || w == "," || w == "parts":
		default:
			return nil, 0
		}
	}
	return nil, 0
}

// cuts returns the tokens outside of parentheses at which another part may begin.
func (r *treeReader) cuts(from, to int) (list []int) {
	for at := from; at < to; at++ {
		if r.is(at, "(") {
			at = max(at, r.shuts(at))
			continue
		}
		if at > from && r.joins(at) && !r.joins(at-1) {
			list = append(list, at)
		}
	}
	return list
}

// waysToCut lists the ways to choose places for a number of parts, or for any number of
// them if it is 0.
func waysToCut(places, parts int) (ways [][]int) {
	for set := 1; set < 1<<places; set++ {
		var way []int
		for i := range places {
			if set&(1<<i) != 0 {
				way = append(way, i)
			}
		}
		if parts == 0 || len(way) == parts-1 {
			ways = append(ways, way)
		}
	}
	return ways
}

// mixed reads the parts between places; nil if one is not understood, or if they are
// members alone, which a list reads. A condition without parentheses may belong to all of
// them.
func (r *treeReader) mixed(from, to int, cuts []int, shares []float64) Node {
	_, begin := r.mixtureShares(from, to)
	b := &Blend{}
	composed := false
	for i := range len(cuts) + 1 {
		end, next := to, to
		if i < len(cuts) {
			end, next = cuts[i], cuts[i]
			for r.joins(next) {
				next++
			}
		}
		inside := r.inside
		r.inside, r.subject, r.last = 0, "", Quantity{}
		part := r.sleeve(begin, end, i == len(cuts))
		r.inside = inside
		if part == nil || optimizes(part) {
			return nil
		}
		if !isHolding(part) {
			if _, labelled := r.label(begin); conditional(part) && !labelled && !r.is(r.skip(begin, "the a"), "(") {
				return nil
			}
			composed = true
		}
		share := 1 / float64(len(cuts)+1)
		if shares != nil {
			share = shares[i]
		}
		b.Parts = append(b.Parts, Sleeve{Share: share, Node: part})
		begin = next
	}
	if !composed {
		return nil
	}
	return b
}

// conditional reports a strategy that looks at a condition.
func conditional(n Node) bool {
	switch n := n.(type) {
	case *Choice:
		return true
	case *Blend:
		return slices.ContainsFunc(n.Parts, func(s Sleeve) bool { return conditional(s.Node) })
	case *Allocation:
		return n.Plan.Gate != nil && n.Plan.Usual == ""
	}
	return false
}

// kinds are the words before a strategy that say what it looks at: a trend strategy
// decides by a condition.
var kinds = set("trend following timing market tactical")

// label returns where a strategy begins after what it is called, and whether it is called
// something that only a condition can be: a trend following strategy that holds …
func (r *treeReader) label(at int) (begin int, ok bool) {
	for r.is(at, "a") || r.is(at, "the") || r.is(at, "simple") || r.is(at, "in") || r.is(at, "of") {
		at++
	}
	first := at
	for kinds[r.word(at)] || at > first && r.is(at, "-") {
		at++
	}
	if at == first || !models[r.word(at)] && !r.is(at, "sleeve") && !r.is(at, "rule") {
		return 0, false
	}
	at++
	if (r.is(at, "that") || r.is(at, "which")) && introducing[r.word(at+1)] {
		return at + 2, true
	}
	switch {
	case r.is(at, "("):
		return at, true
	case r.is(at, ":"), r.is(at, "of"), r.is(at, "on"), r.is(at, "for"), introducing[r.word(at)]:
		return at + 1, true
	}
	return 0, false
}

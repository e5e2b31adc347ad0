package grammar

// dating are the words before months or days of the month that say when they count.
var dating = set("in from between during on after before")

// dated reports months or days of the month that begin at a token: from November to
// April, in May, from the 25th to the 5th, November - April.
func (r *treeReader) dated(at int) bool {
	if dating[r.word(at)] {
		if _, end := r.days(at); end > 0 {
			return true
		}
		next, _ := r.edge(r.skip(at+1, "the month months of"))
		return months[r.word(next)] > 0 && !r.scheduled(at)
	}
	return r.monthRange(at) && (at > 0 || r.isMemberAt(r.skip(at+3, ": ,")) || introducing[r.word(at+3)]) && !r.scheduled(at)
}

// monthRange reports two months with a word between them: November to April.
func (r *treeReader) monthRange(at int) bool {
	return months[r.word(at)] > 0 && spanning[r.word(at+1)] && months[r.word(at+2)] > 0
}

// spanning are the words between the first and the last of several months or days.
var spanning = set("to through until till thru -")

// date reads months, or days of the month.
func (r *treeReader) date(at int) (Condition, int) {
	if c, end := r.days(at); end > 0 {
		return c, end
	}
	return r.months(at)
}

// months reads from November to April, and in May or June.
func (r *treeReader) months(at int) (Condition, int) {
	start := at
	for r.is(at, "it") || r.is(at, "it's") || r.is(at, "is") || r.is(at, "the") || r.is(at, "month") || r.is(at, "months") || r.is(at, "of") && at > start || r.is(at, "in") || r.is(at, "during") || r.is(at, "'s") || r.is(at, "from") || r.is(at, "between") {
		at++
	}
	at, begins := r.edge(at)
	first := months[r.word(at)]
	if first > 0 && begins > 0 {
		first = first%12 + 1
	}
	if first == 0 || r.is(at, "may") && !r.monthRange(at) && !r.is(at-1, "in") && !r.is(at-1, "from") && !r.is(at-1, "between") && !r.is(at-1, "is") && !r.is(at-1, "during") {
		return Condition{}, 0
	}
	c := Condition{Months: []int{first}}
	end := at + 1
	between := r.is(at-1, "between") && r.is(end, "and")
	until, ends := r.edge(end + 1)
	last := months[r.word(until)]
	if last > 0 && ends < 0 {
		last = (last+10)%12 + 1
	}
	if last > 0 && (between || spanning[r.word(end)]) {
		for m := first; m != last; {
			m = m%12 + 1
			c.Months = append(c.Months, m)
		}
		return c, until + 1
	}
	if begins > 0 || until > end+1 && last > 0 {
		return Condition{}, 0
	}
	for {
		next := end
		for r.is(next, ",") || r.is(next, "or") || r.is(next, "and") || r.is(next, "in") && next > end {
			next++
		}
		m := months[r.word(next)]
		if (m == 0 || next == end) && (r.is(at-1, "from") || r.is(at-1, "until")) {
			r.fail(at-1, end, "from when to when? Say from November to April")
			return Condition{}, 0
		}
		if m == 0 || next == end {
			return c, end
		}
		c.Months, end = append(c.Months, m), next+1
	}
}

// never returns the months after words that say that something is not held in them: but
// never hold it in September; 0 if that is not said.
func (r *treeReader) never(at int) int {
	next := r.skip(at, "but and")
	if !r.is(next, "never") && !r.is(next, "not") || next == at && at == 0 {
		return 0
	}
	for next++; introducing[r.word(next)] && !dating[r.word(next)] || r.is(next, "it") || r.is(next, "them") || r.is(next, "that"); next++ {
	}
	if !r.dated(next) {
		return 0
	}
	return next
}

// edge reads the beginning or the end of a month before its name. It returns the token of
// the name, and 1 for the end, -1 for the beginning.
func (r *treeReader) edge(at int) (name, side int) {
	name = r.skip(at, "the")
	switch r.word(name) {
	case "end", "close":
		side = 1
	case "beginning", "start", "open":
		side = -1
	default:
		return at, 0
	}
	if !r.is(name+1, "of") || months[r.word(name+2)] == 0 {
		return at, 0
	}
	return name + 2, side
}

// days reads from the 25th to the 5th, by the date of the session.
func (r *treeReader) days(at int) (Condition, int) {
	if after, before := r.is(at, "after"), r.is(at, "before"); after || before {
		n, end := r.dayOfMonth(at + 1)
		if end == 0 || after && n > 30 || before && n < 2 {
			return Condition{}, 0
		}
		if after {
			return Condition{FirstDay: n + 1, LastDay: 31}, r.ofMonth(end)
		}
		return Condition{FirstDay: 1, LastDay: n - 1}, r.ofMonth(end)
	}
	between := r.is(at, "between")
	if !between && !r.is(at, "from") {
		return Condition{}, 0
	}
	first, end := r.dayOfMonth(at + 1)
	if end == 0 || !spanning[r.word(end)] && (!between || !r.is(end, "and")) {
		return Condition{}, 0
	}
	last, end := r.dayOfMonth(end + 1)
	if end == 0 {
		return Condition{}, 0
	}
	return Condition{FirstDay: first, LastDay: last}, r.ofMonth(end)
}

// ofMonth returns the token after of each month.
func (r *treeReader) ofMonth(at int) int {
	for _, w := range [][]string{{"of", "each", "month"}, {"of", "every", "month"}, {"of", "the", "next", "month"}, {"of", "the", "following", "month"}, {"of", "the", "month"}, {"of", "a", "month"}, {"each", "month"}, {"every", "month"}} {
		if r.says(at, w) {
			return at + len(w)
		}
	}
	return at
}

// dayOfMonth reads the 25th.
func (r *treeReader) dayOfMonth(at int) (day, end int) {
	if r.is(at, "the") {
		at++
	}
	if !r.in(at) || r.p.tokens[at].kind != number && r.word(at) != "first" {
		return 0, 0
	}
	v, end := r.p.ordinal(at)
	n, _ := v.(int)
	if end == 0 || n < 1 || n > 31 {
		return 0, 0
	}
	return n, end
}

// instead returns the token after words that begin what is held in months that were left
// out: when I hold, in those months hold.
func (r *treeReader) instead(at int) int {
	end := r.skip(at, ", ; . :")
	switch {
	case r.says(end, []string{"in", "which", "case"}), r.says(end, []string{"in", "that", "case"}):
		return end + 3
	case (r.is(end, "in") || r.is(end, "during")) && (r.is(end+1, "those") || r.is(end+1, "these") || r.is(end+1, "which") || r.is(end+1, "that")):
		if end += 2; r.is(end, "months") || r.is(end, "month") || r.is(end, "time") || r.is(end, "period") {
			end++
		}
		return r.skip(end, ",")
	case r.is(end, "when") && (r.is(end+1, "i") || r.is(end+1, "we") || r.is(end+1, "it") || r.is(end+1, "you")) && introducing[r.word(end+2)]:
		return end + 2
	case r.is(end, "then"):
		return end + 1
	}
	return 0
}

// remainders are the words that say, after what is held, that it is held otherwise: SHY
// the rest of the year.
var remainders = [][]string{
	{"the", "rest", "of", "the", "year"}, {"the", "rest", "of", "the", "time"}, {"for", "the", "rest", "of", "the", "year"}, {"rest", "of", "the", "year"}, {"rest", "of", "the", "time"},
	{"in", "all", "other", "months"}, {"all", "other", "months"}, {"in", "the", "other", "months"}, {"the", "other", "months"}, {"in", "other", "months"}, {"in", "the", "remaining", "months"}, {"the", "remaining", "months"}, {"at", "all", "other", "times"}, {"otherwise"}, {"in", "the", "rest", "of", "the", "year"}, {"during", "the", "rest", "of", "the", "year"},
}

// plainly reports a range that names members and their shares, and nothing else.
func (r *treeReader) plainly(from, to int) bool {
	for at := from; at < to; {
		var key string
		if m, ok := r.p.memberAt(at, true); ok && m.cash {
			at = m.end
		} else if end := r.member(at, &key); end > 0 {
			at = end
		} else if w := r.word(at); r.p.tokens[at].kind == number || filler[w] || introducing[w] || w == "%" || w == "/" || w == "," && at+1 < to {
			at++
		} else {
			return false
		}
	}
	return true
}

// remains reports what is said to be held otherwise before the words that say so.
func (r *treeReader) remains(at int) bool {
	kept, tree := *r, *r.tree
	held, _ := r.remainderAfter(at)
	*r, *r.tree = kept, tree
	return held != nil
}

// remainderAfter returns what is said to be held otherwise before the words that say so: SHY
// the rest of the year. It is a member, or shares of several, after a comma or and.
func (r *treeReader) remainderAfter(at int) (held Node, end int) {
	start := r.skip(at, ", ; . and but")
	if start == at || !r.in(start) {
		return nil, 0
	}
	if _, ok := r.elses(start); ok {
		return nil, 0
	}
	for end := start + 1; r.in(end) && end < start+16; end++ {
		if r.is(end, ";") || r.is(end, ".") || opening[r.word(end)] {
			return nil, 0
		}
		for _, words := range remainders {
			if !r.says(end, words) || !r.ends(end+len(words)) && !r.is(end+len(words), ",") || !r.plainly(start, end) {
				continue
			}
			kept := r.limit
			r.limit = end
			n, stop := r.leaf(start)
			r.limit = kept
			if n == nil || stop != end {
				return nil, 0
			}
			return n, end + len(words)
		}
	}
	return nil, 0
}

package grammar

import (
	"cmp"
	"fmt"
)

// comparing are the words between two sides.
var comparing = phrasesOf(map[side]string{
	{}:                         "above|over|greater than|more than|higher than|larger than|exceeds|exceed|> |beats|outperforms|has beaten|is beating|better than|crosses above|crosses over|cross above|breaks above|rises above|moves above|goes above|climbs above|trades above|crossed above|closes above|is above",
	{equal: true}:              "at or above|at least|no less than|not less than|> =|≥",
	{below: true}:              "below|under|less than|lower than|smaller than|beneath|< |underperforms|trails|lags|worse than|crosses below|crosses under|cross below|breaks below|falls below|drops below|moves below|goes below|dips below|trades below|crossed below|closes below",
	{below: true, equal: true}: "at or below|at most|no more than|not more than|< =|≤",
})

// side says which side of a comparison has to be greater.
type side struct{ below, equal bool }

// linking may stand between a quantity and what is said of it.
var linking = set("is are was be being has have been stays remains trades trading closes closed currently still 's gets now also")

// condition reads comparisons joined by and or or. It returns the token after it, or 0.
func (r *treeReader) condition(at int) (Condition, int) {
	if r.deep++; r.deep > deepest {
		r.fail(at, at+1, fmt.Sprintf("conditions may be nested %d deep", deepest))
		return Condition{}, 0
	}
	defer func() { r.deep-- }()
	if r.is(at, "both") || r.is(at, "either") {
		at++
	}
	first, end := r.single(at)
	if end == 0 {
		return first, 0
	}
	r.composed = true
	all := Condition{Join: Single, Of: []Condition{first}}
	for {
		next := end
		if r.is(next, ",") {
			next++
		}
		var join Join
		switch {
		case r.is(next, "and"), r.is(next, "&"):
			join = All
		case r.is(next, "or"):
			join = Any
		default:
			return joined(all), end
		}
		next++
		if open, _, ok := r.opens(next); ok { // and if
			next = open
		}
		kept := r.stopped
		x, after := r.single(next)
		if after == 0 {
			if r.action(next) {
				r.stopped = kept
				return joined(all), end
			}
			return x, 0
		}
		if all.Join != Single && all.Join != join {
			r.fail(next-1, after, "does and or or come first here? Put parentheses around what belongs together, such as (A and B) or C")
			return x, 0
		}
		all.Join, all.Of, end = join, append(all.Of, x), after
	}
}

// action reports that holdings follow, not another condition.
func (r *treeReader) action(at int) bool {
	w := r.word(at)
	return introducing[w] && w != "over" && w != "in" || w == "then"
}

func joined(c Condition) Condition {
	if len(c.Of) == 1 {
		return c.Of[0]
	}
	return c
}

// single reads one comparison, months, or a condition in parentheses.
func (r *treeReader) single(at int) (Condition, int) {
	for r.is(at, "that") || r.is(at, "also") {
		at++
	}
	switch {
	case r.is(at, "not"):
		c, end := r.single(at + 1)
		return c.negated(), end
	case r.is(at, "("):
		if shut := r.shuts(at); shut > 0 {
			kept := r.limit
			r.limit = shut
			c, end := r.condition(at + 1)
			r.limit = kept
			if end > 0 && end != shut {
				r.fail(end, shut, "this is not understood as part of a condition")
				return c, 0
			}
			if end == 0 {
				return c, 0
			}
			return c, shut + 1
		}
	}
	if c, end := r.months(at); end > 0 {
		return c, end
	}
	left := r.quantity(at)
	if left.unknown {
		if _, end := wordingAt(r, comparing, r.linked(at)); end > 0 && r.last.Kind != "" {
			left = measured{Quantity: r.last, from: at, end: at} // and above its 50 day average
		} else {
			r.strange(at)
			return Condition{}, 0
		}
	}
	if left.Member == "" && left.Kind != Level {
		if left.Member = r.subject; left.Member == "" {
			r.fail(left.from, left.end, "whose? Name the member, such as SPY's 12 month return")
			return Condition{}, 0
		}
	}
	if left.bare && !r.is(at, "it") {
		if others, join, end := r.listed(left); len(others) > 0 {
			left.end = end
			c, end := r.predicate(left)
			if end == 0 || c.Join != Single {
				return c, 0
			}
			return c.each(others, join), end
		}
	}
	c, end := r.predicate(left)
	r.previous = c
	return c, end
}

func (r *treeReader) linked(at int) int {
	for r.in(at) && linking[r.word(at)] {
		at++
	}
	return at
}

// predicate reads what is said of a quantity.
func (r *treeReader) predicate(left measured) (Condition, int) {
	at := r.linked(left.end)
	c := Condition{Left: left.Quantity}
	if left.Kind != Level {
		r.subject, r.last = left.Member, left.Quantity
	}
	not := false
	if r.is(at, "not") {
		not, at = true, r.linked(at+1)
	}
	finish := func(c Condition, end int) (Condition, int) {
		if not && end > 0 {
			c = c.negated()
		}
		return c, end
	}
	zero := Quantity{Kind: Level, Factor: 1}
	switch {
	case left.Kind == Price && r.is(at, "a") && higherThan[r.word(at+1)]:
		return finish(r.higher(left.Member, at+1))
	case r.is(at, "positive"), r.is(at, "negative"):
		if left.Kind != Return {
			r.fail(left.from, at+1, "what is positive? Say over how long: SPY's 12 month return is positive")
			return c, 0
		}
		c.Right, c.Below = zero, r.is(at, "negative")
		return finish(c, at+1)
	case r.is(at, "between"):
		c, end := r.between(left, at+1)
		return finish(c, end)
	case r.is(at, "within"):
		if c, end := r.within(left, at+1); end > 0 {
			return finish(c, end)
		}
		return c, 0
	case left.Kind == Price && (r.is(at, "up") || r.is(at, "down") || r.is(at, "fallen") || r.is(at, "risen") || r.is(at, "dropped") || r.is(at, "gained") || r.is(at, "lost") || r.is(at, "declined")):
		c, end := r.moved(left, at)
		return finish(c, end)
	}
	if c, end := r.away(left, at); end > 0 {
		return finish(c, end)
	}
	by, end := wordingAt(r, comparing, at)
	if p := r.previous; end == 0 && left.Kind.priced() && left.Kind != Price && p.Left.Kind == Price && p.Left.Member == left.Member && p.Right.Kind.priced() {
		p.Right = left.Quantity // above its 200 day average and its 50 day average
		r.last = p.Left
		return p, left.end
	}
	if end == 0 {
		r.fail(at, at+1, "this is not understood here: a condition compares, as in SPY is above its 200 day moving average")
		return c, 0
	}
	r.composed = true
	c.Below, c.Equal = by.below, by.equal
	if r.is(at, "crosses") || r.is(at, "crossed") || r.is(at, "cross") {
		r.note("A cross counts for as long as it lasts: the one side stays above, or below, the other.")
	}
	if r.is(end, "than") {
		end++
	}
	right := r.right(left, end)
	if right.unknown {
		return c, 0
	}
	if overtakes[r.word(at)] && left.Kind == Price && right.bare {
		return r.race(c, left, right)
	}
	right, ok := r.byHowMuch(c, right)
	if !ok {
		return c, 0
	}
	return finish(r.compared(c, left, right))
}

// byHowMuch reads above its 200 day average by 2%.
func (r *treeReader) byHowMuch(c Condition, right measured) (measured, bool) {
	if !r.is(right.end, "by") {
		return right, true
	}
	at := right.end + 1
	if by, end := wordingAt(r, comparing, at); end > 0 && !by.below {
		at = end
	}
	n := r.quantity(at)
	if n.unknown || !n.percent || !right.Kind.priced() || right.Kind == Price {
		r.fail(right.end, at+1, "by how much? Say above its 200 day average by 2%")
		return right, false
	}
	right.Factor, right.end = 1+n.Value, n.end
	if c.Below {
		right.Factor = 1 - n.Value
	}
	return right, true
}

// higher reads has a higher 6 month return than SPY.
func (r *treeReader) higher(member string, at int) (Condition, int) {
	c := Condition{Below: r.is(at, "lower") || r.is(at, "worse") || r.is(at, "smaller")}
	left := r.quantity(at + 1)
	if left.unknown || left.Member != "" || left.Kind == Level || !r.is(left.end, "than") {
		r.fail(at, at+2, "higher than what? Say QQQ has a higher 6 month return than SPY")
		return c, 0
	}
	left.Member = member
	right := r.right(left, left.end+1)
	if right.unknown {
		return c, 0
	}
	r.last = left.Quantity
	return r.compared(c, left, right)
}

// listed reads several members that one comparison is about: SPY and QQQ are above
// their 200 day averages. It returns the others and the token after them.
func (r *treeReader) listed(first measured) (others []string, join Join, end int) {
	end = first.end
	join = All
	for {
		at := end
		if r.is(at, ",") {
			at++
		}
		joins := All
		switch {
		case r.is(at, "and"), r.is(at, "&"):
			at++
		case r.is(at, "or"):
			joins = Any
			at++
		case at == end:
			return others, join, end
		}
		var key string
		after := r.member(at, &key)
		if after == 0 {
			return nil, All, first.end
		}
		others, end = append(others, key), after
		if joins == Any {
			join = Any
		}
		if _, compared := wordingAt(r, comparing, r.linked(end)); compared > 0 {
			return others, join, end
		}
	}
}

// each repeats a comparison for other members.
func (c Condition) each(others []string, join Join) Condition {
	all := Condition{Join: join, Of: []Condition{c}}
	for _, key := range others {
		x := c
		if x.Right.Member == x.Left.Member {
			x.Right.Member = key
		}
		x.Left.Member = key
		all.Of = append(all.Of, x)
	}
	return all
}

var higherThan = set("higher lower better worse greater smaller larger")

var overtakes = set("beats outperforms underperforms trails lags has is better worse")

// right reads the right side, which may take what it measures, or its member, from the
// left one.
func (r *treeReader) right(left measured, at int) measured {
	that := at
	for r.is(that, "that") || r.is(that, "the") {
		that++
	}
	if r.is(that, "of") && that > at {
		that++
	} else {
		that = at
	}
	right := r.quantity(that)
	switch {
	case right.unknown:
		r.strange(at)
	case right.bare && (left.Member == right.Member || right.Member == "") && left.Kind.priced() && left.Kind != Price:
		right.bare = false // its average is below SPY: its price
		right.Member = cmp.Or(right.Member, left.Member)
	case right.bare && left.Kind != Price && left.Kind != Level:
		right.Kind, right.Sessions, right.bare = left.Kind, left.Sessions, false
		right.Member = cmp.Or(right.Member, left.Member)
	case right.Kind != Level && right.Member == "":
		if right.Member = left.Member; right.Member == "" {
			right.Member = r.subject
		}
	}
	return right
}

// compared checks that the sides have the same unit.
func (r *treeReader) compared(c Condition, left, right measured) (Condition, int) {
	c.Left, c.Right = left.Quantity, right.Quantity
	if left.Kind == Level { // 30 is above the RSI
		if right.Kind == Level {
			r.fail(left.from, right.end, "two numbers are compared: name a member's price, average, return or RSI")
			return c, 0
		}
		left, right = right, left
		c.Left, c.Right, c.Below = left.Quantity, right.Quantity, !c.Below
	}
	from, end := min(left.from, right.from), max(left.end, right.end)
	message := ""
	switch {
	case right.Kind == Level && left.Kind == RSI && (right.percent || right.Value <= 0 || right.Value >= 100):
		message = "an RSI is between 0 and 100: say above 70"
	case right.Kind == Level && left.Kind.fraction() && !right.percent && right.Value != 0:
		message = fmt.Sprintf("is this percent? Say %s%%", plainNumber(right.Value))
	case right.Kind == Level && (left.Kind == Decline || left.Kind == MaxDecline) && right.Value < 0:
		message = "a drawdown is given as a positive number: a drawdown above 10%"
	case right.Kind == Level && left.Kind.priced():
		message = "prices are total-return prices, which have no level of their own: compare them with an average or a high, such as above its 200 day moving average"
	case right.Kind != Level && left.Kind.priced() != right.Kind.priced(), right.Kind != Level && !left.Kind.priced() && left.Kind != right.Kind:
		message = "these two cannot be compared: compare a price with its average, or a return with a return"
	case left.Kind.priced() && right.Kind.priced() && left.Member != right.Member:
		message = "a price is compared with its own average or high; to compare two members say SPY's 12 month return is above EFA's"
	case left.Quantity == right.Quantity:
		message = "both sides are the same"
	}
	if message != "" {
		r.fail(from, end, message)
		return c, 0
	}
	return c, end
}

// race reads SPY beats EFA over the last 12 months.
func (r *treeReader) race(c Condition, left, right measured) (Condition, int) {
	at := right.end
	for r.is(at, "over") || r.is(at, "in") || r.is(at, "the") || r.is(at, "last") || r.is(at, "past") || r.is(at, "on") || r.is(at, "by") {
		at++
	}
	end := at
	n := r.spanAt(at, &end)
	if n < 2 || n > 1260 {
		r.fail(left.from, right.end, "over how long? Say SPY beats EFA over the last 12 months")
		return c, 0
	}
	for r.is(end, "return") || r.is(end, "returns") || r.is(end, "momentum") || r.is(end, "performance") {
		end++
	}
	c.Left = Quantity{Kind: Return, Member: left.Member, Sessions: n, Factor: 1}
	c.Right = Quantity{Kind: Return, Member: right.Member, Sessions: n, Factor: 1}
	if c.Left == c.Right {
		r.fail(left.from, right.end, "a member is compared with itself")
		return c, 0
	}
	return c, end
}

// between reads between 30 and 70.
func (r *treeReader) between(left measured, at int) (Condition, int) {
	r.composed = true
	low := r.right(left, at)
	if low.unknown || !r.is(low.end, "and") {
		r.fail(at-1, at+1, "between what? Say between 30 and 70")
		return Condition{}, 0
	}
	high := r.right(left, low.end+1)
	if high.unknown {
		return Condition{}, 0
	}
	above, end := r.compared(Condition{}, left, low)
	if end == 0 {
		return above, 0
	}
	below, end := r.compared(Condition{Below: true}, left, high)
	return Condition{Join: All, Of: []Condition{above, below}}, end
}

// within reads within 10% of its 52 week high.
func (r *treeReader) within(left measured, at int) (Condition, int) {
	n := r.quantity(at)
	c := Condition{Left: left.Quantity, Equal: true}
	if n.unknown || !n.percent || n.Value >= 1 || !r.is(n.end, "of") {
		r.fail(at-1, at+1, "within how much of what? Say within 10% of its 52 week high")
		return c, 0
	}
	right := r.right(left, n.end+1)
	if right.unknown {
		return c, 0
	}
	if right.Kind != High {
		r.fail(right.from, right.end, "within is said of a high: within 10% of its 52 week high")
		return c, 0
	}
	right.Factor = 1 - n.Value
	return r.compared(c, left, right)
}

// away reads more than 2% above its 200 day average, and 10% below its high.
func (r *treeReader) away(left measured, at int) (Condition, int) {
	equal, end := false, at
	if by, after := wordingAt(r, comparing, at); after > 0 {
		switch {
		case r.is(at, "more"), r.is(at, "greater"):
		case by.equal && !by.below:
			equal = true
		default:
			return Condition{}, 0
		}
		end = after
	}
	n := r.quantity(end)
	if n.unknown || !n.percent {
		return Condition{}, 0
	}
	below := false
	end = n.end
	switch {
	case r.is(end, "above"), r.is(end, "over"):
		end++
	case r.is(end, "below"), r.is(end, "under"), r.is(end, "off"), r.is(end, "from"):
		below, end = true, end+1
	default:
		return Condition{}, 0
	}
	right := r.right(left, end)
	if right.unknown || right.Kind == Level || !left.Kind.priced() {
		return Condition{}, 0
	}
	right.Factor = 1 + n.Value
	if below {
		right.Factor = 1 - n.Value
	}
	return r.compared(Condition{Below: below, Equal: equal}, left, right)
}

// moved reads down more than 10% from its high, and up 5% over the last month.
func (r *treeReader) moved(left measured, at int) (Condition, int) {
	down := r.is(at, "down") || r.is(at, "fallen") || r.is(at, "dropped") || r.is(at, "lost") || r.is(at, "declined")
	at++
	equal := false
	if r.is(at, "by") {
		at++
	}
	if by, end := wordingAt(r, comparing, at); end > 0 && !by.below {
		equal, at = by.equal, end
	}
	n := r.quantity(at)
	refuse := func() (Condition, int) {
		r.fail(left.from, at, "by how much, and over how long? Say down more than 10% from its 52 week high, or up 5% over the last 3 months")
		return Condition{}, 0
	}
	end := at
	amount := 0.0
	if !n.unknown && n.percent {
		amount, end = n.Value, n.end
	} else if !r.is(at, "over") && !r.is(at, "in") && !r.is(at, "from") {
		return refuse()
	}
	if down && (r.is(end, "from") || r.is(end, "off") || r.is(end, "below")) && amount > 0 {
		right := r.right(left, end+1)
		if right.unknown || right.Kind != High {
			return refuse()
		}
		right.Factor = 1 - amount
		return r.compared(Condition{Below: true, Equal: equal}, left, right)
	}
	for r.is(end, "over") || r.is(end, "in") || r.is(end, "the") || r.is(end, "last") || r.is(end, "past") || r.is(end, "for") {
		end++
	}
	after := end
	sessions := r.spanAt(end, &after)
	if sessions < 2 || sessions > 1260 {
		return refuse()
	}
	c := Condition{Left: Quantity{Kind: Return, Member: left.Member, Sessions: sessions, Factor: 1}, Right: Quantity{Kind: Level, Value: amount, Factor: 1}, Below: down, Equal: equal}
	if down {
		c.Right.Value = -amount
	}
	if c.Right.Value == 0 {
		c.Right.Value = 0 // no negative zero
	}
	return c, after
}

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

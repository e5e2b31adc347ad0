package grammar

import (
	"cmp"
	"fmt"
	"strings"
)

// comparing are the words between two sides.
var comparing = phrasesOf(map[side]string{
	{}:                         "on top of|above|over|greater than|more than|higher than|larger than|exceeds|exceed|> |beats|outperforms|has beaten|is beating|beating|outperforming|better than|crosses above|crosses over|cross above|breaks above|rises above|moves above|goes above|climbs above|trades above|crossed above|closes above|is above",
	{equal: true}:              "at or above|at least|no less than|not less than|> =|≥",
	{below: true}:              "below|under|less than|lower than|smaller than|beneath|< |underperforms|underperforming|trailing|lagging|trails|lags|worse than|crosses below|crosses under|cross below|breaks below|falls below|drops below|moves below|goes below|dips below|trades below|crossed below|closes below",
	{below: true, equal: true}: "at or below|at most|no more than|not more than|< =|≤",
})

// side says which side of a comparison has to be greater.
type side struct{ below, equal bool }

// linking may stand between a quantity and what is said of it.
var linking = set("'re made moves rises falls goes drops climbs dips stands sits moved went dropped fell rose is are was be being has have been stays remains trades trading closes closed currently still 's gets now also both")

func (r *treeReader) linked(at int) int {
	for r.in(at) && linking[r.word(at)] {
		at++
	}
	if strings.HasPrefix(r.word(at-1), "clos") || r.is(at-1, "ends") || r.is(at-1, "finishes") {
		for _, w := range []string{"day", "week", "month", "session"} {
			if r.says(at, []string{"the", w}) {
				at += 2
			}
		}
	}
	if _, after := r.number(at + 1); after > 0 && crossing[r.word(at)] { // crosses 2% above
		at++
	}
	return at
}

// predicate reads what is said of a quantity.
func (r *treeReader) predicate(left measured) (Condition, int) {
	at := r.linked(left.end)
	c := Condition{Left: left.Quantity}
	if left.Kind != Level {
		r.before = r.last
		r.subject, r.last = left.Member, left.Quantity
	}
	not := false
	if r.is(at, "not") {
		not, at = true, r.linked(at+1)
	}
	finish := func(c Condition, end int) (Condition, int) {
		if end > 0 {
			c, end = r.lasting(c, end)
		}
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
	case left.Kind == Price && (r.is(at, "at") || r.is(at, "makes") || r.is(at, "making") || r.is(at, "hits") || r.is(at, "reaches") || r.is(at, "sets") || r.is(at, "set") || r.is(at, "reached") || r.is(at, "recovers") || r.is(at, "recovered") || r.is(at, "regains")) && r.reaches(at+1):
		right := r.right(left, at+1)
		if right.unknown {
			return c, 0
		}
		c.Equal, c.Below = true, right.Kind == Low
		return finish(r.compared(c, left, right))
	case r.is(at, "within"):
		if c, end := r.within(left, at+1); end > 0 {
			return finish(c, end)
		}
		return c, 0
	case left.Kind == Price && (r.is(at, "up") || r.is(at, "down") || r.is(at, "fallen") || r.is(at, "risen") || r.is(at, "dropped") || r.is(at, "gained") || r.is(at, "lost") || r.is(at, "declined")):
		c, end := r.moved(left, at)
		return finish(c, end)
	}
	if c, end := r.turning(left, at); end > 0 {
		return finish(c, end)
	}
	if c, end := r.away(left, at); end > 0 {
		return finish(c, end)
	}
	if verb := r.moving(left.end, at); verb > 0 && left.Kind == Price {
		if c, end := r.moved(left, verb); end > 0 {
			return finish(c, end)
		}
		return c, 0
	}
	if inner := r.defined(at); inner > 0 && left.Kind == Price {
		c, end := r.condition(inner)
		return finish(c, end)
	}
	if inner := r.explained(at); inner > 0 && left.Kind == Price {
		shut := r.shuts(inner)
		kept := r.limit
		r.subject, r.limit = left.Member, shut
		c, end := r.condition(inner + 1)
		r.limit = kept
		if end > 0 && end != shut {
			r.fail(end, shut, "this is not understood as part of a condition")
			end = 0
		}
		if end == 0 {
			return c, 0
		}
		return finish(c, shut+1)
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
	if crossing[r.word(at)] {
		r.note("A cross counts for as long as it lasts: the one side stays above, or below, the other.")
	}
	if r.is(end, "than") {
		end++
	}
	if both, after := r.averages(c, left, end); after > 0 {
		return finish(both, after)
	}
	right := r.again(left, end)
	if it := r.before; !right.unknown && crossing[r.word(at)] && left.bare && it.Member == left.Member && (it.Kind == SimpleMean || it.Kind == ExponentialMean) {
		left.Quantity, r.last = it, it // when it crosses below: the average that crossed above
	}
	if right.unknown {
		right = r.right(left, end)
	}
	if right.unknown {
		return c, 0
	}
	if left.bare && right.Kind == Level && r.before.Kind != "" && !r.before.Kind.priced() {
		left.Quantity = r.before // when it goes above 70
		r.last = left.Quantity
	}
	if overtakes[r.word(at)] && left.Kind == Price && right.bare {
		return r.race(c, left, right)
	}
	right, ok := r.byHowMuch(c, right)
	if !ok {
		return c, 0
	}
	if left.Kind == Volatility && right.Kind == Level {
		right.end = r.annually(right.end)
	}
	return finish(r.compared(c, left, right))
}

// averages reads several lengths of one average: above both its 50 and 200 day averages.
func (r *treeReader) averages(c Condition, left measured, at int) (Condition, int) {
	from := at
	for r.is(at, "both") || r.is(at, "its") || r.is(at, "the") {
		at++
	}
	list, end := r.p.spanList(at)
	lengths, _ := list.([]span)
	if left.Kind != Price || left.Member == "" || len(lengths) < 2 || end >= r.limit {
		return c, 0
	}
	for r.is(end, "-") {
		end++
	}
	kind, after := wordingAt(r, measures, end)
	if kind != SimpleMean && kind != ExponentialMean {
		return c, 0
	}
	all := Condition{Join: All}
	for _, x := range lengths {
		right := r.lengthened(measured{Quantity: Quantity{Kind: kind, Member: left.Member, Sessions: x.sessions, Factor: 1}, from: from, end: after})
		if right.unknown {
			return c, 0
		}
		one, ok := r.compared(c, left, right)
		if ok == 0 {
			return c, 0
		}
		all.Of = append(all.Of, one)
	}
	r.composed = true
	return all, after
}

// again reads it, that line or nothing on the right side, which mean what the price was
// compared with before: when SPY drops below it.
func (r *treeReader) again(left measured, at int) measured {
	m := measured{Quantity: r.against, from: at, end: at, unknown: true}
	if left.Kind != Price || r.against.Kind == "" || r.against.Member != left.Member {
		return m
	}
	for r.is(m.end, "the") || r.is(m.end, "that") || r.is(m.end, "this") || r.is(m.end, "it") || r.is(m.end, "same") {
		m.end++
	}
	if r.is(m.end, "line") || m.end > at && (r.is(m.end, "average") || r.is(m.end, "level") || r.is(m.end, "ma") || r.is(m.end, "sma")) {
		m.end++
	}
	m.unknown = !r.closes(m.end)
	return m
}

// lasting reads how long a comparison has to be true: for 5 days in a row.
func (r *treeReader) lasting(c Condition, at int) (Condition, int) {
	end := at
	for r.is(end, "for") || r.is(end, "on") || r.is(end, "over") || r.is(end, "the") || r.is(end, "last") || r.is(end, "past") || r.is(end, "at") && r.is(end+1, "least") || r.is(end, "least") {
		end++
	}
	n, after := r.number(end)
	if after == 0 {
		return c, at
	}
	consecutive := r.is(after, "consecutive") || r.is(after, "straight") || r.is(after, "successive")
	if consecutive {
		after++
	}
	for r.is(after, "trading") || r.is(after, "daily") || r.is(after, "-") {
		after++
	}
	if !r.is(after, "days") && !r.is(after, "sessions") && !r.is(after, "closes") && !r.is(after, "day") {
		if consecutive {
			r.fail(end, after+1, "how many days in a row? Say for 5 days in a row")
			return c, 0
		}
		return c, at
	}
	after++
	switch {
	case r.says(after, []string{"in", "a", "row"}):
		after += 3
	case r.is(after, "straight"), r.is(after, "running"), r.is(after, "consecutively"), r.is(after, "or") && r.is(after+1, "more"):
		after++
		if r.is(after, "more") {
			after++
		}
	case r.is(after, "ago") && c.Join == Single && !c.dated():
		if n < 1 || n > mostInARow {
			r.fail(end, after, "say 1 to 60 days ago")
			return c, 0
		}
		c.Left.Ago, c.Right.Ago = int(n), int(n)
		if c.Right.Kind == Level {
			c.Right.Ago = 0
		}
		return c, after + 1
	case end == at && !consecutive:
		return c, at
	}
	if c.Join != Single || c.dated() || n < 1 || n > mostInARow {
		r.fail(end, after, "a comparison may have to be true on 1 to 60 days in a row")
		return c, 0
	}
	c.InARow = int(n)
	return c, after
}

// mostInARow is the largest number of sessions on which a comparison has to be true.
const mostInARow = 60

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

var higherThan = set("higher lower better worse greater smaller larger")

var crossing = set("crosses crossed cross")

var overtakes = set("beating outperforming underperforming trailing lagging beats outperforms underperforms trails lags has is better worse")

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
	if c.Right.Kind.priced() {
		r.against = c.Right
		r.against.Factor = 1
	}
	if left.from == left.end && left.Kind == Price && right.Kind.priced() && right.Member != "" {
		left.Member, c.Left.Member = right.Member, right.Member // SSO above the 200 day average of SPY
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

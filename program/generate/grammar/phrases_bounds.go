package grammar

// boundsPhrases limit the weights of one member, or of all of them from below. A cap on
// all members is a phrase of weights.
var boundsPhrases = []phrase{
	{
		forms: []string{
			"[but|with|and] (no more than|not more than|never more than|at most|max|maximum|maximum of|max of|up to|no higher than|less than) {hi=pct} [weight|allocation|exposure] (in|for|of|to|into) {member}", "[with|and] {hi=pct} (max|maximum|at most) (in|for|of) {member}",
			"[but|with|and] (cap|limit|capping|limiting) {member} (at|to) {hi=pct}", "[with|and] {member} (capped at|limited to|at most|max|maximum|no more than|not above|below|under|up to) {hi=pct} [{each=w:each}]",
			"(max|maximum) (weight|allocation) (of|in|for) {member} [is|of|:|=|at] {hi=pct}", "[with|and] (max|maximum) {hi=pct} {member}",
		},
		says: func(p *parser, m match) { p.bound(m, false, true) },
	},
	{
		forms: []string{
			"[but|with|and] (at least|no less than|not less than|never less than|min|minimum|minimum of|min of) {lo=pct} [weight|allocation|exposure] (in|for|of|to|into) {member}", "[with|and] (min|minimum) {lo=pct} {member}",
			"[with|and] {member} (at least|no less than|not below|min|minimum) {lo=pct}", "(min|minimum) (weight|allocation) (of|in|for) {member} [is|of|:|=|at] {lo=pct}",
		},
		says: func(p *parser, m match) { p.bound(m, true, false) },
	},
	{
		forms: []string{
			"[with|and] {member} [weight|kept|held] (between|from) ({lo=pct}|{lon=num}) (and|to|-) {hi=pct}", "[with] (between|from) ({lo=pct}|{lon=num}) (and|to|-) {hi=pct} (in|of|for) {member}",
			"[with] [<any>|all] [<holding>|weights] [is|are|limited|kept|bounded|constrained|to be] (between|from) ({lo=pct}|{lon=num}) (and|to|-) {hi=pct} [each|weight|of equity]", "[with] (bounds|limits) [of|from|between] ({lo=pct}|{lon=num}) (and|to|-) {hi=pct} [each]",
		},
		says: func(p *parser, m match) { p.bound(m, true, true) },
	},
	{
		forms: []string{
			"[but|with|and] (at least|no less than|min|minimum|minimum of|min of|a floor of|floor of) {lo=pct} (each|apiece|[in|per|of|for] <any> [<holding>])", "[with|and] (min|minimum) (weight|allocation) [of|is|:|=] {lo=pct} [each|per <holding>]", "(none|no <holding>|<any> <holding>) [gets|has] (less than|below|under|at least|not less than) {lo=pct}",
		},
		says: func(p *parser, m match) { p.bound(m, true, false) },
	},
}

// bound is a limit of the weights of one member, or of all of them.
type bound struct {
	reading // of the member; its key is "" if all are meant
	lower   float64
	upper   float64
	match
}

// bound records a limit. lower and upper say which of the two was said.
func (p *parser) bound(m match, lower, upper bool) {
	b := bound{reading: get[reading](m.captures, "member"), upper: 1, match: m}
	if lower {
		b.lower = get[float64](m.captures, "lo") + hundredth(get[float64](m.captures, "lon"))
	}
	if upper {
		b.upper = get[float64](m.captures, "hi")
	}
	if m.has("each") { // SPY, TLT, GLD max 40% each: the cap is one of all
		p.expected = true
		p.addMember(m.from, b.reading)
		b.reading = reading{}
	}
	switch {
	case b.cash:
		p.refuse(m.from, m.to, "", "cash is what the members leave, and has no limit of its own: say how much is always held in it, such as 10% cash")
	case b.unknown:
		p.captureMember(m, b.reading)
	case b.lower > b.upper:
		p.refuse(m.from, m.to, "", "the lower of the two limits comes first")
	case b.upper <= 0 || b.upper > 1 || b.lower < 0 || b.lower > 1:
		p.refuse(m.from, m.to, "", "a weight is between 0 % and 100 %")
	default:
		p.draft.bounds = append(p.draft.bounds, b)
	}
}

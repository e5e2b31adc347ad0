package grammar

import "strings"

// sellShort handles the word short: after a member with its share it refers to that
// member, elsewhere to what follows. If both are possible, it is refused.
func (p *parser) sellShort(m match) {
	p.expected = true
	s := &p.shares
	before, follows := p.justNamed(m.from), p.sharesFollow(m.to)
	switch {
	case p.plainAt(m.from).end > m.to:
		p.refuse(m.from, m.to, "", "sold short, or bonds of a short term? Say short-term bonds, or a share below zero such as -30%")
	case s.open && s.single && s.taken == 0:
		if !s.short {
			s.value, s.short = -s.value, true
		}
		p.shortened = false
	case s.open && len(s.ratio) > 0 && s.taken < len(s.ratio):
		if s.ratio[s.taken] > 0 {
			p.refuse(m.from, m.to, "", "the ratio is not one of a portfolio with shorts, such as 130/30: give each its share")
		}
	case before != nil && follows && p.at(m.from-1).kind != mark:
		p.refuse(m.from, m.to, "", "which of the two is sold short, the one before or the one after? Put a comma between them")
	case before != nil && before.has && before.weight < 0:
	case before != nil && !before.own && before.has:
		p.refuse(m.from, m.to, "", "which of them is sold short? Give each its share")
	case before != nil && p.joined(before):
		p.refuse(m.from, m.to, "", "does this apply to all of them, or only to the last? Say short before each share")
	case before != nil:
		before.short, before.weight = true, -before.weight
		before.upto = m.to
	default:
		p.closeShares()
		p.shares = shares{open: true, short: true, from: m.from, lastAt: m.to, groups: p.shares.groups}
		p.shortened = false
	}
}

// shortTerm reports an everyday name that begins with short, such as short-term
// bonds. "Short bonds" without a term could also mean selling short, so it is
// refused.
func (p *parser) shortTerm(at int) bool {
	if !p.at(at).is("short") {
		return false
	}
	r := p.plainAt(at)
	return r.end > at+1 && strings.Contains(p.text(at, r.end), "term")
}

// justNamed returns the last named member if only joining words are between it, or
// its share, and a token; otherwise nil.
func (p *parser) justNamed(at int) *entry {
	b := p.lastBlock()
	if b == nil || len(b.entries) == 0 || b.hasRest {
		return nil
	}
	e := &b.entries[len(b.entries)-1]
	for i := e.upto; i < at; i++ {
		switch t := p.tokens[i]; {
		case t.is("("), t.is("is"), t.is("as"), t.is("a"), t.is("held"), t.is("to"), t.is("be"):
		default:
			return nil
		}
	}
	return e
}

// joined reports the last of three or more members, listed with and.
func (p *parser) joined(e *entry) bool {
	at := e.from - 1
	for at > 0 && !p.at(at).is("and") && !p.at(at).is("&") && !p.at(at).is(",") && p.at(at).kind != line {
		at--
	}
	return len(p.lastBlock().entries) > 2 && (p.at(at).is("and") || p.at(at).is("&"))
}

// sharesFollow reports whether a share or a member is at a token.
func (p *parser) sharesFollow(at int) bool {
	for t := p.at(at); t.is("a") || t.is("the") || t.is("of") || t.is("in") || t.is("position"); t = p.at(at) {
		at++
	}
	if _, end, _ := p.share(at); end > 0 {
		return true
	}
	r, ok := p.memberAt(at, true)
	return ok && (!r.unknown || p.ticker(at))
}

// sideOf checks that it is clear whether a member listed after one sold short is also
// sold short.
func (p *parser) sideOf(at int, r reading, short bool) {
	if p.shortened && !short {
		p.refuse(at, r.end, "", "is this sold short, too? Say long or short before its share")
	}
	p.shortened = short
}

// shorts checks that nothing is sold short if that was ruled out.
func (p *parser) shorts(plan *Plan) {
	d := &p.draft
	for _, h := range append(append([]Holding(nil), plan.Pool...), plan.Else...) {
		if h.Weight < 0 && d.longOnly.there {
			p.refuse(d.longOnly.from, d.longOnly.to, "", h.Key+" is sold short: say one of the two")
		}
	}
	if d.longOnly.there {
		plan.Notes = append(plan.Notes, "Nothing is sold short.")
	}
}

package grammar

import "strings"

// structure is a description's members sorted out: what is held, when, and what is
// held otherwise.
type structure struct {
	then, otherwise *block
	gate, each      *Test
}

// structure reads the parts of the description as one conditional sentence.
func (p *parser) structure() *structure {
	s := &structure{}
	pattern := ""
	var blocks []*block
	var gates []*tested
	var places []part
	opposite := false
	main := p.mainBlock()
	var before *tested
	for _, x := range p.draft.parts {
		switch {
		case x.holdings != nil:
			if n := len(pattern); n > 0 && pattern[n-1] == 'A' && !opposite {
				p.refuse(x.from, x.to, "", "when is this held? Say otherwise before it, or name all members together")
				continue
			}
			pattern += "A"
			blocks = append(blocks, x.holdings)
		case x.otherwise:
			if strings.HasSuffix(pattern, "O") {
				continue // otherwise its share goes to: said twice
			}
			pattern += "O"
		default:
			t := x.test
			if t.open {
				opposite = p.settleOpen(t, before, x)
				if before != nil && before.who == everyone {
					continue
				}
			} else if !t.any {
				p.subject(t, main, x)
			}
			before = t
			if t.of.key != "" && (t.who == everyone || t.of.key != t.Signal) {
				p.refuse(x.from, x.to, "", "a price is compared with its own average: say SPY above the average of SPY")
			}
			if t.who == everyone {
				if s.each != nil {
					p.refuse(x.from, x.to, "", "each member has one condition, and one was given before")
				}
				s.each = &t.Test
				continue
			}
			pattern += "T"
			gates = append(gates, t)
		}
		places = append(places, x)
	}
	p.sortOut(s, pattern, blocks, gates, places)
	return s
}

// mainBlock returns the first block, which "it" refers to.
func (p *parser) mainBlock() *block {
	for _, x := range p.draft.parts {
		if x.holdings != nil {
			return x.holdings
		}
	}
	return nil
}

// settleOpen completes a test that only says "below it".
func (p *parser) settleOpen(t, before *tested, x part) (opposite bool) {
	if before == nil || before.any {
		p.refuse(x.from, x.to, "", "above or below what? Say: its 200-day moving average")
		return false
	}
	below := t.Below
	if below == before.Below {
		below = before.Below // said again
	}
	t.Test, t.subject, t.who = before.Test, before.subject, before.who
	t.Below = below
	return t.Below != before.Below
}

// subject decides what a test is about.
func (p *parser) subject(t *tested, main *block, x part) {
	several := main != nil && len(main.entries) > 1
	switch {
	case t.Kind == Breadth:
		return
	case t.who == named:
		t.Signal = t.subject.key
	case t.who == everyone:
		if main != nil && len(main.entries) == 1 && !p.draft.momentum.there {
			t.who, t.Signal = named, main.entries[0].key
		}
	case (p.draft.momentum.there || p.draft.eachOf) && several:
		t.who = everyone
	case main != nil && len(main.entries) == 1:
		t.who, t.Signal = named, main.entries[0].key
	case t.who == itself && main != nil && main.equal:
		p.refuse(x.from, x.to, "", "which one? Say: each above its average, or SPY above its average")
	default:
		p.refuse(x.from, x.to, "", "whose? Say: when SPY is above its 200-day moving average, or each")
	}
}

// sortOut interprets the pattern of blocks (A), tests (T) and otherwise (O).
func (p *parser) sortOut(s *structure, pattern string, blocks []*block, gates []*tested, places []part) {
	if len(gates) > 0 && gates[0].free && (pattern == "T" || pattern == "TOA" || pattern == "TAT") {
		// SPY above its average, otherwise BIL: SPY is what is held.
		held := gates[0].subject
		blocks = append([]*block{{entries: []entry{{reading: held, from: places[0].from}}}}, blocks...)
		pattern = "A" + pattern
	}
	set := func(then, otherwise int) {
		if then < len(blocks) {
			s.then = blocks[then]
		}
		if otherwise >= 0 && otherwise < len(blocks) {
			s.otherwise = blocks[otherwise]
		}
	}
	gate := func(t *tested, flip bool) {
		if t.any {
			return
		}
		x := t.Test
		x.Below = x.Below != flip
		s.gate = &x
	}
	if len(gates) == 1 && gates[0].any && pattern != "ATA" && pattern != "TAOA" && pattern != "AOAT" {
		at := p.testPart(gates[0])
		p.refuse(at.from, at.to, "", "what is held then? Say: if none are positive hold BIL, or only if positive, otherwise BIL")
		return
	}
	switch pattern {
	case "":
	case "A":
		set(0, -1)
	case "AA", "AOA":
		set(0, 1)
	case "AT", "TA":
		set(0, -1)
		gate(gates[0], false)
	case "ATOA", "TAOA", "ATAO":
		set(0, 1)
		gate(gates[0], false)
		if gates[0].any && pattern == "TAOA" {
			set(1, 0)
		}
	case "AOAT": // SPY, otherwise BIL when SPY is below its average
		set(0, 1)
		gate(gates[0], true)
	case "ATA":
		set(0, 1)
		if !gates[0].any && (!gates[0].Below || gates[0].not) {
			p.refuse(places[2].from, places[2].to, "", "when is this held? Say otherwise before it")
			return
		}
		gate(gates[0], true)
	case "ATAT", "TATA", "ATOAT", "TAOTA", "TAOAT":
		set(0, 1)
		gate(gates[0], false)
		other := gates[1].Test
		other.Below = !other.Below
		if gates[0].any || gates[1].any || other != gates[0].Test {
			p.refuse(places[len(places)-2].from, places[len(places)-1].to, "", "the two conditions are not each other's opposite: say otherwise")
		}
	default:
		last := places[len(places)-1]
		p.refuse(last.from, last.to, "", "these conditions and members do not fit together: say one condition, what is held under it, and what otherwise")
		return
	}
	if s.gate != nil && s.gate.Below && s.otherwise != nil && s.gate.Kind != Strength {
		s.gate.Below = false
		s.then, s.otherwise = s.otherwise, s.then
		if p.cashOnly(s.then) {
			s.gate.Below = true
			s.then, s.otherwise = s.otherwise, s.then
		}
	}
	if p.cashOnly(s.then) && s.gate != nil && s.otherwise != nil {
		s.then, s.otherwise = s.otherwise, s.then
		s.gate.Below = !s.gate.Below
	}
}

func (p *parser) testPart(t *tested) part {
	for _, x := range p.draft.parts {
		if x.test == t {
			return x
		}
	}
	return part{}
}

// cashOnly reports a block that holds nothing.
func (p *parser) cashOnly(b *block) bool {
	if b == nil || b.hasRest {
		return false
	}
	for _, e := range b.entries {
		if !e.cash {
			return false
		}
	}
	return true
}

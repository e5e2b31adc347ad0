package grammar

import (
	"strings"

	"ballast/program/generate"
)

// The functions of the harness that questions lead to.
const (
	factorsKind     = "factors"
	correlationKind = "correlation"
	componentsKind  = "components"
	styleKind       = "style"
	tailsKind       = "tails"
	drawdownsKind   = "drawdowns"
	rollingKind     = "rolling"
	attributionKind = "attribution"
	stressKind      = "stress"
	regimesKind     = "regimes"
	reportKind      = "report"
	frontierKind    = "frontier"
	sweepKind       = "sweep"
	walkForwardKind = "walk_forward"
)

// inquiry is what has been understood so far of an analysis.
type inquiry struct {
	series  []generate.Series // of the account and of the operator
	columns map[string]bool   // columns of series that were named

	kind     said[string]
	explains said[bool] // what explains something was asked
	named    []namedMember
	varied   []variation
	role     role // of the members that follow
	roleFrom int  // token that began the role
	set      said[factorSet]

	frequency, method, by, rule, riskless said[string]
	lags, most                            said[int]
	level                                 said[float64]
	cap, points                           said[float64] // of a frontier: the most weight of a member, and how many portfolios
	metric                                said[string]
	keep                                  said[int]
	train, test                           said[float64] // years
	anchored                              said[bool]
	windows                               []int // years of rolling windows
	windowsFrom, windowsTo                int   // their tokens
	did                                   bool  // how did it do was asked
	first, last                           said[int]
	moves                                 []Shock
	supposed                              said[bool] // what happens if was asked
	inYears                               []int
	inFrom, inTo                          int // tokens of the years
}

// role is what a member is in a question.
type role int

const (
	subject  role = iota
	onto          // on SPY, EFA: what explains the subject
	beside        // with SPY: a subject, or what explains it
	opposite      // against SPY: a benchmark, a subject, or what explains it
	moved         // if SPY falls 20 %: a factor of a shock
)

// namedMember is a member as it was named.
type namedMember struct {
	key      string
	role     role
	model    bool
	from, to int
}

// factorSet is a set of factors by its name.
type factorSet struct {
	name string
	keys []string
}

// askMember adds a member to the question.
func (p *parser) askMember(at int, r reading) {
	p.expected = true
	if r.unknown {
		p.unknownMember(at, r)
		return
	}
	p.askKey(r.key, r.member.Model, at, r.end)
}

func (p *parser) askKey(key string, isModel bool, from, to int) {
	a := p.asked
	for _, m := range a.named {
		if m.key == key && m.role == a.role {
			p.refuse(from, to, "", key+" was named before")
			return
		}
	}
	a.named = append(a.named, namedMember{key, a.role, isModel, from, to})
}

// turn begins a list of members with another role.
func (p *parser) turn(to role, m match) {
	a := p.asked
	p.expected = true
	if len(a.named) == 0 && to != opposite { // report on MOM: the subject follows
		return
	}
	a.role, a.roleFrom = to, m.from
}

// asks sets what is computed.
func (p *parser) asks(kind string, m match) {
	p.expected = true
	if a := p.asked; a.kind.there && a.kind.value != kind {
		p.refuse(m.from, m.to, "", "one question at a time: this asks for "+kindTitles[kind]+", and "+quote(p.text(a.kind.from, a.kind.to))+" for "+kindTitles[a.kind.value]+". A report has most of it")
		return
	}
	once(p, &p.asked.kind, kind, m, "what is computed")
}

// ownModel reads my model, my strategy, without a name after it.
func (p *parser) ownModel(at int) (any, int) {
	if !p.at(at).is("my") && !p.at(at).is("our") {
		return nil, 0
	}
	switch p.at(at + 1).lower {
	case "model", "strategy", "portfolio":
	default:
		return nil, 0
	}
	if r, ok := p.memberAt(at, true); ok && !r.unknown {
		return nil, 0
	}
	return true, at + 2
}

// column reads a column of a series from outside: FF5.SMB. Symbols with a point are
// assets.
func (p *parser) seriesColumn(at int) (any, int) {
	text, end := p.columnText(at)
	if end == 0 {
		return nil, 0
	}
	if _, asset := p.members.known[text]; asset {
		return nil, 0
	}
	return text, end
}

// columnText reads NAME.KEY.
func (p *parser) columnText(at int) (text string, end int) {
	if p.at(at).kind != word {
		return "", 0
	}
	written := ""
	for i := at; i == at || p.at(i).glued; i++ {
		t := p.at(i)
		if t.kind != word && t.kind != number && !t.is(".") && !t.is("-") && !t.is("_") {
			break
		}
		written += t.text
		name, key, point := strings.Cut(written, ".")
		if point && name != "" && key != "" && t.kind != mark { // a point at the end belongs to the sentence
			text, end = written, i+1
		}
	}
	return text, end
}

// yearList reads 2008; 2008 and 2020; 2000, 2008 and 2020.
func (p *parser) yearList(at int) (any, int) {
	var years []int
	end := 0
	for {
		v, next := p.calendarYear(at)
		if next == 0 {
			break
		}
		years, end = append(years, v.(int)), next
		at = next
		for p.at(at).is(",") || p.at(at).is("and") || p.at(at).is("&") || p.at(at).is("/") || p.at(at).is("in") {
			at++
		}
	}
	if end == 0 {
		return nil, 0
	}
	return years, end
}

// regimeRule reads the rule of regimes.
func (p *parser) regimeRule(at int) (any, int) {
	switch t := p.at(at); t.lower {
	case "drawdown", "volatility", "trend":
		return t.lower, at + 1
	}
	return nil, 0
}

package grammar

import (
	"slices"
	"strings"

	"ballast/program/generate"
)

// describedAt reads an asset's name before its symbol in parentheses, such as
// Vanguard Total Stock Market (VTI): each word must be part of its name.
func (p *parser) describedAt(at int) reading {
	t := p.tokens[at]
	if t.kind == word && t.text == t.lower && len(plainNames[t.lower]) == 0 {
		return reading{}
	}
	for end := at + 1; end < len(p.tokens) && end-at <= 12; end++ {
		if p.tokens[end].is("(") {
			r := p.memberInside(end)
			if r.end == 0 || r.unknown || !p.nameHas(r.member, at, end) {
				return reading{}
			}
			return r
		}
		t := p.tokens[end]
		inside := t.kind == word || t.kind == number || t.kind == mark && t.glued || t.is("&")
		if !inside || t.is("%") {
			return reading{}
		}
	}
	return reading{}
}

// nameHas reports whether the tokens are words of the member's name, or an everyday
// name for it.
func (p *parser) nameHas(m generate.Member, from, to int) bool {
	name := map[string]bool{"etf": true, "fund": true, "index": true, "trust": true, "the": true, "shares": true, "-": true, ".": true, "&": true, "us": true, "u": true, "s": true}
	for _, t := range tokenize(m.Name) {
		name[t.lower] = true
		name[strings.TrimSuffix(t.lower, "s")] = true
	}
	all := true
	for i := from; i < to; i++ {
		w := p.tokens[i].lower
		all = all && (name[w] || name[strings.TrimSuffix(w, "s")])
	}
	if all {
		return true
	}
	r := p.plainAt(from)
	return r.end == to && slices.Contains(p.tickersOf(from, to), m.Symbol)
}

func (p *parser) tickersOf(from, to int) []string {
	for _, x := range plainNames[p.tokens[from].lower] {
		if end, ok := p.spelt(from, x.words); ok && end == to {
			return x.tickers
		}
	}
	return nil
}

// tail reads what may follow a member: its symbol or its name in parentheses, and
// words such as fund.
func (p *parser) tail(r reading) reading {
	for {
		t := p.at(r.end)
		switch {
		case t.is("(") && r.said != "":
			inner := p.memberInside(r.end)
			if inner.end == 0 || inner.unknown {
				return r
			}
			inner.said = ""
			r = inner
		case t.is("(") && !r.unknown && !r.cash:
			end := r.end + 1
			for end < len(p.tokens) && !p.tokens[end].is(")") && p.tokens[end].kind != line && end-r.end < 16 {
				end++
			}
			if end == r.end+1 || !p.at(end).is(")") || !p.nameHas(r.member, r.end+1, end) {
				return r
			}
			r.end = end + 1
		case t.kind == word && (t.is("etf") || t.is("etfs") || t.is("fund") || t.is("funds") || t.is("shares")):
			r.end++
		case t.kind == word && (r.member.Model || r.unknown) && (t.is("model") || t.is("strategy") || t.is("portfolio")):
			r.end++
		default:
			return r
		}
	}
}

package grammar

// fractionPhrases choose a part of the members: the top half, the worst 25%.
var fractionPhrases = []phrase{
	{
		forms: []string{
			"(top|best|strongest|highest|leading|upper|better|stronger) ({part=division}|{pct}) [<things>] [<things>] [<of members>]", "(pick|choose|select|hold|buy|own|take) (top|best|strongest|upper|better) ({part=division}|{pct}) [<things>] [<things>] [<of members>]",
			"({part=division}|{pct}) [of them|<things>] <with best> <return> [<of members>]",
		},
		says: func(p *parser, m match) { p.choosesPart(m) },
	},
	{
		forms: []string{"(bottom|worst|weakest|lowest|lower) ({part=division}|{pct}) [<things>] [<things>] [<of members>]"},
		says: func(p *parser, m match) {
			p.draft.lowest = sayOf(true, m)
			p.choosesPart(m)
		},
	},
}

// choosesPart records which part of the members is held.
func (p *parser) choosesPart(m match) {
	p.expected = true
	v := get[float64](m.captures, "part") + get[float64](m.captures, "pct")
	if spans := get[[]span](m.captures, "spans"); len(spans) > 0 {
		p.momentumSpans(m, spans)
	}
	if !p.bounded(m, v, 0.01, 0.99, "the part that is held", "1 % and 99 %") {
		return
	}
	if p.draft.count.there {
		p.refuse(m.from, m.to, "", "how many are held was given before")
		return
	}
	once(p, &p.draft.fraction, v, m, "which part is held")
	p.byMomentum(m)
}

// partOfAll reads a half, a third, a quarter or a fifth of the members.
func (p *parser) partOfAll(at int) (any, int) {
	parts := map[string]float64{"half": 1. / 2, "third": 1. / 3, "quarter": 1. / 4, "quartile": 1. / 4, "fifth": 1. / 5, "quintile": 1. / 5, "decile": 1. / 10, "tercile": 1. / 3}
	if v, ok := parts[p.at(at).lower]; ok && p.at(at).kind == word {
		return v, at + 1
	}
	return nil, 0
}

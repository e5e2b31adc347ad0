package grammar

// directing are words that lead to what follows them: without it, part of a sentence is
// missing, or was not understood.
var directing = set("in into of to between among amongst across for at on by per via within shift shifts rotate rotates switch switches switching move moves moving")

// mostIdle is how many words without a meaning are looked through.
const mostIdle = 12

// dangles reports a word that leads to nothing: only words without a meaning are between
// it and the end of its clause; or a range of which one end was read as a share.
func (p *parser) dangles(at int) bool {
	t := p.tokens[at]
	if t.kind != word || !directing[t.lower] || p.asked != nil || p.future != nil || p.best != nil {
		return false
	}
	if t.is("between") && p.at(at+1).kind == number {
		return true
	}
	if t.is("for") && (p.at(at+1).is("me") || p.at(at+1).is("us")) {
		return false
	}
	for end := at + mostIdle; at+1 < len(p.tokens); {
		if at++; at > end {
			return false
		}
		switch t := p.tokens[at]; {
		case t.kind == line: // a list of members may follow
			return at+1 == len(p.tokens)
		case t.is(","), t.is(";"), t.is("."), t.is(")"), t.is("and"), t.is("then"):
			return true
		case t.kind == mark && !t.is("-") || t.kind != mark && (t.kind != word || !filler[t.lower] && !introducing[t.lower] || t.text != t.lower && p.isKnown(t.text)):
			return false
		}
	}
	return true
}

package grammar

import "strings"

// opening are words that begin a condition.
var opening = set("if when whenever while whilst once unless until provided")

// scheduled reports whether months at a token say when decisions are taken: what comes
// shortly before speaks of that.
func (r *treeReader) scheduled(at int) bool {
	for i := at - 1; i >= 0 && i > at-8; i-- {
		if scheduling[r.word(i)] || r.p.tokens[i].kind == word && strings.HasPrefix(r.word(i), "rebalanc") {
			return true
		}
	}
	return false
}

// scheduling are words after which months say when decisions are taken.
var scheduling = set("checked check trade trades traded decide decided decides quarterly yearly annually monthly once twice year quarter adjust adjusted review reviewed")

// opens returns the token after words that begin a condition, and whether they mean
// its opposite.
func (r *treeReader) opens(at int) (end int, not, ok bool) {
	for r.is(at, "but") || r.is(at, "only") || r.is(at, "and") && opening[r.word(at+1)] {
		at++
	}
	switch {
	case r.is(at, "provided"):
		if r.is(at+1, "that") {
			return at + 2, false, true
		}
		return at + 1, false, true
	case (r.is(at, "except") || r.is(at, "excluding") || r.is(at, "but") && r.is(at+1, "not")) && opening[r.word(r.skip(at+1, "not"))] && !r.is(r.skip(at+1, "not"), "unless") && !r.is(r.skip(at+1, "not"), "until"):
		return r.skip(at+1, "not") + 1, true, true
	case r.is(at, "on") && r.is(r.skip(at+1, "the"), "days") && (r.is(r.skip(at+1, "the")+1, "when") || r.is(r.skip(at+1, "the")+1, "that")):
		return r.skip(at+1, "the") + 2, false, true
	case (r.is(at, "in") || r.is(at, "during")) && at > 0 && !linking[r.word(at-1)] && (r.explained(at) > 0 || r.trending.Left.Kind != "" && r.trend(at) > 0 && r.closes(r.trend(at))):
		return at, false, true
	case r.fallen(at) > 0:
		return at + 1, false, true
	case opening[r.word(at)]:
		return at + 1, r.is(at, "unless") || r.is(at, "until"), true
	case r.dated(at), r.extreme(at), r.crossed(at):
		return at, false, true
	case (r.is(at, "except") || r.is(at, "excluding") || r.is(at, "but")) && r.dated(r.skip(at+1, "for not")) || r.is(at, "except") && months[r.word(r.skip(at+1, "for"))] > 0:
		return r.skip(at+1, "for not"), !r.is(at, "but") || r.is(at+1, "not"), true
	case r.never(at) > 0:
		return r.never(at), true, true
	case r.is(at, "all") && r.is(at+1, "year") && r.is(at+2, "except"):
		return r.opens(at + 2)
	case r.compares(at):
		return at, false, true
	case entering[r.word(at)] && r.startsCondition(at+1):
		if r.is(at+1, "at") {
			at++
		}
		return at + 1, false, true // hold QQQ; enter 3% above its average
	case (r.is(at, "as") || r.is(at, "so")) && r.is(at+1, "long") && r.is(at+2, "as"):
		return at + 3, false, true
	case r.is(at, "in") && r.is(at+1, "case"):
		return at + 2, false, true
	}
	return 0, false, false
}

// elses returns the token after words that begin what is held otherwise.
func (r *treeReader) elses(at int) (end int, ok bool) {
	switch {
	case r.is(at, "else"), r.is(at, "otherwise"), r.is(at, "elsewise"):
		return at + 1, true
	case r.is(at, "elif"), r.is(at, "elseif"):
		return at, true // and a condition
	case r.opposite(at) > 0:
		return r.opposite(at), true
	case r.is(at, "all") && r.says(at+1, []string{"other", "times"}), r.is(at, "the") && r.says(at+1, []string{"other", "times"}):
		return at + 3, true
	case r.is(at, "or") && (r.is(at+1, "else") || r.is(at+1, "otherwise")):
		return at + 2, true
	case r.is(at, "if") && r.is(at+1, "not") && (r.is(at+2, ",") || r.is(at+2, ":") || introducing[r.word(at+2)] || r.is(at+2, "then")):
		return at + 2, true
	}
	return 0, false
}

// opposite returns the token after below, where a price was compared with something that it
// was above: above its average -> UPRO, below -> BIL.
func (r *treeReader) opposite(at int) int {
	below := r.is(at, "below") || r.is(at, "under")
	if !below && !r.is(at, "above") && !r.is(at, "over") || r.asked.Join != Single || !r.asked.Left.Kind.priced() || r.asked.Below == below {
		return 0
	}
	end := at + 1
	if r.is(end, "it") || r.is(end, "that") {
		end++
	}
	if r.is(end, "-") && r.is(end+1, ">") || r.is(end, ":") || r.is(end, "=") && r.is(end+1, ">") || end > at+1 && introducing[r.word(end)] {
		return end
	}
	return 0
}

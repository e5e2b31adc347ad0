package grammar

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// examples are whole descriptions. Those nearest to a description that is refused are
// proposed with its own members and lengths.
var examples = []string{
	"60% SPY and 40% AGG, rebalanced quarterly",
	"60/40 SPY/AGG",
	"equal weight SPY, EFA and AGG",
	"50% SPY, 20% GLD, the rest in BIL",
	"buy and hold 70% SPY and 30% IEF",
	"60/40 SPY/AGG, rebalance when any weight drifts more than 5 points",
	"60% SPY, 40% AGG on the first trading day of the month",
	"60% SPY, 40% AGG, monthly, trade at the next close",
	"60/40 SPY/AGG leveraged 1.5x",
	"130% SPY, short 30% IWM",
	"60/40 SPY/AGG, target 10% volatility with at most 2x leverage",
	"60% SPY / 40% BIL with 3x leverage on SPY",
	"equal weight SPY, TLT and GLD with a cap of 5% on GLD",
	"top 2 of SPY, EFA and EEM by 12 month momentum, monthly",
	"top 2 of SPY, EFA and EEM by 6 month momentum, skipping the last month, monthly",
	"top 2 of SPY, EFA and EEM by 6 month return, only if positive, otherwise BIL, monthly",
	"hold the 2 least volatile of SPY, QQQ and GLD over 60 days, monthly",
	"bottom 1 of SPY, QQQ and IWM by 14 day RSI, daily",
	"winner of SPY vs EFA by 12 month return; if the winner is negative hold AGG",
	"dual momentum with SPY and EFA, BIL as the hurdle, otherwise AGG",
	"hold SPY when above its 200 day moving average, otherwise BIL",
	"hold SPY when its 12 month return is positive, otherwise BIL",
	"SPY when its 14 day RSI is below 30, otherwise BIL",
	"SPY on a golden cross, otherwise BIL",
	"equal weight SPY, EFA and IEF, each only while above its 10 month average, otherwise BIL",
	"if SPY is above its 200 day average hold QQQ, otherwise BIL",
	"if RSI(10) of QQQ is above 80 hold BIL, else if SPY is above its 200 day average hold QQQ, else TLT",
	"hold SPY if it is above its 200 day average and its 12 month return is positive, otherwise BIL",
	"hold SPY unless it is down more than 20% from its all-time high, in which case hold TLT",
	"if the 20 day volatility of SPY is above 25% hold BIL, otherwise SPY",
	"buy SPY when its 14 day RSI falls below 30 and sell to BIL when it rises above 70",
	"hold SPY from November to April, otherwise BIL",
	"50% (SPY when above its 200 day average, otherwise BIL), 50% (60/40 QQQ/AGG)",
	"inverse volatility of SPY, TLT and GLD over 60 days, monthly",
	"risk parity of SPY, TLT and GLD over 120 days, monthly",
	"minimum variance of SPY, TLT and GLD over 252 days, max 40% each",
	"mean variance of SPY, TLT and GLD with risk aversion 5",
	"permanent portfolio, yearly",
	"three-fund portfolio with VTI, VXUS and BND",
	"VAA portfolio, monthly",
}

// near is an example in the words of a description, and how much they have in common.
type near struct {
	text  string
	score float64
}

// nearest returns the examples in the order of their nearness to the description, with
// its members and lengths in the place of theirs.
func (p *parser) nearest() (list []near) {
	said := map[string]bool{}
	for _, t := range p.tokens {
		if w := alike(t.lower); t.kind == word && !filler[w] && !introducing[w] {
			said[w] = true
		}
	}
	own := p.ownMembers()
	score := make(map[string]float64, len(examples))
	for _, text := range examples {
		members, shared := 0, 0.0
		for _, t := range tokenize(text) {
			if exampleMembers[t.text] {
				members++
			}
		}
		for _, w := range wordsOf(text) {
			if w = alike(w); said[w] && !filler[w] && !introducing[w] {
				shared += rarity()[w]
			}
		}
		score[text] = shared / math.Sqrt(float64(4+len(wordsOf(text)))) // a long one shares words by chance
		if len(own) > 0 && members > 0 {
			if len(own) < members || !lists.MatchString(text) {
				score[text] -= 0.12 * math.Abs(float64(members-len(own)))
			}
		} else if len(own) > 0 {
			score[text] -= 10 // it has no place for them
		}
	}
	sorted := slices.Clone(examples)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	for _, text := range sorted {
		if own := p.inOwnWords(text, own); own != "" && len(list) < mostAccepted {
			list = append(list, near{own, score[text]})
		}
	}
	return list
}

// alike are words that say the same in examples.
func alike(w string) string {
	switch w {
	case "avg", "ma", "sma", "dma", "mean":
		return "average"
	case "days", "d":
		return "day"
	case "months", "mo":
		return "month"
	case "return", "returns", "performance":
		return "momentum"
	case "else":
		return "otherwise"
	case "when", "while", "whenever", "unless":
		return "if"
	case "vol", "volatile":
		return "volatility"
	case "best", "strongest", "highest":
		return "top"
	case "worst", "lowest", "weakest":
		return "bottom"
	case "leveraged", "levered":
		return "leverage"
	case "drawdown", "dd", "drops", "falls":
		return "down"
	case "over", "greater":
		return "above"
	case "under", "less":
		return "below"
	case "target", "drift", "band", "threshold":
		return "drifts"
	}
	return w
}

// rarity weighs the words of the examples: those of a few say more.
var rarity = sync.OnceValue(func() map[string]float64 {
	weights := map[string]float64{}
	for _, text := range examples {
		seen := map[string]bool{}
		for _, w := range wordsOf(text) {
			seen[alike(w)] = true
		}
		for w := range seen {
			weights[w]++
		}
	}
	for w, n := range weights {
		weights[w] = math.Log(1 + float64(len(examples))/n)
	}
	return weights
})

// exampleMembers are the members of the examples.
var exampleMembers = set("SPY AGG EFA GLD BIL IEF IWM TLT EEM QQQ VTI VXUS BND")

// ownMembers returns the members that the description names, in its order. Of names of
// several words, and of words that are English as well, none is sure.
func (p *parser) ownMembers() (own []string) {
	for at := 0; at < len(p.tokens); at++ {
		t, key := p.tokens[at], ""
		if m := p.members.known[t.text]; !common[t.lower] && !english().vocabulary[t.lower] && abbreviated[t.text] == "" {
			key = m.Key
		}
		last := at
		for end := gluedEnd(p.tokens, at, at); end > 0; end = gluedEnd(p.tokens, at, end-1) {
			if m, ok := p.members.known[p.text(at, end)]; ok {
				key, last = m.Key, end-1
			}
		}
		said := p.text(at, last+1)
		if m := p.members.known[said]; t.kind != word || m.Model || key != said || key != strings.ToUpper(key) || slices.Contains(own, key) {
			continue
		}
		own = append(own, key)
		at = last
	}
	return own
}

var spansSaid = regexp.MustCompile(`(\d{1,3})[ -]?(day|week|month)`)

// others returns members of the catalog that an example may have beside those that the
// description names: the usual ones first, then any that stand for them.
func (p *parser) others(own []string) (free []string) {
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(p.members.known)), func(s string) bool {
		m := p.members.known[s]
		return m.Model || m.Key != s || s != strings.ToUpper(s) || exampleMembers[s]
	})
	for _, s := range append(strings.Fields("SPY AGG EFA GLD BIL IEF IWM TLT EEM QQQ VTI VXUS BND"), rest...) {
		if m, ok := p.members.known[s]; ok && !m.Model && !slices.Contains(own, s) {
			free = append(free, s)
		}
	}
	return free
}

// inOwnWords puts members and lengths of the description into an example; "" if the
// catalog has too few members for it.
func (p *parser) inOwnWords(text string, own []string) string {
	free := p.others(own)
	text = lengthened(text, len(own)-exampleCount(text))
	instead, missing := map[string]string{}, false
	text = memberWords.ReplaceAllStringFunc(text, func(w string) string {
		if !exampleMembers[w] && !strings.HasPrefix(w, further) {
			return w
		}
		if instead[w] == "" {
			if i := slices.IndexFunc(own, func(s string) bool { return refuge[s] == refuge[w] }); i >= 0 {
				instead[w], own = own[i], slices.Delete(slices.Clone(own), i, i+1)
			} else if len(own) > 0 && !refuge[w] {
				instead[w], own = own[0], own[1:]
			} else if i := slices.Index(free, w); i >= 0 {
				instead[w], free = w, slices.Delete(free, i, i+1)
			} else if len(free) > 0 {
				instead[w], free = free[0], free[1:]
			} else {
				missing = true
				return w
			}
		}
		return instead[w]
	})
	if missing {
		return ""
	}
	said := spansSaid.FindAllStringSubmatch(strings.ToLower(string(p.prompt)), -1)
	return spansSaid.ReplaceAllStringFunc(text, func(span string) string {
		unit := spansSaid.FindStringSubmatch(span)[2]
		for i, s := range said {
			if n := strings.TrimLeft(s[1], "0"); s[2] == unit && len(n) > 0 && n != "1" && len(n) < 4 {
				said = slices.Delete(said, i, i+1)
				return n + " " + unit
			}
		}
		return span
	})
}

// lists are members that stand for any number of them.
var lists = regexp.MustCompile(`[A-Z]{3,4}(, [A-Z]{3,4})* and [A-Z]{3,4}\b`)

// further begins the names that stand for members added to a list, and longestList is how
// many there are at most.
const (
	further     = "ZZ"
	longestList = 12
)

// lengthened adds places for members to the first list of an example.
func lengthened(text string, more int) string {
	at := lists.FindStringIndex(text)
	if at == nil || more <= 0 {
		return text
	}
	list, last, _ := strings.Cut(text[at[0]:at[1]], " and ")
	for i := range min(more, longestList) {
		list += ", " + further + string(rune('A'+i))
	}
	return text[:at[0]] + list + " and " + last + text[at[1]:]
}

// exampleCount returns how many members an example has.
func exampleCount(text string) (n int) {
	seen := map[string]bool{}
	for _, w := range memberWords.FindAllString(text, -1) {
		if exampleMembers[w] && !seen[w] {
			seen[w] = true
			n++
		}
	}
	return n
}

// refuge are usual members of the part that is held otherwise.
var refuge = set("SYN-BILLS SYN-SHORT SYN-BOND BIL SHY IEF AGG BND SGOV SHV GOVT")

var memberWords = regexp.MustCompile(`\b[A-Z]{3,4}\b`)

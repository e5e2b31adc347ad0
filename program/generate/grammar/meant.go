package grammar

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ballast/program/generate"
)

// longestRefusal limits what a refusal says, in bytes of JSON. What carries it adds a few
// hundred.
const longestRefusal = 1500

// longestMeant limits a sentence that a refusal proposes, in characters.
const longestMeant = 240

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
	"equal weight SPY, TLT and GLD with a cap of 25% on GLD",
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

// meant completes a refusal of a model: it proposes the description with what was not
// understood put right, if that is understood, and then the examples that are nearest.
func meant(ctx context.Context, library generate.Library, prompt string, strange *generate.NotUnderstood) error {
	p, err := begin(ctx, english(), library, prompt)
	if err != nil {
		return strange // it is too long, and says so
	}
	known := &remembered{Library: library, known: map[string]generate.Member{}, asked: map[string]bool{}}
	words := strange.Words
	if data := p.importable(); len(data) > 0 {
		words = data
	}
	list, err := p.understoodMended(ctx, known, words)
	if err != nil {
		return err
	}
	for _, text := range p.nearest() {
		if len(list) < mostAccepted && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	e := &generate.NotUnderstood{Words: slices.Clone(words), Accepted: list}
	if saving := p.asSimulation(ctx, known, words); saving != "" && len(words) > 0 {
		e.Words[0].Message += `; as a simulation, send "` + saving + `" to POST /v1/simulations`
	} else if len(e.Words) > 0 && len(list) > 0 {
		e.Words[0].Message += "; did you mean: " + list[0] + "?"
	}
	return fitting(e)
}

// understoodMended returns the ways to put the description right that are understood, and
// that leave none of its members out. Where suggested words lead to others, these are
// followed.
func (p *parser) understoodMended(ctx context.Context, library generate.Library, words []generate.Word) (list []string, err error) {
	own := p.ownMembers()
	tried := map[string]bool{}
	queue := p.mended(words)
	for len(queue) > 0 && len(list) < mostMended && len(tried) < mostTried {
		text := queue[0]
		queue = queue[1:]
		if tried[text] || text == "" || len([]rune(text)) > longestMeant || slices.ContainsFunc(own, func(s string) bool { return !strings.Contains(text, s) }) {
			continue
		}
		tried[text] = true
		_, err := modelScript(ctx, library, generate.Request{Prompt: text})
		var strange *generate.NotUnderstood
		switch {
		case err == nil:
			list = append(list, text)
		case !errors.As(err, &strange):
			return nil, err
		case slices.ContainsFunc(strange.Words, func(w generate.Word) bool { return w.Suggestion != "" }):
			sub := &parser{prompt: []rune(text)}
			queue = append([]string{sub.suggested(strange.Words)}, queue...)
		}
	}
	return list, nil
}

// mostTried limits the ways to put a description right that are read.
const mostTried = 6

// mostMended is how many ways to put a description right are proposed.
const mostMended = 2

// fitting leaves out what makes a refusal too long: the last examples first, then the
// last problems.
func fitting(e *generate.NotUnderstood) *generate.NotUnderstood {
	for i := range e.Words {
		if r := []rune(e.Words[i].Message); len(r) > 600 {
			e.Words[i].Message = string(r[:599]) + "…"
		}
	}
	for {
		text, err := json.Marshal(e)
		switch {
		case err != nil || len(text) <= longestRefusal:
			return e
		case len(e.Accepted) > 1:
			e.Accepted = e.Accepted[:len(e.Accepted)-1]
		case len(e.Words) > 1:
			e.Words = e.Words[:len(e.Words)-1]
		default:
			e.Words[0].Text = "" // its place is in offset and length
			return e
		}
	}
}

// turning are words without which a description says the opposite.
var turning = set("not never no except without unless nor neither short otherwise else instead")

// completions are sentences in which what a problem says is missing is said, by the
// beginning of its message; * is the description.
var completions = []struct {
	message string
	forms   []string
}{
	{"how much of each", []string{"equal weight *"}},
	{"how much of this", []string{"equal weight *"}},
	{"momentum over how long", []string{"* by 6 month momentum, monthly"}},
	{"chosen by what", []string{"* by 6 month momentum, monthly"}},
	{"how many are held", []string{"top 1: *"}},
	{"when is this held", []string{"*, otherwise cash"}},
}

// mended returns ways to put a description right: with the suggested words in the place
// of those that were not understood, with what is missing, or without the clause or the
// words that were not understood.
func (p *parser) mended(words []generate.Word) (list []string) {
	if text := p.suggested(words); text != tidied(string(p.prompt)) {
		list = append(list, text)
	}
	for _, w := range words {
		for _, c := range completions {
			if !strings.HasPrefix(w.Message, c.message) {
				continue
			}
			for _, f := range c.forms {
				list = append(list, strings.Replace(f, "*", strings.TrimRight(tidied(string(p.prompt)), " ."), 1))
			}
		}
	}
	turns := slices.ContainsFunc(words, func(w generate.Word) bool {
		return slices.ContainsFunc(tokenize(w.Text), func(t token) bool { return turning[t.lower] })
	})
	if turns || slices.ContainsFunc(words, func(w generate.Word) bool { return w.Member && w.Suggestion == "" }) {
		return list
	}
	without := p.replaced(words, func(w generate.Word) (string, bool) { return w.Suggestion, true })
	return append(list, without, p.withoutClauses(words))
}

// suggested returns the description with the words that are suggested.
func (p *parser) suggested(words []generate.Word) string {
	return p.replaced(words, func(w generate.Word) (string, bool) { return w.Suggestion, w.Suggestion != "" })
}

// replaced returns the description with others in the place of words.
func (p *parser) replaced(words []generate.Word, with func(w generate.Word) (string, bool)) string {
	text := slices.Clone(p.prompt)
	for _, w := range slices.Backward(words) {
		if s, ok := with(w); ok && w.Length > 0 && w.Offset+w.Length <= len(text) {
			text = slices.Replace(text, w.Offset, w.Offset+w.Length, []rune(s)...)
		}
	}
	return tidied(string(text))
}

// withoutClauses returns the description without the clauses in which something was not
// understood.
func (p *parser) withoutClauses(words []generate.Word) string {
	text := string(p.prompt)
	var kept []string
	at := 0
	for _, clause := range clauses.FindAllString(text, -1) {
		n := len([]rune(clause))
		strange := slices.ContainsFunc(words, func(w generate.Word) bool { return w.Offset < at+n && w.Offset+max(1, w.Length) > at })
		if at += n; !strange {
			kept = append(kept, clause)
		}
	}
	return tidied(strings.Join(kept, ""))
}

var (
	clauses = regexp.MustCompile(`[^,;.\n]*(\.\d[^,;.\n]*)*[,;.\n]?`)
	spaces  = regexp.MustCompile(`\s+`)
	before  = regexp.MustCompile(`\s+([,;.)])`)
	doubled = regexp.MustCompile(`([,;.])(\s*[,;.])+`)
)

// tidied removes the spaces and marks that words leave behind.
func tidied(text string) string {
	text = before.ReplaceAllString(spaces.ReplaceAllString(text, " "), "$1")
	text = doubled.ReplaceAllString(text, "$1")
	text = strings.Trim(text, " ,;")
	for _, w := range []string{" and", " with", " but", " with a", " then", " on", " by"} {
		text = strings.TrimSuffix(text, w)
	}
	return strings.TrimSpace(text)
}

// nearest returns the examples in the order of their nearness to the description, with
// its members and lengths in the place of theirs.
func (p *parser) nearest() []string {
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
			score[text] -= 0.12 * math.Abs(float64(members-len(own)))
		} else if len(own) > 0 {
			score[text] -= 10 // it has no place for them
		}
	}
	near := slices.Clone(examples)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	var list []string
	for _, text := range near {
		if text = p.inOwnWords(text, own); text != "" && len(list) < mostAccepted {
			list = append(list, text)
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
	instead, missing := map[string]string{}, false
	text = memberWords.ReplaceAllStringFunc(text, func(w string) string {
		if !exampleMembers[w] {
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

// refuge are usual members of the part that is held otherwise.
var refuge = set("SYN-BILLS SYN-SHORT SYN-BOND SYN-LONG SYN-GOLD SYN-INFL BIL SHY IEF TLT AGG BND SGOV SHV GOVT TIP LQD GLD")

var memberWords = regexp.MustCompile(`\b[A-Z]{3,4}\b`)

var (
	amounts  = regexp.MustCompile(`(?i)[\$€£]?\s?(\d[\d,]*(?:\.\d+)?[km]?)\s*(?:dollars |usd )?(?:a|per|each|every|/)\s*(week|month|quarter|year)|[\$€£]?\s?(\d[\d,]*(?:\.\d+)?[km]?)\s*(?:dollars |usd )?(weekly|monthly|quarterly|yearly|annually)`)
	payments = regexp.MustCompile(`(?i)\b(withdraw\w*|spend\w*|taking out|take out)\b`)
)

// asSimulation rewrites a description that pays money in or out as the simulation that it
// belongs to; "" if it has none.
func (p *parser) asSimulation(ctx context.Context, library generate.Library, words []generate.Word) string {
	text := string(p.prompt)
	flows := slices.ContainsFunc(words, func(w generate.Word) bool { return w.Message == noFlows })
	at, found := amounts.FindStringSubmatchIndex(text), amounts.FindStringSubmatch(text)
	if at == nil && !flows {
		return ""
	}
	if at == nil { // an amount as an example
		at, found = []int{len(text), len(text)}, []string{"", "500", "month", "", ""}
	}
	amount, period := found[1]+found[3], strings.ToLower(found[2])
	if period == "" {
		period = map[string]string{"weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year"}[strings.ToLower(found[4])]
	}
	verb := "save"
	if payments.MatchString(text) {
		verb = "withdraw"
	}
	var shares []string
	for _, x := range p.draftOf(ctx, text[:at[0]]+" , "+text[at[1]:]) {
		shares = append(shares, percent(x.Weight)+" "+x.Key)
	}
	holdings := and(shares)
	if len(shares) == 0 {
		if own := p.ownMembers(); len(own) == 1 {
			holdings = own[0]
		} else {
			return ""
		}
	}
	sentence := fmt.Sprintf("%s %s a %s in %s for 30 years", verb, amount, period, holdings)
	if _, err := UnderstandSimulation(ctx, library, sentence, 2026); err != nil {
		return ""
	}
	return sentence
}

// draftOf returns the shares that a text gives members, whatever else is in it.
func (p *parser) draftOf(ctx context.Context, text string) []Holding {
	sub := newParser(english(), text, tokenize(text), p.members)
	if sub.parse(ctx) != nil {
		return nil
	}
	b := sub.mainBlock()
	if b == nil || len(b.entries) == 0 {
		return nil
	}
	sub.problems, sub.reported = nil, map[int]bool{}
	list := sub.fixed(&Plan{}, b)
	if len(sub.problems) > 0 {
		return nil
	}
	return list
}

// remembered looks names up once.
type remembered struct {
	generate.Library
	known  map[string]generate.Member
	asked  map[string]bool
	models []generate.Member
	listed bool
}

func (r *remembered) Members(ctx context.Context, names []string) (map[string]generate.Member, error) {
	var strange []string
	for _, name := range names {
		if !r.asked[name] {
			strange = append(strange, name)
		}
	}
	if len(strange) > 0 {
		more, err := r.Library.Members(ctx, strange)
		if err != nil {
			return nil, err
		}
		for _, name := range strange {
			r.asked[name] = true
			if m, ok := more[name]; ok {
				r.known[name] = m
			}
		}
	}
	found := map[string]generate.Member{}
	for _, name := range names {
		if m, ok := r.known[name]; ok {
			found[name] = m
		}
	}
	return found, nil
}

func (r *remembered) Models(ctx context.Context) ([]generate.Member, error) {
	if r.listed {
		return r.models, nil
	}
	models, err := r.Library.Models(ctx)
	if err == nil {
		r.models, r.listed = models, true
	}
	return models, err
}

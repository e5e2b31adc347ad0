package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sweepPhrases say which inputs of a model vary, and how the best of them is chosen.
var sweepPhrases = []phrase{
	{
		forms: []string{"[a|run|do] [parameter|input] (sweep|sweeps|sweeping|grid search|parameter search) [(of|for|on|with)]"},
		says:  func(p *parser, m match) { p.asks(sweepKind, m) },
	},
	{
		forms: []string{"[a|run|do] (walk forward|walk - forward|walkforward) [analysis|test|testing|optimisation|optimization|validation] [(of|for|on|with)]"},
		says:  func(p *parser, m match) { p.asks(walkForwardKind, m) },
	},
	{
		forms: []string{"[(over|varying|across|for|and|with|of)] [its] {vary=variation}"},
		says: func(p *parser, m match) {
			p.expected = true
			v := get[variation](m.captures, "vary")
			if slices.ContainsFunc(p.asked.varied, func(o variation) bool { return o.input == v.input }) {
				p.refuse(m.from, m.to, "", v.input+" varies already")
				return
			}
			p.asked.varied = append(p.asked.varied, v)
		},
	},
	{
		forms: []string{"[and|with|chosen] (train|training|trained) [on|over|of|for|in|:] {y1=years} [of training]", "{y1=years} [of] training"},
		says: func(p *parser, m match) {
			once(p, &p.asked.train, get[float64](m.captures, "y1"), m, "the years of training")
		},
	},
	{
		forms: []string{"[and|with] (test|tests|testing|tested|held) [on|over|of|for|in|:] [the next|the following] {y1=years}", "{y1=years} [of] (testing|tests|test)"},
		says: func(p *parser, m match) {
			once(p, &p.asked.test, get[float64](m.captures, "y1"), m, "the years of each test")
		},
	},
	{
		forms: []string{"[and|with] (anchored|expanding) [training|window|windows]"},
		says:  func(p *parser, m match) { once(p, &p.asked.anchored, true, m, "how training moves") },
	},
	{
		forms: []string{"[best|ranked|rank|chosen|choose] by [the|its] {metric=metricword} [ratio]"},
		says: func(p *parser, m match) {
			once(p, &p.asked.metric, get[string](m.captures, "metric"), m, "what is best")
		},
	},
	{
		forms: []string{"[and] keep [the] [best] {n} [best] [of them|points]", "[and] keep the best"},
		says: func(p *parser, m match) {
			n := max(1, get[int](m.captures, "n"))
			if p.within(m, float64(n), 1, 20, "from 1 to 20 points are kept") {
				once(p, &p.asked.keep, n, m, "how many points are kept")
			}
		},
	},
}

// variation is the values of one input.
type variation struct {
	input          string
	from, to, step float64 // a range; step 0 for a list
	values         []float64
}

// source writes the values as in a script.
func (v variation) source() string {
	if v.step > 0 {
		return fmt.Sprintf(`{"from": %s, "to": %s, "step": %s}`, shortNumber(v.from), shortNumber(v.to), shortNumber(v.step))
	}
	return list(v.values, shortNumber)
}

// String says the values in words.
func (v variation) String() string {
	switch {
	case v.step == 1:
		return fmt.Sprintf("%s from %s to %s", v.input, shortNumber(v.from), shortNumber(v.to))
	case v.step > 0:
		return fmt.Sprintf("%s from %s to %s in steps of %s", v.input, shortNumber(v.from), shortNumber(v.to), shortNumber(v.step))
	}
	texts := make([]string, len(v.values))
	for i, x := range v.values {
		texts[i] = shortNumber(x)
	}
	return v.input + " " + and(texts)
}

// shortNumber writes 3 for 3.0, as an input of whole numbers needs it.
func shortNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// sweeps reports whether the description is of a sweep or a walk-forward: otherwise a word
// before numbers is no input.
func (p *parser) sweeps() bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool {
		return t.is("sweep") || t.is("sweeps") || t.is("sweeping") || t.is("grid") || t.is("forward") || t.is("walkforward") || t.is("search")
	})
}

// notInputs are words before numbers that are no inputs.
var notInputs = set(`from between since until in of on over to and or by keep best train training trained test tests testing tested held next top with for the a an per at step steps`)

// variation reads lookback 3 to 12; lookback from 0.1 to 0.5 in steps of 0.1; hold 1, 2
// and 5.
func (p *parser) variation(at int) (any, int) {
	t := p.at(at)
	if t.kind != word || notInputs[t.lower] || !p.sweeps() {
		return nil, 0
	}
	v := variation{input: t.text}
	next := at + 1
	for p.at(next).is("_") && p.at(next).glued && p.at(next+1).glued { // names such as look_back
		v.input += "_" + p.at(next+1).text
		next += 2
	}
	if p.at(next).is("from") || p.at(next).is("between") || p.at(next).is("=") || p.at(next).is(":") || p.at(next).is("of") {
		next++
	}
	first, end := p.numeral(next)
	if end == 0 {
		return nil, 0
	}
	if mid := p.at(end); mid.is("to") || mid.is("-") || mid.is("–") || mid.is("and") && p.at(next-1).is("between") {
		last, after := p.numeral(end + 1)
		if after == 0 || last <= first {
			return nil, 0
		}
		v.from, v.to, v.step = first, last, 1
		step := after
		for p.at(step).is("in") || p.at(step).is("by") || p.at(step).is("with") || p.at(step).is("a") || p.at(step).is("step") || p.at(step).is("steps") || p.at(step).is("of") {
			step++
		}
		if x, done := p.numeral(step); done > 0 && step > after && x > 0 {
			v.step, after = x, done
		}
		return v, after
	}
	v.values = []float64{first}
	for {
		after := end
		for p.at(after).is(",") || p.at(after).is("and") || p.at(after).is("or") {
			after++
		}
		x, done := p.numeral(after)
		if after == end || done == 0 || slices.Contains(v.values, x) {
			break
		}
		v.values, end = append(v.values, x), done
	}
	return v, end
}

// metricWord reads what is best.
func (p *parser) metricWord(at int) (any, int) {
	switch t := p.at(at); t.lower {
	case "sharpe", "sortino", "calmar", "cagr":
		return t.lower, at + 1
	case "return":
		return "cagr", at + 1
	}
	return nil, 0
}

// sweepOf takes over what was said of a sweep.
func (p *parser) sweepOf(q *Question) {
	a := p.asked
	walks, sweeping := q.Kind == walkForwardKind, q.Kind == sweepKind || q.Kind == walkForwardKind
	refuse := func(there bool, from, to int, message string) {
		if there {
			p.refuse(from, to, "", message)
		}
	}
	refuse(a.keep.there && q.Kind != sweepKind, a.keep.from, a.keep.to, "points are kept of a sweep")
	refuse(a.train.there && !walks, a.train.from, a.train.to, "training is for a walk-forward")
	refuse(a.test.there && !walks, a.test.from, a.test.to, "a test is for a walk-forward")
	refuse(a.anchored.there && !walks, a.anchored.from, a.anchored.to, "training is for a walk-forward")
	refuse(a.metric.there && !sweeping, a.metric.from, a.metric.to, "what is best is said of a sweep or a walk-forward")
	if !sweeping || len(p.problems) > 0 {
		return
	}
	if !a.named[0].model {
		p.refuse(a.named[0].from, a.named[0].to, "", q.Keys[0]+" is an asset, which has no inputs: name one of your models")
		return
	}
	if len(a.varied) == 0 {
		p.refuseAll("over which inputs? Say sweep " + q.Keys[0] + " over lookback 3 to 12")
		return
	}
	q.Varied, q.Metric, q.Keep, q.Anchored = a.varied, a.metric.value, a.keep.value, a.anchored.value
	if !walks {
		return
	}
	if q.Train = a.train.value; !a.train.there {
		q.Train = 5
		p.assume("No length was given, so training is 5 years.")
	}
	if q.Test = a.test.value; !a.test.there {
		q.Test = 1
		p.assume("No length was given, so each test is 1 year.")
	}
}

// grid writes what varies as in a script.
func (q *Question) grid() string {
	parts := make([]string, len(q.Varied))
	for i, v := range q.Varied {
		parts[i] = quote(v.input) + ": " + v.source()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// varied says what varies.
func (q *Question) varied() string {
	parts := make([]string, len(q.Varied))
	for i, v := range q.Varied {
		parts[i] = v.String()
	}
	return and(parts)
}

// sweepSentence says what is computed.
func (q *Question) sweepSentence() string {
	metric := q.Metric
	switch metric {
	case "":
		metric = "Sharpe ratio"
	case "cagr":
		metric = "compound return"
	default:
		metric = strings.ToUpper(metric[:1]) + metric[1:] + " ratio"
	}
	if q.Kind == walkForwardKind {
		years := lengthText(q.Train) + " of training"
		if q.Anchored {
			years = "all years before, at least " + lengthText(q.Train)
		}
		return fmt.Sprintf("Chooses %s of %s by the %s in %s, and holds the choice for %s", q.varied(), q.Keys[0], metric, years, lengthText(q.Test))
	}
	keep := ""
	if q.Keep > 0 {
		keep = fmt.Sprintf(", and keeps the best %d", q.Keep)
	}
	return fmt.Sprintf("Runs %s with %s, ranked by the %s%s", q.Keys[0], q.varied(), metric, keep)
}

// lengthText writes years, which may be half a year.
func lengthText(years float64) string {
	if years == 1 {
		return "1 year"
	}
	return shortNumber(years) + " years"
}

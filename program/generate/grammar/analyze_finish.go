package grammar

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ballast/analyze"
	"ballast/program/generate"
)

// question turns the draft into a question. Contradictions are reported; the question may
// only be used if there were none.
func (p *parser) question() *Question {
	a := p.asked
	q := &Question{columns: a.columns, Symbol: p.draft.symbol.value, Frequency: a.frequency.value, Method: a.method.value, Level: a.level.value, Most: a.most.value, By: a.by.value, Rule: a.rule.value, Years: a.windows}
	if len(p.problems) > 0 {
		return q // what follows from words that were not understood says nothing new
	}
	for _, step := range []func(*Question){p.kindOf, p.rolesOf, p.fits, p.sweepOf, p.yearsOf, p.defaults} {
		if step(q); len(p.problems) > 0 {
			return q
		}
	}
	if a.lags.there {
		q.Lags = &a.lags.value
	}
	q.Cap, q.Points = a.cap.value, int(a.points.value)
	q.Notes = p.draft.notes
	if q.Name = p.draft.name.value; q.Name == "" {
		q.Name = questionTitle(q)
	}
	return q
}

// refuseAll refuses a description as a whole.
func (p *parser) refuseAll(message string) {
	p.refuse(0, len(p.tokens), "", message)
	p.problems[0].Text = ""
}

// kindOf finds what is computed.
func (p *parser) kindOf(q *Question) {
	a := p.asked
	switch {
	case a.kind.there:
		if q.Kind = a.kind.value; a.explains.there && q.Kind != styleKind && q.Kind != factorsKind {
			p.refuse(a.explains.from, a.explains.to, "", "explained how? Say style analysis, or a factor regression")
		}
	case a.explains.there:
		p.refuse(a.explains.from, a.explains.to, "", "explained how, and by what? Say style analysis on SPY, EFA and AGG, or a factor regression on them")
	case a.did && len(a.inYears)+len(a.moves) > 0:
		q.Kind = stressKind
	case a.did:
		p.refuseAll("when? Say how did MOM do in 2008, in bear markets, or report on MOM")
	default:
		p.refuseAll("nothing here says what is computed: a factor regression, correlations, style analysis, attribution, a stress test, drawdowns, a report; a model is described at POST /v1/models, a simulation at POST /v1/simulations")
	}
}

// rolesOf divides the members into what is analyzed and what it is compared with.
func (p *parser) rolesOf(q *Question) {
	a := p.asked
	explained := q.Kind == factorsKind || q.Kind == styleKind
	compares := q.Kind == rollingKind || q.Kind == attributionKind || q.Kind == reportKind
	for _, m := range a.named {
		switch {
		case m.role == moved:
			if q.Kind != stressKind || !slices.ContainsFunc(a.moves, func(s Shock) bool { return s.Key == m.key }) {
				p.refuse(m.from, m.to, "", "how far does "+m.key+" move? Say what happens to MOM if SPY falls by 20 %")
				return
			}
		case m.role == subject, !explained && !compares, q.Kind == rollingKind && m.role == beside:
			if m.role == onto {
				p.refuse(m.from, m.to, "", "what is "+m.key+" for? "+kindTitles[q.Kind]+" has no factors: say and "+m.key)
				return
			}
			if slices.Contains(q.Keys, m.key) {
				p.refuse(m.from, m.to, "", m.key+" was named before")
				return
			}
			q.Keys = append(q.Keys, m.key)
		case explained:
			q.On = append(q.On, m.key)
		case m.role == onto:
			p.refuse(m.from, m.to, "", "what is "+m.key+" for? Say against "+m.key)
			return
		case q.Against != "":
			p.refuse(m.from, m.to, "", "there is one benchmark: "+q.Against+" was named before")
			return
		default:
			q.Against = m.key
		}
	}
	if q.Shocks = a.moves; a.supposed.there && len(q.Shocks) == 0 {
		p.refuse(a.supposed.from, a.supposed.to, "", "if what? Say what happens to MOM if SPY falls by 20 %")
		return
	}
	if a.set.there {
		if q.Kind != factorsKind {
			p.refuse(a.set.from, a.set.to, "", "factors are for a factor regression, which this is not")
			return
		}
		p.factorsOf(q)
	}
}

// fits checks how many members were named.
func (p *parser) fits(q *Question) {
	a := p.asked
	least, most := 1, mostOwnModels
	switch q.Kind {
	case factorsKind, styleKind, attributionKind, sweepKind, walkForwardKind:
		most = 1
	case correlationKind, componentsKind, frontierKind:
		least = 2
	}
	if keys, _ := q.reads(); len(q.Keys) > 0 && len(keys) == 0 {
		p.refuseAll("an analysis is about at least one asset or model: name one beside the columns of series")
		return
	}
	switch n := len(q.Keys); {
	case n == 0:
		p.refuseAll("of what? Name a model or an asset, such as MOM or SPY")
	case n < least:
		p.refuseAll(kindTitles[q.Kind] + " needs at least two members: of " + q.Keys[0] + " and of what else?")
	case n > most:
		last := a.named[slices.IndexFunc(a.named, func(m namedMember) bool { return m.key == q.Keys[1] })]
		message := kindTitles[q.Kind] + " is of one model or asset: ask about " + q.Keys[1] + " in another analysis"
		if q.Kind != attributionKind {
			message += ", or say on " + q.Keys[1] + " if it explains " + q.Keys[0]
		}
		p.refuse(last.from, last.to, "", message)
	}
	if len(p.problems) > 0 {
		return
	}
	switch {
	case q.Kind == factorsKind && len(q.On) == 0:
		p.refuseAll("on which factors? Say on the Fama-French five factors, or on SPY and AGG")
	case q.Kind == styleKind && len(q.On) < 2:
		p.refuseAll("on which styles? Say style analysis of " + q.Keys[0] + " on SPY, EFA and AGG")
	}
	for _, x := range q.On {
		if x == q.Keys[0] {
			p.refuseAll(x + " cannot explain itself")
			return
		}
	}
	if q.Against != "" && slices.Contains(q.Keys, q.Against) {
		p.refuseAll(q.Against + " cannot be its own benchmark")
		return
	}
	only := func(there bool, from, to int, message string, kinds ...string) {
		if there && !slices.Contains(kinds, q.Kind) {
			p.refuse(from, to, "", message)
		}
	}
	only(a.frequency.there, a.frequency.from, a.frequency.to, kindTitles[q.Kind]+" has no frequency: it uses daily returns", factorsKind, correlationKind, componentsKind, styleKind, frontierKind)
	only(a.cap.there, a.cap.from, a.cap.to, "a cap is for an efficient frontier", frontierKind)
	only(a.points.there, a.points.from, a.points.to, "a number of portfolios is for an efficient frontier", frontierKind)
	only(a.method.there, a.method.from, a.method.to, "ranks are for correlations", correlationKind)
	only(a.lags.there, a.lags.from, a.lags.to, "lags are for a factor regression", factorsKind)
	only(a.riskless.there, a.riskless.from, a.riskless.to, "a riskless rate is for a factor regression", factorsKind)
	only(a.level.there, a.level.from, a.level.to, "a level is for value at risk", tailsKind)
	only(len(a.windows) > 0, a.windowsFrom, a.windowsTo, "a length of windows is for rolling returns", rollingKind)
	only(a.by.there, a.by.from, a.by.to, kindTitles[q.Kind]+" is not by "+a.by.value+": an attribution is", attributionKind)
}

// yearsOf sets the window, or the times of stress.
func (p *parser) yearsOf(q *Question) {
	a := p.asked
	q.First, q.Last = a.first.value, a.last.value
	if len(a.inYears) == 0 {
		return
	}
	years := slices.Clone(a.inYears)
	slices.Sort(years)
	years = slices.Compact(years)
	if q.Kind == stressKind {
		if len(q.Shocks) > 0 {
			p.refuse(a.inFrom, a.inTo, "", "a shock has no year: ask about the year in another analysis")
			return
		}
		for _, year := range years {
			q.Episodes = append(q.Episodes, episodeOf(year))
		}
		return
	}
	switch {
	case a.first.there || a.last.there:
		p.refuse(a.inFrom, a.inTo, "", "which years? Others were given before")
	case len(years) > 1:
		p.refuse(a.inFrom, a.inTo, "", "these are several times: say from 2008 to 2020, or ask of each in an analysis of its own; a stress test takes several")
	default:
		q.First, q.Last = years[0], years[0]
	}
}

// episodeOf returns the episode that the function stress knows by a year, or the whole
// year.
func episodeOf(year int) Episode {
	name := fmt.Sprint(year)
	for _, e := range analyze.Episodes {
		if e.Name == name {
			return Episode{name, e.First.String(), e.Last.String()}
		}
	}
	return Episode{name, name + "-01-01", name + "-12-31"}
}

// defaults sets what was not said, and notes it.
func (p *parser) defaults(q *Question) {
	a := p.asked
	switch q.Kind {
	case factorsKind:
		if a.riskless.there {
			q.Riskless = a.riskless.value
		}
		if q.Riskless == "" {
			p.assume("No riskless rate was named, so returns are used as they are.")
		}
	case rollingKind:
		if len(q.Years) == 0 {
			q.Years = []int{1, 3, 5}
			p.assume("No length was given, so windows of 1, 3 and 5 years are shown.")
		}
		slices.Sort(q.Years)
	case attributionKind:
		if q.Against == "" {
			p.assume("No benchmark was named, so the return itself is shown, as compared with cash that earns nothing.")
		}
	}
}

// sayFactorSet says on which well-known factors returns are regressed.
func (p *parser) sayFactorSet(m match) {
	p.expected = true
	text := " " + strings.Join(p.lowers(m.from, m.to), " ") + " "
	n := get[int](m.captures, "n")
	set := factorSet{"Fama and French", []string{"MKT-RF", "SMB", "HML"}}
	switch {
	case strings.Contains(text, "carhart"):
		if n != 0 && n != 4 {
			p.refuse(m.from, m.to, "", "Carhart has four factors")
			return
		}
		set = factorSet{"Carhart", []string{"MKT-RF", "SMB", "HML", "MOM"}}
	case n == 5, strings.Contains(text, "ff5"), strings.Contains(text, "ff 5"):
		set.keys = []string{"MKT-RF", "SMB", "HML", "RMW", "CMA"}
	case n == 6:
		set.keys = []string{"MKT-RF", "SMB", "HML", "RMW", "CMA", "MOM"}
	case n == 3, strings.Contains(text, "ff3"), strings.Contains(text, "ff 3"):
	case n == 0:
		p.refuse(m.from, m.to, "", "three factors or five? Say the Fama-French three factors, or the Fama-French five factors")
		return
	default:
		p.refuse(m.from, m.to, "", "there are three, five or six of these factors")
		return
	}
	once(p, &p.asked.set, set, m, "the factors")
}

// otherNames are further keys of factors in published files.
var otherNames = map[string][]string{"MKT-RF": {"MKT_RF", "MKTRF", "MKT.RF"}, "MOM": {"UMD", "WML", "PR1YR"}}

// factorsOf finds the columns of a set of factors among the imported series.
func (p *parser) factorsOf(q *Question) {
	a := p.asked
	var found []string // names of series with all factors
	var on [][]string
	var riskless []string
	for _, s := range a.series {
		if q.Frequency != "" && s.Frequency != q.Frequency {
			continue
		}
		var keys []string
		for _, factor := range a.set.value.keys {
			if key := keyOf(s, append([]string{factor}, otherNames[factor]...)); key != "" {
				keys = append(keys, s.Name+"."+key)
			}
		}
		if len(keys) == len(a.set.value.keys) {
			found, on = append(found, s.Name), append(on, keys)
			rf := ""
			if key := keyOf(s, []string{"RF"}); key != "" {
				rf = s.Name + "." + key
			}
			riskless = append(riskless, rf)
			if q.Frequency == "" && len(found) == 1 {
				defer func() { q.Frequency = s.Frequency }()
			}
		}
	}
	names := and(a.set.value.keys)
	switch {
	case len(found) == 0:
		message := fmt.Sprintf("no %sseries has the columns %s: download the file from Kenneth French's data library and add it with POST /v1/series, or have it imported with ballast import series", spaced(q.Frequency), names)
		p.refuse(a.set.from, a.set.to, "", message)
	case len(found) > 1:
		p.refuse(a.set.from, a.set.to, "", fmt.Sprintf("the series %s have the columns %s: say daily or monthly, or name the columns, such as %s", and(found), names, on[0][0]))
	default:
		q.On = append(q.On, on[0]...)
		for _, column := range append(on[0], riskless[0]) {
			a.columns[column] = true
		}
		if q.Riskless = riskless[0]; q.Riskless != "" && !a.riskless.there {
			p.assume(fmt.Sprintf("The factors are those of the series %s, and its column %s is the riskless return.", found[0], strings.TrimPrefix(q.Riskless, found[0]+".")))
		} else {
			p.assume(fmt.Sprintf("The factors are those of the series %s.", found[0]))
		}
	}
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return s + " "
}

// keyOf returns the first of some keys that a series has, in any case.
func keyOf(s generate.Series, keys []string) string {
	for _, key := range keys {
		for _, has := range s.Keys {
			if strings.EqualFold(has, key) {
				return has
			}
		}
	}
	return ""
}

// knownColumn returns the reference of an imported column as it is stored.
func (p *parser) knownColumn(text string, m match) (string, bool) {
	name, key, _ := strings.Cut(text, ".")
	var names []string
	for _, s := range p.asked.series {
		if strings.EqualFold(s.Name, name) {
			if has := keyOf(s, []string{key}); has != "" {
				a := s.Name + "." + has
				p.asked.columns[a] = true
				return a, true
			}
			p.refuse(m.from, m.to, "", fmt.Sprintf("the series %s has no column %s, but %s", s.Name, key, and(s.Keys)))
			return "", false
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		p.refuse(m.from, m.to, "", text+" is no series: none has been imported. Add one with POST /v1/series")
		return "", false
	}
	if len(names) > 10 {
		names = append(names[:10], "others")
	}
	p.refuse(m.from, m.to, "", fmt.Sprintf("%s is no series; there are %s", name, and(names)))
	return "", false
}

// kindTitles are the names of the kinds in messages.
var kindTitles = map[string]string{
	factorsKind: "a factor regression", correlationKind: "a correlation", componentsKind: "an analysis of components", styleKind: "a style analysis", tailsKind: "an analysis of tails",
	drawdownsKind: "a list of drawdowns", rollingKind: "an analysis of rolling windows", attributionKind: "an attribution", sweepKind: "a sweep", walkForwardKind: "a walk-forward", stressKind: "a stress test", frontierKind: "an efficient frontier", regimesKind: "an analysis of regimes", reportKind: "a report",
}

// questionTitle is the name of an analysis that was given none.
func questionTitle(q *Question) string {
	of := and(q.Keys)
	titles := map[string]string{
		factorsKind: "Factors of " + of, correlationKind: "Correlation of " + of, componentsKind: "Components of " + of, styleKind: "Style of " + of, tailsKind: "Tails of " + of,
		drawdownsKind: "Drawdowns of " + of, rollingKind: "Rolling returns of " + of, attributionKind: "Attribution of " + of, stressKind: "Stress test of " + of, regimesKind: "Regimes of " + of, frontierKind: "Efficient frontier of " + of, sweepKind: "Sweep of " + of, walkForwardKind: "Walk-forward of " + of, reportKind: "Report on " + of,
	}
	if len(q.Shocks) > 0 {
		titles[stressKind] = of + " if " + q.shock()
	}
	title := titles[q.Kind] + q.against() + strings.TrimPrefix(q.window(), ",")
	if utf8.RuneCountInString(title) > longestName {
		title = string([]rune(title)[:longestName-1]) + "…"
	}
	return title
}

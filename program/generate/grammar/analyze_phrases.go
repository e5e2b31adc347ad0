package grammar

import "slices"

// questionPhrases say what is computed.
var questionPhrases = []phrase{
	{
		forms: []string{
			"[do|run|a|show] (factor|factors|multi factor|multifactor|risk factor) (regression|regressions|analysis|model|loadings|loading|exposures|exposure|attribution) [of|for|to]",
			"(regress|regression of|regressing|linear regression of|ols of)",
			"(what|which) (factor|factors) (explain|explains|drive|drives|move|moves)", "(factor loadings|loadings|betas|beta) (of|for)", "alpha (and beta|and betas) (of|for)", "(alpha|capm alpha) of",
		},
		says: func(p *parser, m match) { p.asks(factorsKind, m) },
	},
	{
		forms: []string{
			"(how|how strongly|how closely|how highly|how much|how well) (correlated|related) (are|is|were|was)", "[strongly|closely|highly] (correlated|related) [with|to] [each other|one another|other]",
			"[show|a|compute|find] [pairwise|cross] (correlation|correlations|correlation matrix|correlation table|correlation heatmap|correlation heat map) [(of|between|among|for|across)]", "(correlate|correlating)",
			"[and] (move|moves|moved) together",
		},
		says: func(p *parser, m match) { p.asks(correlationKind, m) },
	},
	{
		forms: []string{
			"[a|run|do] [sharpe|sharpe 's|returns based|return based] (style analysis|style regression|style mix|style weights) [of|for]",
			"what (mix|combination) of",
		},
		says: func(p *parser, m match) { p.asks(styleKind, m) },
	},
	{
		forms: []string{"what (explains|explain|drives|drive|moves) [returns of|return of|performance of]"},
		says: func(p *parser, m match) {
			p.expected = true
			once(p, &p.asked.explains, true, m, "what is computed")
		},
	},
	{
		forms: []string{"[show|find|a|do|run] (principal components|principal component analysis|pca|principal component|principal components analysis) [of|for|on]"},
		says:  func(p *parser, m match) { p.asks(componentsKind, m) },
	},
	{
		forms: []string{
			"[a|show|find] [{level=pct}] (value at risk|values at risk|var|expected shortfall|conditional value at risk|cvar|tail risk|tail risks|tails|tail losses) [and (expected shortfall|value at risk|cvar|var)] [of|for|in]",
			"how bad are [the] (tails|worst days|worst losses) of",
		},
		says: func(p *parser, m match) {
			if m.has("level") {
				p.sayLevel(m)
			}
			p.asks(tailsKind, m)
		},
	},
	{
		forms: []string{
			"[show|list|find] (worst|biggest|largest|deepest|longest|greatest) {n} (drawdowns|losses|declines|falls) [of|for|in]", "[show|list|find] [{n}] (worst|biggest|largest|deepest|longest|greatest) (drawdowns|drawdown|losses|declines|falls|peak to trough losses) [of|for|in]",
			"[show|list|find] [all|every] (drawdowns|drawdown|drawdown table|drawdown history) [of|for|in]", "[show|list] [top] {n} (drawdowns|drawdown) [of|for|in]", "how (far|deep|much) did",
		},
		says: func(p *parser, m match) {
			if m.has("n") {
				n := get[int](m.captures, "n")
				if p.within(m, float64(n), 1, 1000, "from 1 to 1,000 drawdowns are listed") {
					once(p, &p.asked.most, n, m, "how many drawdowns")
				}
			}
			p.asks(drawdownsKind, m)
		},
	},
	{
		forms: []string{
			"[show] {y1=years} [and|,|/] [{y2=years}] rolling (returns|return|volatility|volatilities|performance|beta|betas|windows|figures|statistics|stats) [and (volatility|beta|return|returns)] [of|for]",
			"[show] rolling [{y1=years}] [and|,|/] [{y2=years}] (returns|return|volatility|volatilities|performance|beta|betas|windows|figures|statistics|stats) [and (volatility|beta|return|returns)] [of|for]",
			"rolling (returns|return|volatility|performance|beta) [and (volatility|beta)] over {y1=years} [and|,|/] [{y2=years}] [of|for]",
		},
		says: func(p *parser, m match) {
			for _, name := range []string{"y1", "y2"} {
				if m.has(name) {
					p.sayWindow(get[float64](m.captures, name), m)
				}
			}
			p.asks(rollingKind, m)
		},
	},
	{
		forms: []string{
			"[show|a|do|run] [brinson|performance|return|brinson fachler] (attribution|attributions) [analysis] [of|for]", "where (did|does|do) [the|its] (return|returns|performance|gain|gains|loss|losses|profit) of",
			"[and] (come|comes|came|coming) from", "(contribution|contributions|return contributions|return contribution) (of|by|to) [each member of|members of|return of|returns of]",
			"what (contributed|contributes) [most] to [return of|returns of|performance of]", "why did",
		},
		says: func(p *parser, m match) {
			if p.tokens[m.from].is("why") {
				p.refuse(m.from, m.to, "", "say what is to be computed: attribution of MOM against SPY, or where did the return of MOM come from")
				return
			}
			p.asks(attributionKind, m)
		},
	},
	{
		forms: []string{
			"[a|show|do|run] (stress test|stress tests|stress testing|stress|stress tested|crisis analysis|crash test) [of|for|on]", "(how did|how do|how does|how would|how have|how has|what happened to|what would have happened to)",
		},
		says: func(p *parser, m match) {
			if p.asked.kind.there && (p.tokens[m.from].is("how") || p.tokens[m.from].is("what")) {
				p.expected = true
				return
			}
			if p.tokens[m.from].is("how") || p.tokens[m.from].is("what") {
				p.asked.did = true
				p.expected = true
				return
			}
			p.asks(stressKind, m)
		},
	},
	{
		forms: []string{"(what happens to|what would happen to|what happens with|what would happen with|how much would|how much does|how far would|what would|what does) [the value of]", "[the] (shock|factor shock) [of|to|for]"},
		says: func(p *parser, m match) {
			once(p, &p.asked.supposed, true, m, "what is computed")
			p.asks(stressKind, m)
		},
	},
	{
		forms: []string{"(do|does|did|behave|behaves|behaved|perform|performs|performed|fare|fared|fares|hold up|held up|react|reacted)"},
		says: func(p *parser, m match) {
			if !p.asked.did && !p.asked.kind.there && !p.asked.supposed.there {
				p.refuse(m.from, m.to, "", "say what is to be computed: how did MOM do in 2008, report on MOM")
			}
		},
	},
	{
		forms: []string{
			"[a|full|complete] [performance|portfolio] (report|tear sheet|tearsheet|fact sheet|overview|full analysis|summary) [on|of|for|about]", "(analyse|analyze|analysis of|report on|summarise|summarize)",
		},
		says: func(p *parser, m match) { p.asks(reportKind, m) },
	},
	{
		forms: []string{"[show|a|the|find|draw|plot|compute] (efficient frontier|mean variance frontier|markowitz frontier|frontier) [of|for|from|with]"},
		says:  func(p *parser, m match) { p.asks(frontierKind, m) },
	},
	{ // regimes
		forms: []string{"[in|during|by|through|across|for|when] (bear markets|bear and bull markets|bull and bear markets|drawdowns|market drawdowns|down markets|market declines|falling markets|drawdown regimes|drawdown regime|bear market regimes|corrections)"},
		says:  func(p *parser, m match) { p.sayRule("drawdown", m) },
	},
	{
		forms: []string{"[in|during|by|through|across|for|when] (volatile markets|high volatility|low volatility|high and low volatility|calm markets|volatile and calm markets|calm and volatile markets|volatility regimes|volatility regime|turbulent markets)"},
		says:  func(p *parser, m match) { p.sayRule("volatility", m) },
	},
	{
		forms: []string{"[in|during|by|through|across|for|when] (uptrends|downtrends|uptrends and downtrends|up and down trends|up trends|down trends|trend regimes|trend regime|trending markets|bull markets)"},
		says:  func(p *parser, m match) { p.sayRule("trend", m) },
	},
	{
		forms: []string{"[market] (regimes|regime|regime analysis) [of|for|by] [{rule=ruleword}] [(of|for)]"},
		says: func(p *parser, m match) {
			rule := "drawdown"
			if m.has("rule") {
				rule = get[string](m.captures, "rule")
			} else {
				p.assume("Regimes are by drawdown; by volatility and by trend are the other rules.")
			}
			p.sayRule(rule, m)
		},
	},
}

// questionMembers say what the members that follow are.
var questionMembers = []phrase{
	{
		forms: []string{"(on|onto|explained by|in terms of|regressed on|to factors|on factors|driven by)"},
		says:  func(p *parser, m match) { p.turn(onto, m) },
	},
	{
		forms: []string{"(with|using|by|to|come closest to|is nearest to|replicates|and)"},
		says: func(p *parser, m match) {
			if p.tokens[m.from].is("and") {
				p.expected = true
				return
			}
			if p.asked.role == subject && len(p.asked.named) > 0 {
				p.turn(beside, m)
			}
			p.expected = true
		},
	},
	{
		forms: []string{"(against|versus|vs [.]|relative to|compared to|compared with|compare to|in comparison with|benchmarked against|benchmarked to|over benchmark|with benchmark|benchmark [:|is|=]|in excess of)"},
		says:  func(p *parser, m match) { p.turn(opposite, m) },
	},
	{
		forms: []string{"[lose|make|gain|return|move|change] (if|when|should|were|assuming|supposing|suppose|given that) [the]"},
		says: func(p *parser, m match) {
			p.expected = true
			p.asked.role, p.asked.roleFrom = moved, m.from
		},
	},
	{
		forms: []string{"(fall|falls|fell|drop|drops|dropped|decline|declines|declined|lose|loses|lost|crash|crashes|sink|sinks|is down|are down|were down|goes down|go down) [by] {level=pct}"},
		says:  func(p *parser, m match) { p.sayMove(-1, m) },
	},
	{
		forms: []string{"(rise|rises|rose|gain|gains|gained|climb|climbs|increase|increases|jump|jumps|is up|are up|were up|goes up|go up) [by] {level=pct}"},
		says:  func(p *parser, m match) { p.sayMove(1, m) },
	},
	{
		forms: []string{"{own}"},
		says: func(p *parser, m match) {
			p.expected = true
			switch models := p.members.all; {
			case len(models) == 0:
				p.refuse(m.from, m.to, "", "you have no model: name an asset, or make a model first")
			case len(models) > 1:
				p.refuse(m.from, m.to, "", "you have several models: say which, by its symbol or by its name in quotation marks")
			default:
				p.askKey(models[0].Key, true, m.from, m.to)
				p.assume("My model is " + models[0].Name + ".")
			}
		},
	},
	{
		forms: []string{"[all|all of] (my|our) (models|strategies|portfolios)", "(each|every one) of (my|our) (models|strategies|portfolios)"},
		says: func(p *parser, m match) {
			p.expected = true
			if len(p.members.all) == 0 {
				p.refuse(m.from, m.to, "", "you have no model: name an asset, or make a model first")
				return
			}
			if len(p.members.all) > mostOwnModels {
				p.refuse(m.from, m.to, "", "you have too many models for one analysis: name those that are meant")
				return
			}
			for _, x := range p.members.all {
				p.askKey(x.Key, true, m.from, m.to)
			}
		},
	},
	{
		forms: []string{"[series|column] {column=seriescolumn}"},
		says: func(p *parser, m match) {
			p.expected = true
			if key, ok := p.knownColumn(get[string](m.captures, "column"), m); ok {
				p.askKey(key, false, m.from, m.to)
			}
		},
	},
	{
		forms: []string{
			"[fama and french 's|fama french 's|kenneth french 's|fama french|fama and french|fama / french|french 's|french|ff] {n} factor [factors|model|loadings]", "[fama and french 's|fama french 's|kenneth french 's|fama french|fama and french|fama / french|french 's|french] {n} factors [model]", "(ff3|ff5|ff 3|ff 5) [factors|factor model|model]",
			"{n} (factors|factor model) of (fama and french|fama french|fama / french|french)", "carhart [carhart 's] [{n}] [factor|factors|factor model|model]", "carhart 's [{n}] [factor|factors] [model]", "(fama french|fama and french|french) (factors|model|factor model)",
		},
		says: func(p *parser, m match) { p.sayFactorSet(m) },
	},
}

const mostOwnModels = 100

// questionSettings say how it is computed.
var questionSettings = []phrase{
	{
		forms: []string{"[with] (at most|no more than|not more than|max|maximum|maximum of|max of|up to|a cap of|a maximum of) {level=pct} (each|in each|per member|per asset|in any|in one|of each)", "[and] (each|every member|none|no member) (at most|of at most|not above|above) {level=pct}", "capped at {level=pct} [each]"},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "level")
			if p.within(m, v, .0001, 1, "a cap is above 0 and at most 100 %") {
				once(p, &p.asked.cap, v, m, "the most weight of a member")
			}
		},
	},
	{
		forms: []string{"[with|in|by|of] {n} (points|portfolios)"},
		says: func(p *parser, m match) {
			n := float64(get[int](m.captures, "n"))
			if p.within(m, n, 2, 1000, "a frontier has from 2 to 1,000 portfolios") {
				once(p, &p.asked.points, n, m, "the number of portfolios")
			}
		},
	},
	{
		forms: []string{"[with|using|on|by|from|in] [their|its] (monthly|month end) [data|returns|basis|frequency|figures]", "[each|every|by] month"},
		says:  func(p *parser, m match) { once(p, &p.asked.frequency, "monthly", m, "the frequency") },
	},
	{
		forms: []string{"[with|using|on|by|from|in] [their|its] daily [data|returns|basis|frequency|figures]"},
		says:  func(p *parser, m match) { once(p, &p.asked.frequency, "daily", m, "the frequency") },
	},
	{
		forms: []string{"[with|using|by] [spearman|spearman 's] (rank|ranks|spearman|spearman 's) (correlation|correlations|correlated|rho|rank correlation) [(of|between|among)]", "(rank|spearman) correlated", "[with|using|by] spearman [method]"},
		says: func(p *parser, m match) {
			once(p, &p.asked.method, "spearman", m, "the kind of correlation")
			p.asks(correlationKind, m)
		},
	},
	{
		forms: []string{"[with|using|by] pearson [pearson 's] [method|correlation|correlations] [(of|between|among)]", "[with|using] pearson 's (correlation|correlations|method) [(of|between|among)]"},
		says: func(p *parser, m match) {
			once(p, &p.asked.method, "pearson", m, "the kind of correlation")
			p.asks(correlationKind, m)
		},
	},
	{
		forms: []string{"[with|using|and] {n} [newey west] (lags|lag)", "[with|using|and] [newey west] (lags|lag) [of|:|=] {n}"},
		says: func(p *parser, m match) {
			n := get[int](m.captures, "n")
			if p.within(m, float64(n), 0, 1000, "from 0 to 1,000 lags are used") {
				once(p, &p.asked.lags, n, m, "the lags")
			}
		},
	},
	{
		forms: []string{"[with|using] newey west [standard] [errors]"},
		says:  func(p *parser, m match) { p.asks(factorsKind, m) },
	},
	{
		forms: []string{"[at|with|and] [a|the] {level=pct} [level|confidence|confidence level]", "[at] [confidence|level|confidence level] [of] {level=pct}"},
		says:  func(p *parser, m match) { p.sayLevel(m) },
	},
	{
		forms: []string{"(by|for|in|per|over) (each|every) (year|calendar year)", "(by|per) (year|calendar year)", "(each|every) year", "year by year"},
		says:  func(p *parser, m match) { once(p, &p.asked.by, "year", m, "by what it is shown") },
	},
	{
		forms: []string{"(by|for|per) [each|every] (member|members|asset|assets|holding|holdings)", "(of|by) its (members|holdings|assets)"},
		says:  func(p *parser, m match) { once(p, &p.asked.by, "member", m, "by what it is shown") },
	},
	{
		forms: []string{
			"[with|and|using|of] [a|an] (risk free|riskless|risk - free) [rate|return|asset] [from|of|is|:|=|series|as in] {column=seriescolumn}", "[with|and|using|take] {column=seriescolumn} as [the] (risk free|riskless) [rate|return]", "(in excess of|excess of|excess over|over) [series] {column=seriescolumn}",
		},
		says: func(p *parser, m match) {
			if key, ok := p.knownColumn(get[string](m.captures, "column"), m); ok {
				once(p, &p.asked.riskless, key, m, "the riskless rate")
			}
		},
	},
	{
		forms: []string{"over {y1=years} [windows]", "{y1=years} windows"},
		says:  func(p *parser, m match) { p.sayWindow(get[float64](m.captures, "y1"), m) },
	},
}

// questionDates say which years are used, or which times of stress.
var questionDates = []phrase{
	{
		forms: []string{"(from|between) {first=calendar} (to|until|till|through|and|-) {last=calendar}", "{first=calendar} (to|until|through|-) {last=calendar}"},
		says: func(p *parser, m match) {
			first, last := get[int](m.captures, "first"), get[int](m.captures, "last")
			if first > last {
				p.refuse(m.from, m.to, "", "the last year is before the first")
				return
			}
			once(p, &p.asked.first, first, m, "the first year")
			once(p, &p.asked.last, last, m, "the last year")
		},
	},
	{
		forms: []string{"[ever] (since|from|after beginning of|starting in|starting from|beginning in) {first=calendar} [on|onwards|onward]"},
		says:  func(p *parser, m match) { once(p, &p.asked.first, get[int](m.captures, "first"), m, "the first year") },
	},
	{
		forms: []string{"(until|till|through|up to|to end of) {last=calendar}"},
		says:  func(p *parser, m match) { once(p, &p.asked.last, get[int](m.captures, "last"), m, "the last year") },
	},
	{
		forms: []string{"[in|during|over|of|for|through] [year|years] {yearlist} [only|alone|crisis|crash|bear market]"},
		says:  func(p *parser, m match) { p.sayYears(get[[]int](m.captures, "yearlist"), m) },
	},
	{
		forms: []string{"[in|during|through|over] [the] (financial crisis|global financial crisis|great financial crisis|gfc|credit crisis|great recession|subprime crisis)"},
		says:  func(p *parser, m match) { p.sayYears([]int{2008}, m) },
	},
	{
		forms: []string{"[in|during|through|over] [the] (dot com crash|dot com bust|dot com bubble|dotcom crash|dotcom bust|dotcom bubble|tech crash|tech bubble)"},
		says:  func(p *parser, m match) { p.sayYears([]int{2000}, m) },
	},
	{
		forms: []string{"[in|during|through|over] [the] (covid|covid crash|corona crash|covid 19|covid 19 crash|pandemic|pandemic crash)"},
		says:  func(p *parser, m match) { p.sayYears([]int{2020}, m) },
	},
	{
		forms: []string{"[in|during|through|over|on] [the] (black monday|crash of 1987|1987 crash)"},
		says:  func(p *parser, m match) { p.sayYears([]int{1987}, m) },
	},
}

// sayMove says how far the members that were named since "if" move.
func (p *parser) sayMove(sign float64, m match) {
	a := p.asked
	p.expected = true
	move := sign * get[float64](m.captures, "level")
	before := len(a.moves)
	for _, x := range a.named {
		if x.role == moved && !slices.ContainsFunc(a.moves, func(s Shock) bool { return s.Key == x.key }) {
			a.moves = append(a.moves, Shock{x.key, move})
		}
	}
	switch {
	case len(a.moves) == before:
		p.refuse(m.from, m.to, "", "what moves? Say what happens to MOM if SPY falls by 20 %")
	case move < -1 || move > 10:
		p.refuse(m.from, m.to, "", "a factor falls by up to 100 %, or rises by up to 1000 %")
	}
}

// sayRule says by which rule regimes are told apart.
func (p *parser) sayRule(rule string, m match) {
	if a := p.asked; a.kind.there && a.kind.value != regimesKind {
		p.refuse(m.from, m.to, "", "regimes are a question of their own: how did MOM do in bear markets")
		return
	}
	once(p, &p.asked.rule, rule, m, "the rule of the regimes")
	p.asks(regimesKind, m)
}

// sayLevel says at which level losses are.
func (p *parser) sayLevel(m match) {
	v := get[float64](m.captures, "level")
	if v < .5 && v > 0 { // a 5 % value at risk is one at 95 %
		v = cents(1 - v)
	}
	if p.within(m, v, .5, .9999, "a level is from 50 % to 99.99 %") {
		once(p, &p.asked.level, v, m, "the level")
	}
}

// sayWindow adds a length of rolling windows.
func (p *parser) sayWindow(years float64, m match) {
	n := int(years)
	if float64(n) != years || n < 1 || n > 50 {
		p.refuse(m.from, m.to, "", "a rolling window is of whole years, from 1 to 50")
		return
	}
	for _, other := range p.asked.windows {
		if other == n {
			return
		}
	}
	p.asked.windows = append(p.asked.windows, n)
	p.asked.windowsFrom, p.asked.windowsTo = m.from, m.to
}

// sayYears says which years were meant.
func (p *parser) sayYears(years []int, m match) {
	a := p.asked
	if len(a.inYears) == 0 {
		a.inFrom = m.from
	}
	a.inTo = m.to
	a.inYears = append(a.inYears, years...)
}

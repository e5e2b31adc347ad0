package grammar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"ballast/optimize/estimate"
	"ballast/optimize/optimizer"
	"ballast/program/generate"
)

// optimizerWords is everything that can be said of optimizers.
var optimizerWords = sync.OnceValue(func() *language {
	return newLanguage(about{
		filler: optimizerFiller, introducing: set("in of on for to with"), hints: optimizerHints, accepted: acceptedOptimizers,
		money: "an amount of money is no part of an optimizer: leave it out",
		date:  "a date is no part of an optimizer: it sees the returns before each decision",
	}, objectivePhrases, optimizerLimits, capPhrases, boundsPhrases, estimatePhrases, namePhrases)
})

// optimizerFiller are words that may be anywhere in the description of an optimizer.
var optimizerFiller = set(`
	a an the this these my our i we you me please
	build make create give show want would like need should can could let
	optimizer optimiser optimize optimise portfolio portfolios allocation weights weight rule
	that which it its 's is are be being has have with and as at for by using use but subject to constraints constraint`)

// optimizerHints explain what optimizers do not take.
var optimizerHints = func() map[string]string {
	const (
		model = "an optimizer says which weights are best, and a model when they are taken: describe the model at POST /v1/models, with its members, optimized by this optimizer's name"
		views = "views and market weights are numbers by symbol: send them as the fields market and views of POST /v1/optimizers"
	)
	return map[string]string{
		"monthly": model, "weekly": model, "daily": model, "quarterly": model, "yearly": model, "rebalanced": model, "rebalance": model, "hold": model, "buy": model, "otherwise": model, "when": model, "if": model,
		"black litterman": views, "views": views, "market": views, "equal": "equal weights need no optimizer: say equal weight in the model",
	}
}()

// acceptedOptimizers are descriptions that are understood of optimizers.
var acceptedOptimizers = []string{
	"minimum variance, at most 40% each, called LOWVOL",
	"maximum Sharpe ratio with means and a shrinkage covariance over 252 days, between 5% and 40% each",
	"risk parity with an exponential covariance, half-life of 63 days",
	"hierarchical risk parity",
	"minimum CVaR, at most 25% in GLD, turnover at most 20%",
	"lowest risk for a return of 8% a year; highest return at a volatility of 10%",
	"mean variance with risk aversion 3, at most 60% in SPY and QQQ together, tracking error at most 4% to SPY",
	"maximum diversification, hold if nothing fits",
}

// optimum is what has been understood so far of an optimizer.
type optimum struct {
	objective  said[string]
	target     said[float64]
	covariance optimizer.Covariance
	estimated  said[bool] // something was said of the covariance
	expected   said[optimizer.Expected]
	lookback   said[span] // of both
	riskless   said[float64]
	turnover   said[float64]
	tracking   said[optimizer.Tracking]
	groups     []optimizer.Group
	fallback   said[string]
}

var objectivePhrases = []phrase{
	{forms: []string{"(minimum|min|minimal|lowest|least|smallest|minimize|minimise|minimizing|minimising) [portfolio] (variance|volatility|vol|risk)", "gmv", "global minimum variance"}, says: objective(optimizer.MinVariance)},
	{forms: []string{"(maximum|max|highest|best|maximize|maximise|maximizing|maximising) sharpe [ratio]", "tangency [portfolio]"}, says: objective(optimizer.MaxSharpe)},
	{forms: []string{"mean variance [optimal|optimum|optimized]", "markowitz"}, says: objective(optimizer.MeanVariance)},
	{forms: []string{"risk parity", "equal risk [contribution|contributions]", "erc"}, says: objective(optimizer.RiskParity)},
	{forms: []string{"(maximum|max|highest|most|maximize|maximise) (diversification|diversified) [ratio]"}, says: objective(optimizer.MaxDiversification)},
	{forms: []string{"hierarchical risk parity", "hrp"}, says: objective(optimizer.HRP)},
	{forms: []string{"(minimum|min|lowest|least|minimize|minimise) (cvar|expected shortfall|conditional value at risk|tail risk)"}, says: objective(optimizer.MinCVaR)},
	{
		forms: []string{"[lowest|least|minimum|min] [risk|variance|volatility] (for|at|with) (return|target return) of {pct} [a year|per year|annually]", "target return [of|:|=] {pct} [a year|per year|annually]", "{pct} target return"},
		says:  targeting(optimizer.TargetReturn),
	},
	{
		forms: []string{"[highest|most|maximum|max|best] [return] (for|at|with) (volatility|risk|vol|target volatility|target risk) of {pct} [a year|per year|annually]", "target (volatility|risk|vol) [of|:|=] {pct} [a year|per year|annually]", "{pct} target (volatility|risk|vol)"},
		says:  targeting(optimizer.TargetRisk),
	},
	{
		forms: []string{"[with] risk aversion [of|=|:|is] {num}"},
		says: func(p *parser, m match) {
			once(p, &p.draft.aversion, get[float64](m.captures, "num"), m, "a risk aversion")
		},
	},
}

func objective(name string) func(*parser, match) {
	return func(p *parser, m match) { once(p, &p.best.objective, name, m, "an objective") }
}

func targeting(name string) func(*parser, match) {
	return func(p *parser, m match) {
		once(p, &p.best.objective, name, m, "an objective")
		once(p, &p.best.target, get[float64](m.captures, "pct"), m, "a target")
	}
}

var optimizerLimits = []phrase{
	{
		forms: []string{"[with] (turnover|trading) (at most|limited to|capped at|max|maximum|no more than|up to|of at most|below|under) {pct}", "[with] [at most|max|maximum|no more than|up to] {pct} turnover", "max turnover [of] {pct}"},
		says: func(p *parser, m match) {
			once(p, &p.best.turnover, get[float64](m.captures, "pct"), m, "a limit of turnover")
		},
	},
	{
		forms: []string{"[with] tracking error (at most|limited to|capped at|max|maximum|no more than|up to|of at most|below|under|of) {pct} (to|against|of|versus|vs|from) {member}", "[at most|max|maximum|no more than] {pct} tracking error (to|against|of|versus|vs|from) {member}"},
		says: func(p *parser, m match) {
			r := get[reading](m.captures, "member")
			p.captureMember(m, r)
			once(p, &p.best.tracking, optimizer.Tracking{Benchmark: map[string]float64{r.key: 1}, Max: get[float64](m.captures, "pct")}, m, "a tracking error")
		},
	},
	{
		forms: []string{
			"[with] (at most|no more than|not more than|max|maximum|up to) {hi=pct} in {members} (together|combined|in total|altogether)", "[with] (at least|no less than|not less than|min|minimum) {lo=pct} in {members} (together|combined|in total|altogether)",
			"{members} (together|combined|in total) (at most|no more than|max|maximum|up to) {hi=pct}", "{members} (together|combined|in total) (at least|no less than|min|minimum) {lo=pct}",
		},
		says: func(p *parser, m match) {
			g := optimizer.Group{}
			for _, r := range get[[]reading](m.captures, "members") {
				p.captureMember(m, r)
				g.Members = append(g.Members, r.key)
			}
			if v := get[float64](m.captures, "hi"); m.has("hi") {
				g.Max = &v
			}
			if v := get[float64](m.captures, "lo"); m.has("lo") {
				g.Min = &v
			}
			p.best.groups = append(p.best.groups, g)
		},
	},
	{
		forms: []string{"hold (if|when) [nothing|none|no weights] (fits|fit|infeasible|possible)", "(if|when) (infeasible|nothing fits|no weights fit) (hold|keep) [what is held|current weights]", "fallback [to|:|is] hold"},
		says:  func(p *parser, m match) { once(p, &p.best.fallback, optimizer.FallbackHold, m, "a fallback") },
	},
	{
		forms: []string{"equal [weights|weight] (if|when) [nothing|none|no weights] (fits|fit|infeasible|possible)", "(if|when) (infeasible|nothing fits|no weights fit) equal (weights|weight)", "fallback [to|:|is] equal (weights|weight)"},
		says:  func(p *parser, m match) { once(p, &p.best.fallback, optimizer.FallbackEqualWeight, m, "a fallback") },
	},
}

var estimatePhrases = []phrase{
	{forms: []string{"[with] sample covariance [matrix]"}, says: estimator(estimate.Sample)},
	{forms: []string{"[with] (shrinkage|shrunk|ledoit wolf|ledoit and wolf 's|ledoit and wolf) [shrinkage] covariance [matrix]", "[with] (ledoit wolf|ledoit and wolf 's) shrinkage"}, says: estimator(estimate.LedoitWolf)},
	{forms: []string{"[with] (oas|oracle approximating) [shrinkage] covariance [matrix]"}, says: estimator(estimate.OAS)},
	{forms: []string{"[with] (exponential|exponentially weighted|ewma) covariance [matrix]"}, says: estimator(estimate.Exponential)},
	{forms: []string{"[with] (single index|market model) covariance [matrix]"}, says: estimator(estimate.SingleIndex)},
	{
		forms: []string{"[with] (half life|halflife) [of|:|=|is] {span}", "{span} (half life|halflife)"},
		says: func(p *parser, m match) {
			p.best.covariance.Halflife = float64(get[span](m.captures, "span").sessions)
			p.best.estimated = said[bool]{true, m.from, m.to, true}
		},
	},
	{
		forms: []string{"[estimated|measured|covariance|returns] (over|from|on) [last|past|trailing] {span} [of (returns|data|history)]", "[with] {span} (lookback|window|of returns|of data|of history)", "lookback [of|:|=|is] {span}"},
		says:  func(p *parser, m match) { once(p, &p.best.lookback, get[span](m.captures, "span"), m, "a lookback") },
	},
	{
		forms: []string{"[with] (mean|historical|average) [expected] returns", "[with] [historical] means", "expected returns from (means|history|averages)"},
		says: func(p *parser, m match) {
			once(p, &p.best.expected, optimizer.Expected{Estimator: optimizer.ExpectMean}, m, "expected returns")
		},
	},
	{
		forms: []string{"[with] (exponential|exponentially weighted) [expected] (returns|means)"},
		says: func(p *parser, m match) {
			once(p, &p.best.expected, optimizer.Expected{Estimator: optimizer.ExpectExponential}, m, "expected returns")
		},
	},
	{
		forms: []string{"[with] (riskless|risk free) (rate|return) [of|:|=|is] {pct} [a year|per year]"},
		says: func(p *parser, m match) {
			once(p, &p.best.riskless, get[float64](m.captures, "pct"), m, "a riskless rate")
		},
	},
	{
		forms: []string{"long only", "(no|without) (shorting|short selling|shorts|leverage)", "fully invested"},
		says:  func(p *parser, m match) { p.draft.longOnly = said[bool]{true, m.from, m.to, true} },
	},
}

func estimator(e estimate.Estimator) func(*parser, match) {
	return func(p *parser, m match) {
		if b := p.best; b.covariance.Estimator != "" && b.covariance.Estimator != e {
			p.refuse(m.from, m.to, "", "another covariance was given before")
			return
		}
		p.best.covariance.Estimator = e
		p.best.estimated = said[bool]{true, m.from, m.to, true}
	}
}

// UnderstandOptimizer reads the description of an optimizer. It fails with a
// *generate.NotUnderstood, or with the library's own error. The definition is not filled
// with its defaults.
func UnderstandOptimizer(ctx context.Context, library generate.Library, prompt string) (*generate.Optimizer, error) {
	p, err := begin(ctx, optimizerWords(), library, prompt)
	if err != nil {
		return nil, err
	}
	p.best = &optimum{}
	if err := p.parse(ctx); err != nil {
		return nil, fmt.Errorf("read a description: %w", err)
	}
	o := p.optimizer()
	if p.failure() != nil {
		return nil, p.suggest(ctx, library)
	}
	return o, nil
}

// UnderstandOptimizer implements generate.OptimizerReader.
func (Generator) UnderstandOptimizer(ctx context.Context, library generate.Library, prompt string) (*generate.Optimizer, error) {
	o, err := UnderstandOptimizer(ctx, library, prompt)
	var strange *generate.NotUnderstood
	if errors.As(err, &strange) {
		return nil, fitting(&generate.NotUnderstood{Words: slices.Clone(strange.Words), Accepted: strange.Accepted})
	}
	return o, err
}

// optimizer puts an optimizer together.
func (p *parser) optimizer() *generate.Optimizer {
	d, b := &p.draft, p.best
	if !b.objective.there && len(p.problems) == 0 {
		p.refuse(0, 0, "", "which weights are best? Say minimum variance, maximum Sharpe ratio, risk parity, maximum diversification, hierarchical risk parity or minimum CVaR")
		if len(p.problems) > 0 {
			p.problems[0].Text, p.problems[0].Length = "", 0
		}
	}
	for _, x := range d.parts {
		p.refuse(x.from, x.to, "", "an optimizer has no members of its own, other than in limits: name them in the model, optimized by this optimizer's name")
	}
	def := optimizer.Definition{Objective: b.objective.value}
	if b.target.there {
		def.Target = &b.target.value
	}
	if b.estimated.there || b.lookback.there {
		c := b.covariance
		c.Lookback = b.lookback.value.sessions
		if c.Estimator == "" && c.Halflife > 0 {
			c.Estimator = estimate.Exponential
		}
		def.Covariance = &c
	}
	if b.objective.value == optimizer.HRP && b.expected.there {
		p.refuse(b.expected.from, b.expected.to, "", "hierarchical risk parity takes no expected returns")
	}
	needs := map[string]bool{optimizer.MaxSharpe: true, optimizer.TargetReturn: true, optimizer.TargetRisk: true, optimizer.MeanVariance: true}[def.Objective]
	switch {
	case b.expected.there && !needs && def.Objective != "":
		p.refuse(b.expected.from, b.expected.to, "", "this objective takes no expected returns")
	case needs:
		e := b.expected.value
		if !b.expected.there {
			e.Estimator = optimizer.ExpectMean
		}
		e.Lookback = b.lookback.value.sessions
		if e.Estimator == optimizer.ExpectExponential {
			e.Halflife = b.covariance.Halflife
		}
		def.Expected = &e
	}
	if d.aversion.there {
		def.RiskAversion = d.aversion.value
		if def.Objective != optimizer.MeanVariance && def.Objective != "" {
			p.refuse(d.aversion.from, d.aversion.to, "", "risk aversion applies only to mean variance")
		}
	}
	p.optimizerBounds(&def)
	def.Groups = b.groups
	if b.turnover.there {
		def.Turnover = &optimizer.Turnover{Max: b.turnover.value}
	}
	if b.tracking.there {
		def.Tracking = &b.tracking.value
	}
	def.Riskless, def.Fallback = b.riskless.value, b.fallback.value
	name := d.symbol.value
	if d.name.there {
		name = d.name.value
	}
	return &generate.Optimizer{Name: name, Description: describeOptimizer(&def, b.expected.there), Definition: def}
}

// optimizerBounds sets the limits of all members and of single ones.
func (p *parser) optimizerBounds(def *optimizer.Definition) {
	d := &p.draft
	set := func(key string, lower, upper float64, from, to int) {
		if def.Bounds == nil {
			def.Bounds = map[string]optimizer.Bounds{}
		}
		b, ok := def.Bounds[key]
		if !ok {
			b = optimizer.Bounds{0, 1}
		}
		b = optimizer.Bounds{max(b[0], lower), min(b[1], upper)}
		if b[0] > b[1] {
			p.refuse(from, to, "", "no weight is within this limit and the one before")
		}
		def.Bounds[key] = b
	}
	if d.cap.there {
		set(optimizer.DefaultBounds, 0, d.cap.value, d.cap.from, d.cap.to)
	}
	for _, b := range d.bounds {
		key := b.key
		if key == "" {
			key = optimizer.DefaultBounds
		}
		set(key, b.lower, b.upper, b.from, b.to)
	}
}

// objectiveWords say the objectives.
var objectiveWords = map[string]string{
	optimizer.MinVariance: "The weights have the least variance", optimizer.MaxSharpe: "The weights have the highest ratio of expected return to risk", optimizer.TargetReturn: "The weights have the least risk for an expected return of %s a year",
	optimizer.TargetRisk: "The weights have the highest expected return for a volatility of %s a year", optimizer.MeanVariance: "The weights have the best of expected return less risk aversion times half the variance", optimizer.RiskParity: "Each member contributes the same risk",
	optimizer.MaxDiversification: "The weights have the highest ratio of the members' own risks to that of the whole", optimizer.HRP: "The weights are those of hierarchical risk parity", optimizer.MinCVaR: "The weights have the least conditional value at risk",
}

// describeOptimizer says what was understood.
func describeOptimizer(d *optimizer.Definition, expected bool) string {
	objective := objectiveWords[d.Objective]
	if d.Target != nil {
		objective = fmt.Sprintf(objective, percent(*d.Target))
	}
	lines := []string{objective + "."}
	if c := d.Covariance; c != nil {
		name := map[estimate.Estimator]string{estimate.Sample: "the sample covariance", estimate.OAS: "the covariance with oracle approximating shrinkage", estimate.Exponential: "an exponentially weighted covariance", estimate.SingleIndex: "the covariance of a single-index model"}[c.Estimator]
		if name == "" {
			name = "the covariance with the shrinkage of Ledoit and Wolf"
		}
		if c.Halflife > 0 {
			name += fmt.Sprintf(" with a half-life of %s", sessions(int(c.Halflife)))
		}
		if c.Lookback > 0 {
			name += " over " + sessions(c.Lookback)
		}
		lines = append(lines, "Risk is measured by "+name+".")
	}
	if d.Expected != nil {
		how := "the means of past returns"
		if d.Expected.Estimator == optimizer.ExpectExponential {
			how = "exponentially weighted means of past returns"
		}
		if !expected {
			how += ", since nothing was said of them"
		}
		lines = append(lines, "Expected returns are "+how+".")
	}
	lines = append(lines, limitLines(d)...)
	return strings.Join(lines, "\n")
}

// limitLines say the limits of an optimizer.
func limitLines(d *optimizer.Definition) (lines []string) {
	var list []Bound
	for _, key := range sortedKeys(d.Bounds) {
		name := key
		if key == optimizer.DefaultBounds {
			name = "each"
			if len(d.Bounds) > 1 {
				name = "each other member"
			}
		}
		list = append(list, Bound{name, d.Bounds[key][0], d.Bounds[key][1]})
	}
	if len(list) > 0 {
		lines = append(lines, "Weights: "+boundsInWords(list)+".")
	}
	for _, g := range d.Groups {
		switch {
		case g.Max != nil:
			lines = append(lines, fmt.Sprintf("%s together have at most %s.", and(g.Members), percent(*g.Max)))
		case g.Min != nil:
			lines = append(lines, fmt.Sprintf("%s together have at least %s.", and(g.Members), percent(*g.Min)))
		}
	}
	if d.Turnover != nil {
		lines = append(lines, "At most "+percent(d.Turnover.Max)+" is traded at once.")
	}
	if d.Tracking != nil {
		lines = append(lines, fmt.Sprintf("The tracking error to %s is at most %s a year.", and(sortedKeys(d.Tracking.Benchmark)), percent(d.Tracking.Max)))
	}
	if d.Riskless != 0 {
		lines = append(lines, "The riskless rate is "+percent(d.Riskless)+" a year.")
	}
	switch d.Fallback {
	case optimizer.FallbackHold:
		lines = append(lines, "If no weights fit, what is held stays.")
	case optimizer.FallbackEqualWeight:
		lines = append(lines, "If no weights fit, they are equal.")
	}
	return lines
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

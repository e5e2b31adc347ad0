package grammar

import (
	"fmt"
	"math"
)

// settingPhrases specify how long and from what a plan runs, and how futures are drawn.
var settingPhrases = []phrase{
	{
		forms: []string{
			"[run|do|make|a|show] monte carlo [simulation|simulations|analysis|study|run|test] [of|with|for|on] [{capital} [in|into|of]]", "(simulate|simulating|simulation of|simulations of|simulation) [{capital} [in|into|of]]",
			"retirement (simulation|calculator|planner)", "(forecast|project) [the] (value|growth|future) of",
		},
		says: func(p *parser, m match) {
			p.future.simulates, p.expected = true, true
			if m.has("capital") {
				p.say(&p.future.start, get[float64](m.captures, "capital"), m, "the start value")
			}
			for i := m.from; i < m.to; i++ {
				if p.tokens[i].is("carlo") {
					p.future.random = said[bool]{true, m.from, m.to, true}
				}
			}
		},
	},
	{
		forms: []string{
			"[for|over|during|lasting|within|across|throughout|in] [(next|another|exactly|a period of|horizon of|period of|course of|total of|all of)] {years} [plan|horizon|retirement|period|time horizon|simulation|retirement horizon|retirement period|long retirement|of retirement|in retirement|time frame|timeframe|long]",
			"[with|over|for] (horizon|period|time horizon|length|duration|time frame) [of|:|is|=] {years}",
			"(last|lasts|lasting|to last|should last|must last|has to last|needs to last) [me|us] [for] {years}",
		},
		says: func(p *parser, m match) { p.lasts(get[float64](m.captures, "years"), m) },
	},
	{
		forms: []string{"[and] (then|afterwards|after that|thereafter|followed by|after which|later)", "and after that"},
		says: func(p *parser, m match) {
			f := p.future
			if len(f.payments) == 0 || f.payments[len(f.payments)-1].phase != f.phase() && len(f.phases) > 0 {
				p.refuse(m.from, m.to, "", "after what? Say what comes first, and how long: save 1,000 a month for 20 years, then withdraw 40,000 a year for 30 years")
				return
			}
			f.current()
			f.phases = append(f.phases, duration{})
		},
	},
	{
		forms: []string{
			"(start|starting|starts|started|begin|beginning|begins|began) (with|from|at|on|of) [a|an] [portfolio|balance|value|capital|lump sum|initial] [of|worth] {capital}",
			"(with|from|of|on|have|has|having|own|out of) [a|an] [portfolio|nest egg|lump sum|savings|pot|balance] [of|worth] {capital} [portfolio|saved|invested|in savings|in assets|nest egg|to start [with]|to begin with|at start|initially|starting capital|lump sum|in (portfolio|account|bank)|retirement savings|savings|pot] [today|now|already]",
			"[a|an|my] (portfolio|nest egg|lump sum|pot|retirement savings|savings pot|savings balance|balance) (of|worth|:|=) {capital}",
			"[a|an|my] {capital} (portfolio|nest egg|starting balance|start value|starting value|initial investment|lump sum|initial portfolio|starting portfolio|pot|balance|in savings|saved|invested|starting capital|retirement portfolio|initial balance)",
			"[an] (initial|starting|start|opening|beginning) (investment|balance|portfolio|amount|capital|value|sum|portfolio value|pot) [of|:|is|=|at] {money}",
			"(retire|retiring|retired) (with|on) [a|an] [portfolio|nest egg|pot] [of|worth] {capital} [portfolio|saved|nest egg|invested]",
			"(invest|investing|put in|deposit) [a|an] [lump sum|initial sum] [of] {capital} [up front|upfront|at start|initially|today|now|as lump sum]",
			"i've [got] {capital} [saved|invested|in savings]", "start value {money}", "{capital} (in|into|invested in|to start|to start with|to begin with|initially|at start)", "{capital}",
		},
		says: func(p *parser, m match) {
			if _, end := p.capital(m.from); end == m.to && m.from > 0 && p.at(m.from-1).kind != line {
				p.refuse(m.from, m.to, "", "what is this amount for? Say starting with it, withdraw it a year, or save it a month")
				return
			}
			v := get[float64](m.captures, "capital") + get[float64](m.captures, "money")
			if p.within(m, v, 0, 1e15, "the start value is from 0 to 10^15") {
				p.say(&p.future.start, v, m, "the start value")
			}
			p.expected = true
		},
	},
	{
		forms: []string{"(start|starting|begin|beginning) (with|from|at|on) (nothing|zero|0|no money|scratch)", "(no|zero) (initial|starting) (investment|balance|savings|value)"},
		says:  func(p *parser, m match) { p.say(&p.future.start, 0, m, "the start value") },
	},
	{
		forms: []string{
			"(until|till|before) [i|we|it|there|portfolio|value|my portfolio|balance] (have|has|reach|reaches|get to|gets to|hit|hits|own|is|are|is worth|grows to|saved) [saved] [is|worth] {money}", "[with|to|and] [my|a] (goal|target) [is|of|:|=] [to reach] {money}", "to (reach|get to|hit|save) {money}",
			"(when|how soon|how long until|how long before|how long till|in how many years|how many years until) (will|would|do|can|could) [i|we|it|my portfolio|portfolio] (reach|have|hit|get to|be worth) {money} [if [i|we]|by|when [i|we]|with]",
			"how long (does|will|would|do) it take [me|us] [for me] to (reach|save|get to|have) {money} [if [i|we]|by|when [i|we]|with]",
		},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "money")
			if p.within(m, v, 1e-9, 1e15, "a goal is above 0 and up to 10^15") {
				p.say(&p.future.goal, v, m, "a goal")
			}
		},
	},
	{
		forms: []string{"(at|from|starting at|starting from|beginning at|retire at|retiring at|retired at|at the) age [of] {n}", "aged {n}", "(i am|i'm|we are|we're|i ' m) [now|currently] [age|aged] {n} [years old]", "(retire|retiring|retired) at {n}", "age [of|:|is|=] {n}", "{n} years old", "{n} year old [retiree|person|couple]", "my age is {n}"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			once(p, &p.future.age, get[int](m.captures, "n"), m, "the age")
		},
	},
	{
		forms: []string{"from age [of] {n} (to|until|till|through|-) [age] {end=n}"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			once(p, &p.future.age, get[int](m.captures, "n"), m, "the age")
			once(p, &p.future.endAge, get[int](m.captures, "end"), m, "until when it lasts")
		},
	},
	{
		forms: []string{"[lasting|to last|last|lasts|live|living] (to|until|till|through|up to) age [of] {n}", "(until|till) (i am|i'm|we are|my) [age|aged] {n}", "(living|live|lives) (to|until|till) [be|age] {n}", "life expectancy of {n} [years]"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			once(p, &p.future.endAge, get[int](m.captures, "n"), m, "until when it lasts")
		},
	},
	{
		forms: []string{"[lasting|last] (until|till|through|up to) {calendar}"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			once(p, &p.future.endYear, get[int](m.captures, "calendar"), m, "until when it lasts")
		},
	},
	{
		forms: []string{
			"[and|with|after|at|minus|less] [a|an] [{pct}|{points}] [annual|yearly|management|advisory|total|platform|fund|advisor|adviser|investment|portfolio] (fee|fees|cost|costs|expense ratio|expenses|expense ratios|ter|management fee|aum fee|charge|charges|drag) [a year|per year|annually|p.a.|each year]",
			"[and|with|after|at|minus|less] [a|an] [annual|yearly|management|advisory|total|platform|fund|advisor|adviser|investment|portfolio] (fee|fees|cost|costs|expense ratio|expenses|expense ratios|ter|charge|charges) [of|at|:|=|is|are] ({pct}|{points}) [a year|per year|annually|each year]",
		},
		says: func(p *parser, m match) {
			if !m.has("pct") && !m.has("points") {
				p.refuse(m.from, m.to, "", "how much? Say with a fee of 0.5 % a year")
				return
			}
			v := get[float64](m.captures, "pct") + get[float64](m.captures, "points")
			if p.within(m, v, 0, 1, "a fee is from 0 % to 100 % a year") {
				p.say(&p.future.fee, v, m, "a fee")
			}
		},
	},
	{ // without fees, without inflation
		forms: []string{"(no|without|zero) (fee|fees|costs)"},
		says:  func(p *parser, m match) { p.say(&p.future.fee, 0, m, "a fee") },
	},
	{
		forms: []string{"(no|without|zero) inflation"},
		says:  func(p *parser, m match) { p.say(&p.future.inflate, 0, m, "inflation") },
	},
	{
		forms: []string{
			"[and|with|at|assume|assuming|an|for|expecting] [a|an] [annual|yearly|constant] inflation [rate] [of|at|is|=|:|running at] {pct} [a year|per year|annually]",
			"[and|with|at|assume|assuming|an|expecting] [a|an] {pct} [annual|yearly] inflation [rate] [a year|per year]",
			"[and|with|assume|assuming] prices (rise|rising|that rise) [by|at] {pct} [a year|per year|annually]",
		},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "pct")
			if p.within(m, v, 0, 1, "inflation is from 0 % to 100 % a year") {
				p.say(&p.future.inflate, v, m, "inflation")
			}
		},
	},
	{ // inflation from CPI.ALL
		forms: []string{
			"[and|with|at|assume|assuming|use|using|take|draw|drawn] [real|actual|historical|past] inflation [rate|rates|series|data|figures] (from|of|is|=|:|as in|by|as|according to|given by|measured by) [series|column] {prices=column}",
			"[and|with|use|using|take] [series|column] {prices=column} (as|for) [real|actual|historical|past] inflation [rate|rates|series|data]",
			"[and|with|assume|assuming] prices (from|of|rise with|rising with|rise by|rise as|rising by|follow|following|as in|according to) [series|column] {prices=column}",
		},
		says: func(p *parser, m match) { p.sayPrices(m) },
	},
	{
		forms: []string{
			"[with|using|run|over|across|on] {count} [random|simulated|monte carlo|possible|different] (paths|path|simulations|simulation|runs|trials|scenarios|futures|iterations|draws|sims)", "(number of|with) (paths|simulations|trials|runs|scenarios) [of|:|=|is] {count}", "paths [:|=] {count}", "{count} times",
		},
		says: func(p *parser, m match) {
			n := get[int](m.captures, "count")
			if p.within(m, float64(n), 100, 100_000, "from 100 to 100,000 paths are computed") {
				p.future.simulates = true
				once(p, &p.future.paths, n, m, "the number of paths")
			}
		},
	},
	{
		forms: []string{"[with|using|and] [a|random] (seed|random seed|seed number) [of|:|=|is|number] {n}"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			once(p, &p.future.seed, get[int](m.captures, "n"), m, "the seed")
		},
	},
	{
		forms: []string{"(with|at|for|given) [a|an] {pct} (chance|probability|likelihood|rate|certainty|confidence|level) [of] [success|confidence|certainty|succeeding|survival|not running out|not running out of money|that it lasts|rate]", "(with|at|for) [a|an] {pct} (success|confidence|certainty|safety|success rate|success probability|confidence level)", "[with|at|for] [a] (success rate|success probability|probability of success|chance of success|confidence|confidence level|success) [of|:|=] {pct}", "[and|to] be {pct} (sure|certain|confident|safe)"},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "pct")
			if p.within(m, v, 0.01, 1, "a chance of success is from 1 % to 100 %") {
				p.say(&p.future.success, v, m, "the chance of success")
			}
		},
	},
	{
		forms: []string{
			"(how much|what) (can|could|may|should|might) [i|we|one|you|someone] [safely] (spend|withdraw|take out|draw|take|live on|afford to spend|afford) [safely] [{per=per}]", "how much is (safe|it safe) to (withdraw|spend|take out) [{per=per}]",
			"[what is|what 's|find|show|calculate] [the|my] (safe|sustainable|maximum safe|max safe|highest safe|maximum) (withdrawal|spending) (rate|amount)", "swr", "[what is] [the] safemax",
		},
		says: func(p *parser, m match) {
			p.future.simulates = true
			p.future.spending = said[bool]{true, m.from, m.to, true}
		},
	},
	{
		forms: []string{
			"(will|would|does|can|could|do) [the|my|our|it|this] (money|portfolio|savings|it|nest egg|pot|retirement money|assets) last [me|us] [if i|if we|when i|when we]", "how long (will|would|does|do|can) [the|my|our|it|this] (money|portfolio|savings|it|nest egg|pot|assets) last [me|us] [if i|if we|when i|when we]",
			"(how long will|how long would|how long does|will|would|can) {capital} last [me|us] [if i|if we|when i|when we|if]", "[when] (will|do) [i|we] run out [of money] [if i|if we]", "(what is|what 's) [the|my] (chance|probability) [that] (of success|the money lasts|my money lasts|of running out|of running out of money|it lasts|of not running out of money|of ruin) [if i|if we]",
		},
		says: func(p *parser, m match) {
			p.future.simulates = true
			p.future.lasting = said[bool]{true, m.from, m.to, true}
			if m.has("capital") {
				p.say(&p.future.start, get[float64](m.captures, "capital"), m, "the start value")
			}
		},
	},
	{
		forms: []string{"(if|when) (i|we|you|it)"},
		says: func(p *parser, m match) {
			if f := p.future; !f.lasting.there && !f.goal.there {
				p.refuse(m.from, m.to, "", "a plan has no conditions: say what is withdrawn or saved")
			}
		},
	},
	{
		forms: []string{"[a|my|early|in|during|for|fire] (retire|retiring|retired|retirement|early retirement|fire) [plan|now|today|early|income]"},
		says:  func(p *parser, _ match) { p.future.simulates, p.future.retires = true, true },
	},
	{
		forms: []string{"[a|our|my|for|child 's|kid 's|daughter 's|son 's] {purpose=fund} [:]"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			once(p, &p.future.purpose, get[string](m.captures, "purpose"), m, "a purpose")
		},
	},
	{
		forms: []string{"(<rebalance>) [it|them|portfolio|weights] [back] [to targets|to target|to weights] [on|at] [a|an] {often} [basis|schedule]", "{often} (rebalance|rebalanced|rebalancing|rebalances)", "rebalancing [:|is|frequency|period] {often}"},
		says:  func(p *parser, m match) { p.rebalances(get[string](m.captures, "often"), m) },
	},
	{
		forms: []string{"buy and hold", "(never|not|no|without|do not|don't) [ever] [any] (rebalance|rebalanced|rebalancing|rebalances)"},
		says:  func(p *parser, m match) { p.rebalances("never", m) },
	},
}

// lasts sets how long the current phase lasts.
func (p *parser) lasts(years float64, m match) {
	p.future.simulates = true
	if years != math.Trunc(years) {
		p.refuse(m.from, m.to, "", "a plan lasts whole years")
		return
	}
	if !p.within(m, years, 1, mostYears, "a plan lasts from 1 to 200 years") {
		return
	}
	once(p, &p.future.current().said, years, m, "how long it lasts")
}

// rebalances sets how often the members are brought back to their weights.
func (p *parser) rebalances(often string, m match) {
	once(p, &p.future.rebalance, often, m, "how often to rebalance")
}

// oftenAt reads how often the members are brought back to their weights.
func (p *parser) oftenAt(at int) (any, int) {
	if p.at(at).is("once") {
		at++
	}
	v, end := p.perYear(at)
	if end == 0 {
		if t := p.at(at); t.is("every") && p.at(at+1).value == 3 && p.at(at+2).is("months") {
			return "quarterly", at + 3
		}
		if t := p.at(at); (t.is("daily") || t.is("weekly")) && t.kind == word {
			return t.lower, at + 1
		}
		return nil, 0
	}
	return map[float64]string{1: "yearly", 4: "quarterly", 12: "monthly"}[v.(float64)], end
}

// purposes are funds of saving whose payments are spent.
var purposes = spellings(`college fund, college savings, college plan, college, college costs, education fund, education savings, education, university fund, university savings, university, school fund, wedding fund, house fund, 529 plan, tuition fund`)

// sourcePhrases specify where a path's months come from.
var sourcePhrases = []phrase{
	{
		forms: []string{
			"[what if|as if|if|what would have happened if|how would it have been if|what happened if] [i|we|you|one|someone|people] [had|have|has] (retired|started|begun|stopped working|quit) [in|at|at start of|on] (each|every|any) [past|possible|single] (month|start|starting month) [since {since=calendar}]",
			"[starting|beginning|retiring|retired|for|over|of|using|with|on|through|from|in] (all|every|each|any) [possible|past|historical] (past start|past starts|start|starts|starting point|starting points|starting month|starting months|start dates|start date|historical periods|historical period|historical cycle|historical cycles|historical start|past month|month) [since {since=calendar}]",
			"[using|with|on|over|through|by|from|against|across] [rolling|actual|all] (historical cycles|historical sequences|historical sequence|historical simulation|historical simulations|historical periods|rolling periods|historical backtest|historical backtesting|history as it was|history|cfiresim|firecalc|sequences of history|past cycles|backtest) [since {since=calendar}]",
			"source history",
		},
		says: func(p *parser, m match) {
			p.from("history", m)
			if m.has("since") {
				p.sinceYear(m)
			}
			for i := m.from; i < m.to; i++ {
				if p.tokens[i].is("retired") || p.tokens[i].is("retiring") {
					p.future.retires = true
				}
			}
		},
	},
	{
		forms: []string{"[with|using|on|from|by|of|data|returns|months] [data|returns|months] since {since=calendar}"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			p.sinceYear(m)
		},
	},
	{
		forms: []string{"[using|with|on|from|by|drawn from] [past|historical|actual] (historical|past|actual) (returns|data|months|monthly returns)"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			p.future.past = said[bool]{true, m.from, m.to, true}
		},
	},
	{
		forms: []string{"[using|with|by|on|from|a|via|source] [stationary] (bootstrap|bootstraps|bootstrapped|bootstrapping|resampled|resampling) [returns|history|historical returns|simulation|months] [with [mean] (block|blocks|block length) [length] [of] [on average] {block=blockmonths} [on average]]", "[using|with|by|on|from|a|via|source] stationary [block] bootstrap [with [a] (mean|average) (block|blocks|block length) [length] [of] {block=blockmonths}]", "source stationary"},
		says:  func(p *parser, m match) { p.from("stationary", m) },
	},
	{
		forms: []string{
			"[using|with|by|on|from|a|via|source] [circular] block [circular] (bootstrap|bootstraps|bootstrapped|bootstrapping|resampling) [(with|of|using|in) {block=blockmonths} (blocks|block)|(with|of|using|in) (blocks|block|block length|a block length|block size|a block size) [of|:] {block=blockmonths}|with {block=blockmonths}]",
			"[using|with|by|on|from|a|via] {block=blockmonths} block (bootstrap|bootstraps|bootstrapped|bootstrapping|resampling)", "source circular",
		},
		says: func(p *parser, m match) { p.from("circular", m) },
	},
	{
		forms: []string{"[with|using|in|of] {block=blockmonths} blocks", "[with|using|in] (blocks|block length|a block|block size) of {block=blockmonths}", "[with|using] [a] (mean|average) block [length] of {block=blockmonths}"},
		says:  func(p *parser, m match) { p.blockOf(m) },
	},
	{
		forms: []string{"[using|with|by|on|from|via] (independent|iid|i . i . d .|single|independently drawn) (months|draws|returns|monthly returns|bootstrap|monthly draws|months drawn)", "[draw|drawing|with|using] months (independently|one by one)", "source independent"},
		says:  func(p *parser, m match) { p.from("independent", m) },
	},
	{
		forms: []string{"[using|with|by|on|from|via|assuming|a|source|drawn from] [a] (normal distribution|normally distributed|normal|gaussian distribution|gaussian|parametric) [returns|distribution|model|months|monthly returns]"},
		says:  func(p *parser, m match) { p.from("normal", m) },
	},
	{
		forms: []string{"[using|with|by|on|from|via|assuming|a|source|drawn from] [a] (student t|student 's t|students t|t distribution|t distributed|fat tailed|fat tails|fat tail|student t distribution|student 's t distribution|student_t) [distribution|returns|distributed|months|monthly returns|model]"},
		says:  func(p *parser, m match) { p.from("student_t", m) },
	},
}

// from sets where a path's months come from.
func (p *parser) from(source string, m match) {
	p.future.simulates, p.expected = true, true
	once(p, &p.future.source, source, m, "where the returns come from")
	if m.has("block") {
		p.blockOf(m)
	}
}

func (p *parser) blockOf(m match) {
	v := get[float64](m.captures, "block")
	if v != math.Trunc(v) || v < 1 || v > 1200 {
		p.refuse(m.from, m.to, "", "a block has from 1 to 1,200 whole months")
		return
	}
	p.say(&p.future.block, v, m, "the length of blocks")
}

func (p *parser) sinceYear(m match) {
	year := get[int](m.captures, "since")
	if year > p.future.year {
		p.refuse(m.from, m.to, "", fmt.Sprintf("%d is in the future", year))
		return
	}
	once(p, &p.future.since, year, m, "since when")
}

// glidePhrases say that the weights change over the plan.
var glidePhrases = []phrase{
	{
		forms: []string{
			"[with|a|using|on] [a] [glide path|glidepath|glide|gliding|shifting|moving|going] [:] from {a=pct} [in|of] {member} [down|up] to {b=pct} [in|of] [{same=member}] [over [a|the] {years}]",
			"[with|a|using|on] [a] [glide path|glidepath|glide|gliding|shifting|moving|going] [:] from {ra=ratio} [down|up] to {rb=ratio} [over [a|the] {years}] [in|of]",
			"[with|a|using|on] [a] [glide path|glidepath|glide|gliding|shifting|moving|going] [:] [from] {a=pct} {member} (to|gliding to|moving to|shifting to|falling to|rising to|declining to) {b=pct} [in|of] [{same=member}] [over [a|the] {years}]",
		},
		keeps: true,
		says:  func(p *parser, m match) { p.glide(m) },
	},
	{
		forms: []string{"[with|a|using|on] [a] (glide path|glidepath)"},
		says: func(p *parser, m match) {
			if !p.future.glide.there {
				p.refuse(m.from, m.to, "", "from what to what? Say from 90% SPY to 40% SPY over 30 years, the rest AGG")
			}
		},
	},
}

// glide takes the beginning and the end of a glide path.
func (p *parser) glide(m match) {
	p.closeShares()
	p.future.simulates = true
	g := glideWords{years: get[float64](m.captures, "years")}
	if g.years != math.Trunc(g.years) || g.years > mostYears {
		p.refuse(m.from, m.to, "", "a glide path takes from 1 to 200 whole years")
		return
	}
	b := p.openBlock(m.from)
	if len(b.entries) > 0 && !m.has("ra") {
		p.refuse(m.from, m.to, "", "name the member of the glide path in it, and the others after it: from 90% SPY to 40% SPY, the rest AGG")
		return
	}
	if m.has("ra") {
		g.from, g.to = get[[]float64](m.captures, "ra"), get[[]float64](m.captures, "rb")
		once(p, &p.future.glide, g, m, "a glide path")
		waiting := len(b.entries)
		if waiting == 0 {
			p.shares = shares{open: true, ratio: g.from, from: m.from, lastAt: m.to, groups: p.shares.groups}
			p.expected = true
			return
		}
		if waiting != 2 {
			p.refuse(m.from, m.to, "", "a ratio is of two members")
			return
		}
		for i := range b.entries {
			if b.entries[i].has {
				p.refuse(m.from, m.to, "", "the shares were said before: say them in the glide path alone")
				return
			}
			b.entries[i].weight, b.entries[i].has = g.from[i], true
		}
		return
	}
	g.member = get[reading](m.captures, "member")
	g.from, g.to = []float64{get[float64](m.captures, "a")}, []float64{get[float64](m.captures, "b")}
	if r := get[reading](m.captures, "same"); r.key != "" && r.key != g.member.key {
		p.refuse(m.from, m.to, "", "a glide path changes the share of one member, and the rest goes to another: from 90% SPY to 40% SPY, the rest AGG")
		return
	}
	if g.from[0] > 1 || g.to[0] > 1 {
		p.refuse(m.from, m.to, "", "shares of a glide path are at most 100 %")
		return
	}
	once(p, &p.future.glide, g, m, "a glide path")
	if g.member.unknown {
		p.unknownMember(m.from, g.member)
	}
	p.draft.parts[len(p.draft.parts)-1].to = m.to
	b.entries = append(b.entries, entry{reading: g.member, from: m.from, upto: m.to, weight: g.from[0], has: true, own: true})
	p.expected = true
}

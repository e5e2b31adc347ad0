package grammar

// simulateMacros are parts of forms of simulations.
var simulateMacros = map[string]string{
	"spend":   `(withdraw|withdraws|withdrawing|withdrawn|withdrawal|withdrawals|spend|spends|spending|expenses|draw|draws|drawing|draw down|drawing down|take out|taking out|takes out|take|taking|live on|living on|live off|living off|pay out|paying out|payout|payouts|distribution|distributions|distribute|distributing)`,
	"save":    `(save|saves|saving|savings|contribute|contributes|contributing|contribution|contributions|deposit|deposits|depositing|add|adds|adding|put in|putting in|pay in|paying in|put away|putting away|set aside|setting aside|put aside|invest|invests|investing|dollar cost average|dca)`,
	"real":    `{real} [(of|at) [rate of] {inflation=pct} [a year|per year|annually]|(of|from|by|as in|according to|measured by|using) [series] {prices=column}]`,
	"begin":   `(from|starting|starting in|starting at|starting from|beginning|beginning in|beginning at|beginning from|commencing|as of|as from|that starts in|that starts at|that begins in|that begins at|which starts in|which starts at)`,
	"end":     `(to|until|till|through|thru|-|up to|up until|ending in|ending at)`,
	"from to": `(between {first=point} and {last=bound}|([starting] from|from|starting in|beginning in|in) {first=point} <end> {last=bound}|<begin> {first=point} for {length=years}|for {length=years} (<begin>|from) {first=point}|<begin> {first=point} (on|onward|onwards|onwards on|and after)|<begin> {first=point})`,
	"in year": `(in|at|at end of|at start of|at beginning of) {first=point}`,
	"growing": `(growing|rising|increasing|raised|increased|that grows|growing at|rising at|increasing at) [by] {growth=pct} [a year|per year|annually|each year|every year]`,
}

// paymentPhrases specify what is withdrawn and paid in.
var paymentPhrases = []phrase{
	{ // a share of something: withdraw 4 % a year; 5 % of the portfolio each year
		forms: []string{
			"[{per=per}] <spend> [a|an|initial|constant|fixed|steady] [<real>] [of|at|:|is|=] [<real>] {pct} [{base=base}|of {capital}] [<real>] [{per=per}] [{base=base}] [<real>]",
			"[{per=per}] [initial|fixed|constant|a] [<real>] {pct} [{base=base}] [<real>] [{per=per}] [initial|fixed|constant] (withdrawal|withdrawals|withdrawal rate|withdrawal strategy|spending|spending rate|draw|drawdown rate) [{base=base}] [{per=per}] [{base=base}] [<real>]",
			"[starting|beginning|start] [with|at|from] [a|an] [initial|starting|fixed|constant|annual|first] (withdrawal rate|spending rate|withdrawal percentage) [of|at|:|is|=] {pct} [{base=base}] [{per=per}] [{base=base}] [<real>]",
			"(starting|beginning|start) (at|with) {pct} [{base=base}] [a year|per year]",
			"{pct} {base=base} {per=per}",
			"{pct} {per=per} {base=base}",
		},
		says: func(p *parser, m match) {
			x := p.paymentOf(m)
			x.way = leaves
			if m.has("capital") {
				p.say(&p.future.start, get[float64](m.captures, "capital"), m, "the start value")
				x.base = startBase
			}
			p.pay(p.rateOf(x, m), m)
		},
	},
	{ // a constant percentage of 5 %
		forms: []string{
			"(fixed|constant) percentage [withdrawal|withdrawals|withdrawal strategy|withdrawal rule|strategy|rule] [of|at|:] {pct} [{base=base}] [{per=per}] [{base=base}]",
			"{pct} (fixed|constant) percentage [withdrawal|withdrawals|strategy|rule] [{per=per}]",
			"percentage of portfolio [withdrawal|withdrawals|strategy|rule|method] [,] [of|at|:|with] {pct} [{per=per}]",
		},
		says: func(p *parser, m match) {
			x := p.paymentOf(m)
			if x.way = leaves; x.base == unsaidBase {
				x.base = portfolioBase
			}
			p.pay(p.rateOf(x, m), m)
		},
	},
	{ // the 4% rule
		forms: []string{"[using|with|by|following|under|use|follow|apply|on|bengen 's] [the] {pct} (rule|swr|safe withdrawal rate|bengen rule)"},
		says: func(p *parser, m match) {
			p.pay(payment{way: leaves, rate: get[float64](m.captures, "pct"), perYear: 1, base: startBase, real: said[bool]{true, m.from, m.to, true}}, m)
		},
	},
	{ // withdraw 40,000 a year
		forms: []string{
			"[{per=per}] <spend> [<real>] [of|:|is|=|at] [<real>] {money} [<real>] [{per=per}] [<real>] [<from to>] [<real>]",
			"{money} [<real>] [{per=per}] [<real>] [of] (withdrawal|withdrawals|spending|expenses|distributions|in withdrawals|in spending|in expenses) [<real>] [{per=per}] [<real>] [<from to>] [<real>]",
		},
		says: func(p *parser, m match) { p.payMoney(m, leaves) },
	},
	{ // save 1,000 a month
		forms: []string{
			"[{per=per}] <save> [<real>] [of|:|is|=|at] [<real>] {money} [<real>] [{per=per}] [<real>] [<growing>] [<from to>] [<real>] [<growing>]",
			"{money} [<real>] [{per=per}] [<real>] [of|in] (contribution|contributions|savings|deposits) [<real>] [{per=per}] [<growing>] [<from to>]",
			"{per=per} investment of {money} [<real>] [<growing>] [<from to>]",
		},
		says: func(p *parser, m match) { p.payMoney(m, comesIn) },
	},
	{ // a pension of 20,000 a year from year 10
		forms: []string{
			"[plus|and|with|add|adding|also] [a|an|my|our|her|his|some|receiving|getting|receive|get] [<real>] {about=pension} [<real>] (of|:|is|=|at|worth|paying|pays) [<real>] {money} [<real>] [{per=per}] [<real>] [<from to>] [<real>]",
			"[plus|and|with|also] [a|an|my|our|receiving|getting|receive|get] {money} [<real>] [{per=per}] [<real>] (of|in|from|as) [my|our|a|an] {about=pension} [<real>] [<from to>] [<real>]",
			"[plus|and|with|also] [a|an|my|our|receiving|getting|receive|get] {money} [<real>] {per=per} {about=pension} [<real>] [<from to>] [<real>]",
			"[plus|and|with|also] [a|an|my|our|receiving|getting|receive|get] {about=pension} [<real>] [<from to>] (of|:|is|=|at|worth|paying) {money} [<real>] [{per=per}] [<real>]",
		},
		says: func(p *parser, m match) { p.payMoney(m, comesIn) },
	},
	{ // a one-off expense of 50,000 in year 5
		forms: []string{
			"[plus|and|with|also] [a|an] {once=single} {about=expense} (of|:|is|=|at) {money} [<real>] [<in year>] [<real>]",
			"[plus|and|with|also] [a|an] {money} [<real>] {once=single} {about=expense} [<in year>] [<real>]",
			"[plus|and|with|also] [a|an] {once=single} {money} {about=expense} [<in year>] [<real>]",
			"[plus|and|with|also] [a|an] {once=true} {about=expense} (of|:|=) {money} [<real>] <in year> [<real>]",
			"[plus|and|with|also] [a|an] {once=single} (withdraw|withdrawing|spend|spending|take out) [of] {money} [<real>] [<in year>] [<real>]",
		},
		says: func(p *parser, m match) { p.payMoney(m, leaves) },
	},
	{
		forms: []string{
			"[plus|and|with|also] [a|an|receiving|receive] [{once=single}] {about=receipt} (of|:|is|=|worth) {money} [<real>] <in year> [<real>]",
			"[plus|and|with|also] [a|an|receiving|receive] {money} [<real>] [{once=single}] {about=receipt} [<real>] <in year> [<real>]",
			"[plus|and|with|also] [a|an|receiving|receive] {once=single} {about=receipt} (of|:|is|=|worth) {money} [<real>] [<in year>] [<real>]",
		},
		says: func(p *parser, m match) {
			x := p.paymentOf(m)
			x.once = true
			p.payIn(x, m, comesIn)
		},
	},
	{ // 40,000 a year from 2034 to 2038; a one-off 50,000 in year 5
		forms: []string{
			"[plus|and|with|also] {money} [<real>] {per=per} [<real>] [<from to>] [<real>]",
			"[plus|and|with|also] [a|an] {once=single} {money} [<real>] [<in year>] [<real>]",
			"[plus|and|with|also] {money} [<real>] {once=single} [<in year>] [<real>]",
		},
		says: func(p *parser, m match) { p.payMoney(m, unsaidDirection) },
	},
	{ // 3 % inflation is another matter; this says of what was said that it rises
		forms: []string{"[and|but|all|with|amounts|all amounts|withdrawals|spending|which is|that is|each|it is] [are|is] <real>"},
		says:  func(p *parser, m match) { p.adjusted(m) },
	},
	{
		forms: []string{"[{per=per}] <spend> [money] [{per=per}] (by|using|with|following|according to|under|via|based on|from)"},
		says: func(p *parser, m match) {
			p.future.simulates = true
			p.future.verb = said[bool]{true, m.from, m.to, true}
			if n := get[float64](m.captures, "per"); n > 0 {
				p.setStep(n, m)
			}
		},
	},
}

// payMoney adds an amount.
func (p *parser) payMoney(m match, way direction) { p.payIn(p.paymentOf(m), m, way) }

// payIn adds an amount that goes one way.
func (p *parser) payIn(x payment, m match, way direction) {
	x.way = way
	if a, ok := captured(m.captures, "about"); ok {
		x.about = a
	}
	switch {
	case x.once && x.perYear > 0:
		p.refuse(m.from, m.to, "", "once, or every year? Say one of the two")
		return
	case x.once && x.first == nil:
		p.refuse(m.from, m.to, "", "when? Say in year 5, or in 2030")
		return
	case x.once && (x.last != nil || x.length > 0):
		p.refuse(m.from, m.to, "", "a one-off payment is in one year")
		return
	case !x.once && x.perYear == 0:
		p.refuse(m.from, m.to, "", "how often? Say a year or a month; or one-off, and in which year")
		return
	}
	p.pay(x, m)
}

// captured returns the text of a value.
func captured(c captures, name string) (string, bool) {
	s, ok := "", false
	for _, x := range c {
		if x.name == name {
			s, ok = x.value.(string)
		}
	}
	return s, ok
}

// rateOf makes a yearly rate of what was said.
func (p *parser) rateOf(x payment, m match) payment {
	if x.perYear == 0 {
		x.perYear = 1
	}
	if x.perYear > 1 && x.base == portfolioBase {
		p.setStep(x.perYear, m)
	}
	x.rate = cents(x.rate * x.perYear)
	return x
}

// setStep sets how often the rule decides.
func (p *parser) setStep(perYear float64, m match) {
	step := map[float64]string{1: "yearly", 4: "quarterly", 12: "monthly"}[perYear]
	once(p, &p.future.often, step, m, "how often it is decided")
}

// adjusted says of what was said before whether it rises with prices.
func (p *parser) adjusted(m match) {
	f := p.future
	real := said[bool]{get[bool](m.captures, "real"), m.from, m.to, true}
	if m.has("inflation") {
		p.say(&f.inflate, get[float64](m.captures, "inflation"), m, "inflation")
	}
	if m.has("prices") {
		p.sayPrices(m)
	}
	var open []*payment
	for i := range f.payments {
		if x := &f.payments[i]; !x.real.there {
			open = append(open, x)
		}
	}
	switch {
	case len(f.payments) == 0:
		f.unreal = &real
	case len(open) == 0:
		last := &f.payments[len(f.payments)-1]
		if last.real.value != real.value {
			p.refuse(m.from, m.to, "", "whether it rises with prices was said before, differently")
		}
	case len(open) > 1 && !real.value:
		p.refuse(m.from, m.to, "", "which of the payments? Say it of each: 40,000 a year, not adjusted for inflation")
	default:
		for _, x := range open {
			x.real = real
		}
	}
}

// single, expense and the like are slots that read a word of a list and keep it.
func (p *parser) named(at int, list [][]string) (any, int) {
	end := 0
	for _, words := range list {
		if e, ok := p.spelt(at, words); ok && e > end {
			end = e
		}
	}
	if end == 0 {
		return nil, 0
	}
	return p.text(at, end), end
}

var (
	singles  = spellings("one off, one time, onetime, single, once, lump sum")
	expenses = spellings("expense, expenses, cost, costs, payment, purchase, withdrawal, spending, outflow, bill, college, college costs, tuition, car, house, home, house purchase, wedding, renovation, roof, down payment")
	receipts = spellings("inheritance, windfall, gift, bonus, deposit, contribution, inflow, house sale, home sale, sale of a house, sale of the house, insurance payout, severance, lump sum received")
	pensions = spellings(`pension, pensions, social security, social security benefits, state pension, annuity, annuity income, rental income, rent, rents, part time income, part time job, part time work, salary, wages, side income, other income, income,
		government pension, company pension, pension income`)
)

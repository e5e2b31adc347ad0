package grammar

import (
	"math"
	"strings"
)

// schedulePhrases say when decisions are taken and filled.
var schedulePhrases = []phrase{
	{forms: periods("daily", "daily|every [trading] day|each [trading] day|once a day|every session|each session"), says: schedule("daily")},
	{forms: periods("weekly", "weekly|every week|each week|once a week|once per week|week by week"), says: schedule("weekly")},
	{forms: periods("monthly", "monthly|every month|each month|once a month|once per month|month by month"), says: schedule("monthly")},
	{forms: periods("quarterly", "quarterly|every quarter|each quarter|once a quarter|once per quarter|every (3|three) months"), says: schedule("quarterly")},
	{forms: periods("yearly", "yearly|annually|annual|every year|each year|once a year|once per year|every (12|twelve) months"), says: schedule("yearly")},
	{ // in February and August; quarterly in February; the first trading day of January
		forms: []string{
			"<rebalance> [it|them] [only] [{per=period}] [,] [on|at] [{n=ordinal} [trading|business] (day|session|close) (of|in)|{end=end} of] [in|every|each|starting in|beginning in] {months} [each year|every year|of each year|of every year|annually]",
			"[on|at] {n=ordinal} [trading|business] (day|session|close) (of|in) {months} [each year|every year|of each year|of every year|annually]",
			"{per=period} [,] in {months}", "(every|each) {months}",
			"{per=period} [<rebalance>] [on|at] [{n=ordinal} [trading|business] (day|session|close) (of|in)|{end=end} of] [in|every|each|starting in|beginning in] {months}",
		},
		says: func(p *parser, m match) { p.inMonths(m) },
	},
	{forms: periods("semi", "semiannually|semi annually|semiannual|semi annual|semi yearly|half yearly|twice a year|twice per year|twice yearly|biannually|every (6|six) months|every half year|(two|2) times (a|per) year|2 x (a year|per year)"), says: everyMonths(6, 12)},
	{forms: periods("four", "every (4|four) months|(three|3) times (a|per) year|3 x (a year|per year)"), says: everyMonths(4, 8, 12)},
	{forms: periods("two", "every (2|two) months|every (other|second) month|bimonthly|six times a year"), says: everyMonths(2, 4, 6, 8, 10, 12)},
	{
		forms: []string{
			"[<rebalance>] [it] [them] [on|at] {n=ordinal} [trading|business|calendar] (day|session|close) (of|in) [each|every] {unit}",
			"[<rebalance>] [it] [them] [on|at] [each|every] {unit=unit} 's {n=ordinal} [trading|business] (day|session)",
		},
		says: func(p *parser, m match) {
			n := get[int](m.captures, "n")
			if p.calendarDay(m, n) {
				return
			}
			once(p, &p.draft.schedule, Schedule{Every: everyUnit(get[int](m.captures, "unit")), Session: n}, m, "a schedule")
		},
	},
	{
		forms: []string{"[<rebalance>] (daily|weekly|monthly|quarterly|yearly|annually|(every|once a|once per) (week|month|quarter|year)) [,] [on|at] {n=ordinal} [trading|business] (day|session)"},
		says: func(p *parser, m match) {
			every := ""
			for i := m.to - 1; i >= m.from; i-- {
				switch w := p.at(i).lower; w {
				case "daily", "weekly", "monthly", "quarterly", "yearly":
					every = w
				case "week", "month", "quarter", "year", "annually":
					every = map[string]string{"week": "weekly", "month": "monthly", "quarter": "quarterly", "year": "yearly", "annually": "yearly"}[w]
				}
			}
			once(p, &p.draft.schedule, Schedule{Every: every, Session: get[int](m.captures, "n")}, m, "a schedule")
		},
	},
	{
		forms: []string{"[<rebalance>|hold|holds|holding|held|keep|kept] [it|them] for (next|following|coming|one) {unit}", "(hold|holds|holding|held|keep|kept) [it|them] for {unit}"},
		says: func(p *parser, m match) {
			once(p, &p.draft.schedule, Schedule{Every: everyUnit(get[int](m.captures, "unit")), Session: -1}, m, "a schedule")
		},
	},
	{
		forms: []string{"[<rebalance>] [it] [them] [on|at] {n=ordinal} {weekday} (of|in) [each|every] [month|quarter|year]", "[<rebalance>] [it] [them] [on|at] {n=ordinal} {weekday} (each|every) (month|quarter|year)"},
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "a schedule cannot count the weekdays of a month: say every Friday, or the first trading day of each month")
		},
	},
	{
		forms: []string{"(first|last|final) [{n}] [trading|business|calendar] days of [each|every] month", "(first|last) week of [each|every] month", "turn of [each|every] month [effect|strategy|anomaly]", "(last|first) {n=n} (and|to) (first|last) {m=n} [trading|business] days of [each|every] month"},
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "how many sessions are left of a month is not known in advance: say it by the date, as in SPY from the 26th to the 4th, otherwise BIL")
		},
	},
	{
		forms: []string{
			"[<rebalance>] [it] [them] [on|at] [each|every] {unit} (end|ends)", "[<rebalance>] [it] [them] [on|at] end of [each|every] {unit}",
			"[<rebalance>] [it] [them] [on|at] [each|every] {unit} close",
		},
		says: func(p *parser, m match) {
			once(p, &p.draft.schedule, Schedule{Every: everyUnit(get[int](m.captures, "unit")), Session: -1}, m, "a schedule")
		},
	},
	{
		forms: []string{"[<rebalance>] [it] [them] [on|at] (beginning|start) of [each|every] {unit}", "[<rebalance>] [it] [them] [on|at] [each|every] {unit} start"},
		says: func(p *parser, m match) {
			once(p, &p.draft.schedule, Schedule{Every: everyUnit(get[int](m.captures, "unit")), Session: 1}, m, "a schedule")
		},
	},
	{
		forms: []string{"[<rebalance>] [it] [them] [weekly] [on] [every|each] {weekday}", "[<rebalance>] [it] [them] [weekly] (on|every|each) {weekday} [close|closes]", "[<rebalance>] [it] [them] once a week on {weekday}"},
		says: func(p *parser, m match) {
			once(p, &p.draft.schedule, Schedule{Every: "weekly", Session: -1, Weekday: get[string](m.captures, "weekday")}, m, "a schedule")
		},
	},
	{
		forms: []string{
			"[fill|filled|trade|trading|traded|trades|execute|executed|executing|execution|enter|buy|orders] [filled|executed] [at|on|with] [close of] next [trading|business] (close|day|session|day 's close|session 's close|day close|morning 's close)",
			"[fill|filled|trade|trading|traded|execute|executed|executing|execution] [one|1] (day|session) (later|after|afterwards|after signal|after decision|after each signal)",
			"[with] [one|1] (day|session) (lag|delay|execution lag|execution delay)", "next (day|session|close) (execution|fill|fills|trading)", "[with] next day execution",
			"[fill|filled|trade|traded|trading|execute|executed] [at|on] following (close|day|session|day 's close)",
			"[with] lag of (one|1) (day|session)", "[fill|filled|trade|traded|trading|execute|executed] day after [signal|decision]",
		},
		says: fill("next_close"),
	},
	{
		forms: []string{"[fill|filled|trade|traded|trading|execute|executed] [at|on] (same|that) (day|day 's close|close|session)", "[filled|traded|trading|execute|executed|trade] at close"},
		says:  fill("close"),
	},
	{
		forms: []string{
			"buy and hold", "(never|do not|don't|dont|not|no|without) [ever] [any] (rebalance|rebalanced|rebalancing|rebalances|trade|traded|trading)",
			"set and forget", "(and|&) (chill|forget [it])", "let it (drift|run)", "(never|not) [ever] touched again", "buy once [and hold]", "bought once", "[hold] (forever|for ever)", "no rebalance", "never [ever] sell",
		},
		says: func(p *parser, m match) { once(p, &p.draft.hold, true, m, "how to rebalance") },
	},
	{
		forms: []string{
			"[only] [<rebalance>] [only] [back] [when|whenever|if|once] [<any>] [<holding>|allocation|weights|it] (drifts|drift|deviates|deviate|is off|are off) [by] [more than|over|at least|beyond|outside|further than] <band> [<drift end>]",
			"[only] [<rebalance>] [only] [back] (when|whenever|if|once) [<any>] [<holding>|allocation|weights|it] (moves|strays|wanders|differs|is|are) [by] [more than|over|at least|beyond|outside|further than] <band> <drift end>",
			"[with|using] <band> [rebalancing|rebalance|tolerance|drift|no trade] (band|bands|tolerance|threshold|corridor)",
			"[with|using] [rebalancing|rebalance|tolerance|drift|no trade] (band|bands|tolerance|threshold|corridor|corridors) (of|at|:|=|is) [+ / -] <band>", "[with|using] (tolerance|threshold|band) [<rebalance>] [of|at|:|with] <band>",
			"drift based (rebalancing|rebalance) (at|of|with|on) <band>",
			"<rebalance> [only] (at|on) <band> [drift|deviation|deviations]", "[but|and] [only] [if|when] drift (exceeds|is above|is over|is more than|of more than|is greater than|above|over) <band>",
			"[but|and] (skip|skipping|skipped|ignore|ignoring) [it|trades|trading|rebalancing|that] (when|if|while|whenever) [drift|drifts|<any> <holding> (drifts|is off)] [is|are] (under|below|less than|smaller than|at most) <band>",
			"[only] <rebalance> [only] (if|when|whenever|once) {banded=member} [has] (drifts|drift|deviate|move|stray|drifted|deviates|moves|strays|wanders|is off) [by] [more than|over|at least|beyond|further than] <band> [<drift end>]",
			"[with|using] <band> [rebalancing|rebalance|tolerance|drift] (band|bands|tolerance|threshold) (on|for) {banded=member}",
			"[<rebalance>] [only] (if|when|whenever) off by [more than] <band> <drift end>",
			"<rebalance> [only] (if|when|whenever) off [{target}] by [more than] <band>",
			"[only] <rebalance> [only] (if|when|whenever|once) [<any>] [<holding>|allocation|weights|it] [is|are] [more than|over|at least] <band> (off|away|out) [of|from] [{target}|balance|line]",
		},
		says: func(p *parser, m match) {
			b := Band{Size: get[float64](m.captures, "size") + get[float64](m.captures, "points"), Relative: m.has("relative") || m.has("target") && !m.has("points") && !m.has("absolute")}
			if m.has("relative") && (m.has("points") || m.has("absolute")) {
				p.refuse(m.from, m.to, "", "points are relative to equity, a relative band to each target: say a 5 point band, or a 20% relative band")
				return
			}
			if r := get[reading](m.captures, "banded"); r.key != "" {
				p.captureMember(m, r)
				b.Key = r.key
			}
			if p.bounded(m, b.Size, 0.001, 1, "a band", "0.1 % and 100 %") {
				once(p, &p.draft.band, b, m, "a band")
			}
		},
	},
	{
		forms: []string{
			"[only] [<rebalance>] [only] (if|when|whenever|once) [<any>] [<holding>|weight of|allocation to|share of] [{banded=member}] ['s] [weight|share|allocation] [<is>|exceeds] [above|over|more than] {high=pct} or [<is>] (below|under|less than) {low=pct}",
			"[only] [<rebalance>] [only] (if|when|whenever|once) [<any>] [<holding>|weight of|allocation to|share of] [{banded=member}] ['s] [weight|share|allocation] [<is>] (below|under|less than) {low=pct} or [<is>|exceeds] [above|over|more than] {high=pct}",
			"[with|using] {low=pct} (/|to|and|-) {high=pct} [rebalancing|rebalance|tolerance] (bands|band)",
		},
		says: func(p *parser, m match) {
			low, high := get[float64](m.captures, "low"), get[float64](m.captures, "high")
			if low >= high {
				p.refuse(m.from, m.to, "", "the lower end of a band is below the upper one: say below 15% or above 35%")
				return
			}
			b := Band{Size: math.Round((high-low)/2*1e6) / 1e6}
			if r := get[reading](m.captures, "banded"); r.key != "" {
				p.captureMember(m, r)
				b.Key = r.key
			}
			once(p, &p.draft.band, b, m, "a band")
			p.draft.around = math.Round((high+low)/2*1e6) / 1e6
		},
	},
	{
		forms: []string{
			"or [else] [<rebalance>] (if|when|whenever|once) [<any>] [<holding>|allocation|weights|it] [drifts|drift|deviates|moves|is|are] [off] [by] [more than|over|at least] <band> [off|away|out] [<drift end>]",
			"or (at|on) <band> [drift|deviation]",
		},
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "a band suppresses trades and adds none: say how often it is checked, such as monthly with a 5% band")
		},
	},
	{
		forms: []string{"[with|using|by] 5 / 25 (rule|band|bands|rebalancing|tolerance) [rule|band|bands]", "(band|bands|tolerance) of 5 / 25"},
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "a band is relative either to equity or to each target: say a 5% band, or a 25% relative band")
		},
	},
	{
		forms: []string{"(reinvest|reinvesting|reinvests) [all] dividends", "[with] [all] dividends [are] reinvested"},
		says: func(p *parser, _ match) {
			p.draft.notes = append(p.draft.notes, "Returns are total returns: dividends are reinvested.")
		},
	},
	{
		forms: []string{"[<rebalance>] [it|them] [on|at] {n=ordinal} of [each|every] {unit}"},
		says: func(p *parser, m match) {
			n := get[int](m.captures, "n")
			if !p.calendarDay(m, n) {
				once(p, &p.draft.schedule, Schedule{Every: everyUnit(get[int](m.captures, "unit")), Session: n}, m, "a schedule")
			}
		},
	},
	{
		forms: []string{"[<rebalance>] [it|them] (every|each) {n} {unit}"},
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "this schedule is not supported: say daily, weekly, monthly, quarterly, yearly, or every two, four or six months")
		},
	},
	{
		forms: []string{"(signal|signals|condition|conditions|rule|rules|ranking|rankings|scores) [are|is] (checked|evaluated|reviewed|computed|calculated|updated|measured)", "<rebalance> [it|them]", "<rebalance> (to|back to) [these|those] (target|targets|weights|target weights)", "rebalancing [frequency|period|schedule|interval] [:|is]", "frequency", "schedule [:]"},
		says:  func(*parser, match) {},
	},
}

var scheduleMacros = map[string]string{
	"band":      `((<points>|{size=pct}) [{relative=w:relative}|<absolute>] [points]|({relative=w:relative}|<absolute>) ({size=pct}|<points>)|{size=pct} of {target}|{size=division} of {target})`,
	"points":    `{points}`,
	"absolute":  `({absolute=w:absolute}|in {absolute=w:absolute} terms|of {absolute=w:portfolio}|of {absolute=w:equity})`,
	"drift end": `({relative=w:relative} to {target}|[away] (from|off|of) [{target}] [{relative=w:relative}|<absolute>]|out of (line|balance)|away|either way)`,
}

// periods returns the forms of a word for a frequency.
func periods(_, words string) []string {
	w := "(" + words + ")"
	return []string{
		w, "<rebalance> [it|them|back] [portfolio|weights] [to (target|targets|weights)] [on|at] [a|an] " + w + " [basis|schedule|rebalancing|rebalance|frequency]",
		w + " [basis] (<rebalance>|schedule|rebalances|decisions|basis)",
	}
}

// calendarDay refuses the n-th day of a period unless it is a trading day.
func (p *parser) calendarDay(m match, n int) bool {
	text := p.text(m.from, m.to)
	if n == 0 || n == 1 || n == -1 || strings.Contains(text, "trading") || strings.Contains(text, "session") || strings.Contains(text, "business") {
		return false
	}
	p.refuse(m.from, m.to, "", "calendar days cannot be counted: say the "+nth(n)+" trading day")
	return true
}

func schedule(every string) func(*parser, match) {
	return func(p *parser, m match) {
		once(p, &p.draft.schedule, Schedule{Every: every, Session: -1}, m, "a schedule")
	}
}

func everyMonths(months ...int) func(*parser, match) {
	return func(p *parser, m match) {
		once(p, &p.draft.schedule, Schedule{Every: "monthly", Session: -1, Months: months}, m, "a schedule")
	}
}

func everyUnit(sessions int) string {
	return map[int]string{1: "daily", 5: "weekly", 21: "monthly", 63: "quarterly", 252: "yearly"}[sessions]
}

func fill(value string) func(*parser, match) {
	return func(p *parser, m match) { once(p, &p.draft.fill, value, m, "when trades are filled") }
}

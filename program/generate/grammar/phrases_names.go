package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// namePhrases say what the model is called.
var namePhrases = []phrase{
	{
		forms: []string{"[and] (called|named|titled|entitled) [it|as] {title}", "(name|call|title) (it|this|model|strategy|portfolio|this model|this strategy) [is|as|:|=] {title}", "[with] (name|title) [is|:|=|of] {title}", "under name [of] {title}"},
		says: func(p *parser, m match) {
			name := strings.TrimSpace(get[string](m.captures, "title"))
			if name == "" || utf8.RuneCountInString(name) > longestName || strings.ContainsFunc(name, unicode.IsControl) {
				p.refuse(m.from, m.to, "", "a name has 1 to 100 characters")
				return
			}
			once(p, &p.draft.name, name, m, "a name")
		},
	},
	{
		forms: []string{"[and|with|under|using] (symbol|ticker|ticker symbol) [is|:|=|of] {code}", "[and] (its|with its) (symbol|ticker) [is|:|=] {code}"},
		says: func(p *parser, m match) {
			symbol := get[string](m.captures, "code")
			if !symbolForm.MatchString(symbol) || symbol == "CASH" {
				p.refuse(m.from, m.to, "", "a symbol is a capital letter and up to 11 capitals, digits, dots and hyphens, and not CASH")
				return
			}
			if _, held := p.members.known[symbol]; held && p.isMemberOfList(m) {
				return
			}
			once(p, &p.draft.symbol, symbol, m, "a symbol")
		},
	},
	{
		forms: []string{"long only", "(no|without|never) (shorting|short selling|shorts|short positions|short sales)"},
		says:  func(p *parser, m match) { once(p, &p.draft.longOnly, true, m, "what is not sold short") },
	},
}

const longestName = 100

// isMemberOfList reports whether "ticker SPY" only says what SPY is.
func (p *parser) isMemberOfList(m match) bool {
	return p.at(m.from).is("ticker") && p.shares.open
}

// hints explain what to do about things that the grammar cannot do.
var hints = map[string]string{
	"stop loss": "there are no stop losses: a condition is looked at when decisions are taken", "stop": "there are no stop losses: a condition is looked at when decisions are taken",
	"trailing stop": "there are no stop losses: a condition is looked at when decisions are taken",
	"options":       "there are no options: hold assets and models", "option": "there are no options: hold assets and models",
	"calls": "there are no options: hold assets and models", "puts": "there are no options: hold assets and models",
	"intraday": "decisions are taken at a session's close, daily at the most often", "hourly": "decisions are taken at a session's close, daily at the most often",
	"every hour": "decisions are taken at a session's close, daily at the most often", "every minute": "decisions are taken at a session's close, daily at the most often",
	"biweekly": "every other week cannot be said to the calendar: say weekly or monthly", "fortnightly": "every other week cannot be said to the calendar: say weekly or monthly",
	"twice a month": "twice a month cannot be said to the calendar: say weekly or monthly", "twice a week": "twice a week cannot be said to the calendar: say weekly or daily",
	"twice": "twice cannot be said to the calendar, but for twice a year", "twice monthly": "twice a month cannot be said to the calendar: say weekly or monthly",
	"every other week": "every other week cannot be said to the calendar: say weekly or monthly", "every two weeks": "every other week cannot be said to the calendar: say weekly or monthly",
	"every second week": "every other week cannot be said to the calendar: say weekly or monthly", "every 2 weeks": "every other week cannot be said to the calendar: say weekly or monthly",
	"p/e": "scripts see prices alone, no fundamentals", "pe": "scripts see prices alone, no fundamentals", "earnings": "scripts see prices alone, no fundamentals",
	"valuation": "scripts see prices alone, no fundamentals", "fundamentals": "scripts see prices alone, no fundamentals", "dividend": "returns are total returns already, and scripts see no dividends",
	"dividends": "returns are total returns already, and scripts see no dividends", "yield": "scripts see prices alone, no yields", "inflation": "scripts see prices alone, no economic series",
	"unemployment": "scripts see prices alone, no economic series", "vix": "say which asset, or a volatility target", "fees": "fees and costs are laid over a result when it is read",
	"commission": "fees and costs are laid over a result when it is read", "commissions": "fees and costs are laid over a result when it is read", "slippage": "fees and costs are laid over a result when it is read",
	"costs": "fees and costs are laid over a result when it is read", "tax": "taxes are no part of a model", "taxes": "taxes are no part of a model",
	"since": "a date is no part of a model: where a run begins is its input start_date", "from": "say which members: from SPY, EFA and EEM",
	"random": "there is no chance in a model", "randomly": "there is no chance in a model", "sentiment": "scripts see prices alone", "news": "scripts see prices alone",
	"sharpe": "the highest Sharpe ratio is not among the weightings: mean variance, minimum variance, risk parity, inverse volatility, equal", "max sharpe": "the highest Sharpe ratio is not among the weightings: mean variance, minimum variance, risk parity, inverse volatility, equal",
	"maximum sharpe": "the highest Sharpe ratio is not among the weightings: mean variance, minimum variance, risk parity, inverse volatility, equal",
	"market cap":     "market values are not known to scripts: say equally, or the shares", "cap weighted": "market values are not known to scripts: say equally, or the shares",
	"kelly": "Kelly's criterion is not among the weightings", "sell": "say what is held instead: otherwise BIL, or otherwise cash", "or": "or is a choice: say when it is the one and when the other",
	"fee": "fees and costs are laid over a result when it is read", "expense": "fees and costs are laid over a result when it is read",
	"euros": noCurrency, "euro": noCurrency, "currency": noCurrency, "hedged": noCurrency, "unhedged": noCurrency, "eur": noCurrency,
	"only":       "only what? Say 100% SPY, only if positive, or only when above its 200-day moving average",
	"contribute": noFlows, "contributions": noFlows, "deposit": noFlows, "deposits": noFlows, "withdraw": noFlows, "withdrawals": noFlows, "withdrawing": noFlows, "contributing": noFlows,
	"drawdown": "there is no condition on drawdowns: say above its 200-day moving average, or a volatility target", "drawdowns": "there is no condition on drawdowns: say above its 200-day moving average, or a volatility target",
	"worst": noLosers, "bottom": noLosers, "losers": noLosers, "weakest": noLosers, "lowest": noLosers, "loser": noLosers,
	"parts": "say percentages, or fractions such as two thirds", "ratio": "say percentages, or 60/40",
	"mid month": "days of the calendar are not counted: say the first, the last or the 10th trading day of the month",
	"gem":       "Antonacci's Global Equities Momentum comes with members of its own: say antonacci's GEM, or describe the rule in full",
	"exit":      "say what is held instead: otherwise BIL, or otherwise cash",
}

const (
	noCurrency = "returns are those of the catalog's prices, in their own currency: nothing is converted or hedged"
	noFlows    = "money put in or taken out is no part of a model: weights are fractions of what there is. A plan that saves or withdraws is a simulation: POST /v1/simulations"
	noLosers   = "members are chosen by the highest momentum, not by the lowest"
)

var hinted = func() map[string]bool {
	words := map[string]bool{}
	for text := range hints {
		for w := range strings.FieldsSeq(text) {
			words[w] = true
		}
	}
	return words
}()

// accepted lists phrases that the grammar understands.
var accepted = []string{
	"60% SPY and 40% AGG, rebalanced quarterly",
	"60/40 SPY/AGG",
	"equal weight SPY, EFA and AGG",
	"50% SPY, 20% GLD, the rest in BIL",
	"buy and hold 70% SPY and 30% IEF",
	"rebalance when any weight drifts more than 5 points",
	"every Friday; on the first trading day of the month; at month end; twice a year",
	"trade at the next close",
	"top 3 of SPY, EFA, EEM, AGG and GLD by 12 month momentum, skipping the last month, monthly",
	"only with positive momentum, otherwise BIL",
	"dual momentum with SPY and EFA, BIL as the hurdle, otherwise AGG",
	"hold SPY when above its 200 day moving average, otherwise BIL",
	"equal weight SPY, EFA and IEF, each only while above its 10 month average",
	"SPY on a golden cross, otherwise AGG",
	"SPY when its 14 day RSI is below 30, otherwise cash",
	"inverse volatility, risk parity, minimum variance or mean variance of SPY, TLT and GLD over 60 days",
	"target 10% volatility with at most 2x leverage",
	"no more than 25% in any asset",
	"1.5x leverage; 130% SPY, short 30% IWM",
	`50% "My model" and 50% SPY`,
	"60/40, permanent portfolio, all weather, golden butterfly, three-fund and other well-known portfolios",
	`called "Steady", symbol STDY`,
}

package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// namePhrases give the model a name or a symbol.
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
		forms: []string{"{pct} [withdrawal|spending] rule"},
		says:  func(p *parser, m match) { p.refuse(m.from, m.to, "", noFlows) },
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
	"stop loss": "stop losses are not supported: conditions are checked only when decisions are taken", "stop": "stop losses are not supported: conditions are checked only when decisions are taken",
	"trailing stop": "stop losses are not supported: conditions are checked only when decisions are taken",
	"options":       "options are not supported: a model holds assets and models", "option": "options are not supported: a model holds assets and models",
	"calls": "options are not supported: a model holds assets and models", "puts": "options are not supported: a model holds assets and models",
	"intraday": "decisions are taken at a session's close, at most once a day", "hourly": "decisions are taken at a session's close, at most once a day",
	"every hour": "decisions are taken at a session's close, at most once a day", "every minute": "decisions are taken at a session's close, at most once a day",
	"biweekly": "a schedule cannot be every other week: say weekly or monthly", "fortnightly": "a schedule cannot be every other week: say weekly or monthly",
	"twice a month": "a schedule cannot be twice a month: say weekly or monthly", "twice a week": "a schedule cannot be twice a week: say weekly or daily",
	"twice": "a schedule cannot be twice a period, except twice a year", "twice monthly": "a schedule cannot be twice a month: say weekly or monthly",
	"every other week": "a schedule cannot be every other week: say weekly or monthly", "every two weeks": "a schedule cannot be every other week: say weekly or monthly",
	"every second week": "a schedule cannot be every other week: say weekly or monthly", "every 2 weeks": "a schedule cannot be every other week: say weekly or monthly",
	"p/e": "scripts have only prices, no fundamentals", "pe": "scripts have only prices, no fundamentals", "earnings": "scripts have only prices, no fundamentals",
	"valuation": "scripts have only prices, no fundamentals", "fundamentals": "scripts have only prices, no fundamentals", "dividend": "returns are total returns, which include dividends; scripts do not have dividends of their own",
	"dividends": "returns are total returns, which include dividends; scripts do not have dividends of their own", "yield": "scripts have only prices, no yields", "inflation": "scripts have only prices, no economic series",
	"unemployment": "scripts have only prices, no economic series", "vix": "say which asset, or a volatility target", "fees": "fees and costs are not part of a model: give them when you read its history",
	"commission": "fees and costs are not part of a model: give them when you read its history", "commissions": "fees and costs are not part of a model: give them when you read its history", "slippage": "fees and costs are not part of a model: give them when you read its history",
	"costs": "fees and costs are not part of a model: give them when you read its history", "tax": "taxes are not part of a model", "taxes": "taxes are not part of a model",
	"since": "a date is no part of a model: where a run begins is its input start_date", "from": "say which members: from SPY, EFA and EEM",
	"random": "a model cannot use chance", "randomly": "a model cannot use chance", "sentiment": "scripts have only prices", "news": "scripts have only prices",
	"sharpe": sharpeOptimizer, "max sharpe": sharpeOptimizer,
	"maximum sharpe":           sharpeOptimizer,
	"hierarchical risk parity": otherOptimizer, "hierarchical": otherOptimizer, "hrp": otherOptimizer, "max diversification": otherOptimizer, "maximum diversification": otherOptimizer, "black litterman": otherOptimizer, "cvar": otherOptimizer, "min cvar": otherOptimizer, "minimum cvar": otherOptimizer, "max sharpe ratio": sharpeOptimizer, "maximum sharpe ratio": sharpeOptimizer, "tangency": sharpeOptimizer, "efficient frontier": sharpeOptimizer,
	"macd": noMACD, "bollinger": noBands, "bollinger bands": noBands, "stochastic": noBands, "atr": noBands, "adx": noBands, "ichimoku": noBands, "donchian": noBands, "keltner": noBands, "cci": noBands, "obv": noBands, "vwap": noBands, "supertrend": noBands, "fibonacci": noBands, "elliott": noBands,
	"bps":         "fees and costs are not part of a model: give them when you read its history",
	"bull market": noMarket, "bear market": noMarket, "bull": noMarket, "bear": noMarket, "bullish": noMarket, "bearish": noMarket, "downtrend": noMarket, "uptrend": noMarket, "correction": noMarket, "crash": noMarket,
	"glide": noGlide, "glide path": noGlide, "glidepath": noGlide, "minus age": noGlide, "minus my age": noGlide, "age in bonds": noGlide, "my age": noGlide, "age": noGlide, "reduce": noGlide, "reducing": noGlide, "shift": noGlide,
	"market cap": "scripts do not have market values: say equally, or give the shares", "cap weighted": "scripts do not have market values: say equally, or give the shares",
	"kelly": "neither the weights of Kelly's criterion nor Jason Kelly's 3Sig plan, which follows a line of deposits, can be said in words: a script can compute them", "3 sig": "Jason Kelly's 3Sig plan follows a line of deposits, and cannot be said in words: a script can compute it", "sell": "say what is held instead: otherwise BIL, or otherwise cash", "or": "or leaves a choice: say when each of the two is held",
	"fee": "fees and costs are not part of a model: give them when you read its history", "expense": "fees and costs are not part of a model: give them when you read its history",
	"euros": noCurrency, "euro": noCurrency, "currency": noCurrency, "hedged": noCurrency, "unhedged": noCurrency, "eur": noCurrency,
	"only":       "only what? Say 100% SPY, only if positive, or only when above its 200-day moving average",
	"contribute": noFlows, "contributions": noFlows, "deposit": noFlows, "deposits": noFlows, "dollar cost average": noFlows, "dollar cost averaging": noFlows, "dca": noFlows, "monthly savings": noFlows, "saving": noFlows, "withdraw": noFlows, "withdrawals": noFlows, "withdrawing": noFlows, "contributing": noFlows,
	"drawdown": "conditions on drawdowns are not supported: say above its 200-day moving average, or a volatility target", "drawdowns": "conditions on drawdowns are not supported: say above its 200-day moving average, or a volatility target",
	"worst": noLosers, "bottom": noLosers, "losers": noLosers, "weakest": noLosers, "lowest": noLosers, "loser": noLosers,
	"parts": "say percentages, or fractions such as two thirds", "ratio": "say percentages, or 60/40",
	"mid month": "calendar days cannot be counted: say the first, the last or the 10th trading day of the month",
	"gem":       "Antonacci's Global Equities Momentum has its own members: say antonacci's GEM, or describe the rule in full",
	"exit":      "say what is held instead: otherwise BIL, or otherwise cash",
}

const (
	noCurrency      = "returns are in the currency of the catalog's prices: nothing is converted or hedged"
	noFlows         = "deposits and withdrawals are not part of a model: weights are fractions of its equity. A plan that saves or withdraws is a simulation: POST /v1/simulations"
	sharpeOptimizer = "weights for the highest Sharpe ratio are those of an optimizer: create one with POST /v1/optimizers, and say: SPY, TLT and GLD optimized by its name; minimum variance, mean variance, risk parity and inverse volatility need none"
	otherOptimizer  = "these weights are those of an optimizer: create one with POST /v1/optimizers, and say: SPY, TLT and GLD optimized by its name; minimum variance, mean variance, risk parity and inverse volatility need none"
	noMACD          = "this indicator is not among those of descriptions: close to it is SPY when its 12 day EMA is above its 26 day EMA; a script can compute it"
	noBands         = "this indicator is not among those of descriptions, which know averages, RSI, returns, volatilities, drawdowns, highs and lows: a script can compute it"
	noGlide         = "shares that change with the years are not among descriptions: a script sets them by ctx.date, and a simulation of saving and withdrawing has a glide path: POST /v1/simulations"
	noMarket        = "say how it is told, such as: SPY is above its 200 day moving average, or SPY is down more than 20% from its high"
	noLosers        = "the lowest of what, and of which members? Say the 2 worst of SPY, EFA and EEM by 1 month return, or with the lowest volatility over 60 days"
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

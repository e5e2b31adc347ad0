package grammar

// sharedMacros are parts of forms that many phrases share.
var sharedMacros = map[string]string{
	"when":       `(when|whenever|if|while|as long as|so long as|only if|only when|only while|provided [that]|but only (if|when|while)|where|with)`,
	"is":         `(is|are|is trading|trades|trade|trading|closes|close|closed|closing|is still|stays|stay|staying|remains|rises|rise|rising|moves|goes|go|falls|fall|drops|drop|crosses|cross|sits|being|were|was)`,
	"average":    `(moving average|moving averages|average|ma|sma|dma|mean|moving avg|avg|trend line|trendline|trend)`,
	"sma":        `({span} [simple] <average>|[simple] <average> [price] of [last|past] {span}|(sma|ma|dma) \( {bare=n} \)|(sma|ma|dma) {bare=n}|{bare=n} (dma|sma|ma))`,
	"ema":        `({span} (ema|exponential <average>|exponentially weighted <average>)|exponential <average> of {span}|ema \( {bare=n} \)|ema {bare=n}|{bare=n} ema)`,
	"price":      `(price|close|closing price|level|value|index|trend)`,
	"return":     `(momentum|return|returns|total return|total returns|performance|price change|price momentum|price return|rate of change|roc|relative strength|gain|trend)`,
	"score":      scoreMacro,
	"of members": `(of|from|among|amongst|out of|in|within|across|between)`,
	"things":     `(assets|asset|etfs|etf|funds|fund|members|holdings|performers|performing|ranked|names|stocks|models|tickers|positions|sectors|countries|markets|sector|country|performer|strongest|best|of them|ones|one)`,
	"at most":    `(maximum|max|at most|up to|no more than|limited to|capped at|maximum of|not more than|max of)`,
	"annual":     `(annual|annualized|annualised|yearly|ex ante|realized|realised|portfolio)`,
	"vol":        `(volatility|vol|standard deviation|risk)`,
	"any":        `(something|anything|any|each|every|either|one|single|per|individual|a single|any one|any single|each single)`,
	"holding":    `(asset|assets|holding|holdings|position|positions|member|members|fund|funds|etf|etfs|one|of them|name|weight|security|ticker)`,
	"rebalance":  `(rebalance|rebalanced|rebalances|rebalancing|re balance|re balanced|re balancing|review|reviewed|reviewing|evaluate|evaluated|reevaluated|traded|trade|trading|check|checked|checking|update|updated|decide|decided|decisions|reset|adjust|adjusted|run|reconstituted|rotate|rotated|rotating|rotation|reallocate|reallocated|revisited|measured|re weighted|reweighted|executed)`,
}

package grammar

import (
	"fmt"
	"strings"

	"ballast/program/generate"
)

// outside is data that people name in conditions, and that no catalog of assets has: by
// its words, what it is.
var outside = map[string]string{
	"vix": "an index of volatility", "vvix": "an index of volatility", "vxv": "an index of volatility", "vix3m": "an index of volatility", "move index": "an index of volatility", "fear index": "an index of volatility",
	"cape": "a ratio of prices and earnings", "shiller cape": "a ratio of prices and earnings", "pe": "a ratio of prices and earnings", "p / e": "a ratio of prices and earnings", "pe ratio": "a ratio of prices and earnings",
	"p / e ratio": "a ratio of prices and earnings", "price to earnings": "a ratio of prices and earnings", "price to book": "a ratio of prices and book values", "p / b": "a ratio of prices and book values",
	"earnings": "figures of companies", "earnings yield": "a ratio of earnings and prices", "revenue": "figures of companies", "book value": "figures of companies", "dividend yield": "a ratio of dividends and prices", "fundamentals": "figures of companies", "valuation": "a figure of companies", "valuations": "figures of companies",
	"cpi": "a measure of inflation", "inflation": "a figure of the economy", "pmi": "a survey of managers", "ism": "a survey of managers", "gdp": "a figure of the economy", "recession": "a state of the economy",
	"unrate": "the rate of unemployment", "unemployment": "a figure of the economy", "unemployment rate": "a figure of the economy", "payrolls": "a figure of the economy", "jobless claims": "a figure of the economy",
	"fedfunds": "a rate of interest", "fed funds": "a rate of interest", "fed funds rate": "a rate of interest", "interest rates": "rates of interest", "interest rate": "a rate of interest", "fed rate": "a rate of interest",
	"t10y2y": "a spread of yields", "dgs10": "a yield", "yield": "a yield", "yields": "yields", "yield curve": "a spread of yields", "10 year yield": "a yield", "2 year yield": "a yield", "treasury yield": "a yield", "credit spread": "a spread of yields", "credit spreads": "spreads of yields",
	"dxy": "an index of the dollar", "dollar index": "an index of the dollar", "put / call ratio": "a figure of the options market", "sentiment": "a survey", "aaii": "a survey", "margin debt": "a figure of the market", "advance decline line": "a figure of the market", "trading volume": "a figure of the market",
}

// longestOutside is the number of words in the longest name of data.
const longestOutside = 4

// importing says that data is not there, and how it could be.
func importing(name, what string) string {
	return fmt.Sprintf("%s, %s, is not in the catalog, and a description can only look at members: import it as a series (/docs/series), and read it in a script with ctx.series", name, what)
}

// importable returns the words of a description that name data which is not there. They
// say why it is refused, whatever else was not understood around them.
func (p *parser) importable() (words []generate.Word) {
	for at := 0; at < len(p.tokens) && len(words) < mostRefused; {
		n := min(longestOutside, len(p.tokens)-at)
		for ; n > 0; n-- {
			name := strings.ReplaceAll(strings.Join(p.lowers(at, at+n), " "), " - ", " ")
			if outside[name] != "" && (n != 1 || !p.isKnown(p.tokens[at].text)) {
				from, to := p.tokens[at], p.tokens[at+n-1]
				said := p.text(at, at+n)
				words = append(words, generate.Word{Text: said, Offset: from.offset, Length: to.end - from.offset, Message: importing(said, outside[name])})
				break
			}
		}
		at += max(1, n)
	}
	return words
}

package classify

// currencies are the codes and words that, beside "hedged", mean a currency hedge.
var currencies = map[string]bool{
	"usd": true, "eur": true, "gbp": true, "chf": true, "jpy": true, "cad": true, "aud": true, "nzd": true, "sek": true,
	"nok": true, "dkk": true, "hkd": true, "sgd": true, "mxn": true, "cnh": true, "rmb": true, "pln": true, "ils": true,
	"zar": true, "krw": true, "brl": true, "currency": true, "ccy": true, "curr": true, "fx": true, "euro": true,
	"dollar": true, "dollars": true, "sterling": true, "yen": true, "€": true, "£": true, "$": true, "currencies": true,
}

var hedges = map[string]bool{"hedged": true, "hdg": true, "hgd": true, "hdgd": true, "hedgd": true, "hed": true, "pfhedged": true, "hedge": true, "netrl": true, "neutral": true}

// readHedged finds whether the fund is hedged against currencies: a currency beside
// "hedged", a whole category, or a name with "hedged" whose summary mentions currencies.
// "Hedged Equity" with options does not count.
func (c *reading) readHedged() {
	if c.category.span(0, len(c.category.words)) == "global bond-usd hedged" {
		c.setHedged(&c.category, 0, len(c.category.words), false)
		return
	}
	for i := range c.name.words {
		w := c.name.at(i)
		if !hedges[w] || c.name.at(i-1) == "non" || c.name.at(i-2) == "non" || c.name.at(i-1) == "market" {
			continue
		}
		if c.currencyBeside(i) {
			c.setHedged(&c.name, max(0, i-1), min(len(c.name.words), i+2), false)
			return
		}
		if h, ok := c.said["hedged:currency"]; ok && w[0] == 'h' && w != "hedge" {
			c.setHedged(&c.summary, h.lo, h.hi, false)
			return
		}
		if c.foreignHedgedEquity(i) {
			c.setHedged(&c.name, max(0, i-1), min(len(c.name.words), i+2), true)
			return
		}
	}
}

func (c *reading) currencyBeside(i int) bool {
	w := c.name.at(i)
	if w == "neutral" || w == "netrl" {
		b := c.name.at(i - 1)
		return b == "currency" || b == "ccy" || b == "curr"
	}
	if currencies[c.name.at(i-1)] || currencies[c.name.at(i+1)] {
		return w != "hedge" || currencies[c.name.at(i-1)]
	}
	if c.name.at(i-1) == "daily" && currencies[c.name.at(i-2)] || c.shareClass(i) {
		return true
	}
	next := c.name.at(i + 1)
	return (next == "to" || next == "in" || next == "into") && currencies[c.name.at(i+2)] && w != "hedge"
}

// shareClass reports whether "(Hedged)" stands alone in brackets, as in the share classes
// of foreign funds.
func (c *reading) shareClass(i int) bool {
	return c.inBrackets(hit{lo: i, hi: i + 1}) && !c.american() && c.name.at(i) != "neutral" && c.name.at(i) != "hedge"
}

// foreignHedgedEquity recognises how WisdomTree and Xtrackers name funds of foreign
// shares with a currency hedge: "Japan Hedged Equity".
func (c *reading) foreignHedgedEquity(i int) bool {
	if c.out.Issuer != "Xtrackers" && !c.nameHas("wisdomtree") {
		return false
	}
	before := text{field: "name", folded: c.name.folded, words: c.name.words[:i]}
	_, ok := find(known().countries, &before)
	return ok || c.name.at(i-1) == "eafe" || c.name.at(i-1) == "international" || c.name.at(i-1) == "intl"
}

func (c *reading) setHedged(t *text, lo, hi int, derived bool) {
	c.out.Hedged = true
	c.says("hedged", "true", t, hit{lo: lo, hi: hi}, derived)
}

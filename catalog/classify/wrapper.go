package classify

import "strings"

// readType uses the source's kind, unless the name indicates another.
func (c *reading) readType() {
	kind := strings.ToLower(strings.TrimSpace(c.Kind))
	switch kind {
	case "etf", "fund", "stock", "crypto":
		c.out.Type = kind
		c.ground("type", kind, "kind", kind, false)
	default:
		return
	}
	if kind != "fund" && kind != "stock" {
		return
	}
	known().wrappers.scan(&c.name, func(h hit) {
		if v := h.values[0]; v == "etf" || v == "etn" || v == "etc" && (kind == "fund" || h.hi-h.lo == 1) {
			c.out.Type = "etf"
			c.out.Evidence = c.out.Evidence[:0]
			c.says("type", "etf", &c.name, h, false)
		}
	})
	if h, ok := c.said["wrapper:closed_end_fund"]; ok && kind == "stock" && c.out.Type == "stock" && c.closedEnd(h) {
		c.out.Type = "fund"
		c.out.Evidence = c.out.Evidence[:0]
		c.says("type", "fund", &c.summary, h, false)
	}
}

// closedEnd reports whether the summary says it about the listing itself, near the
// beginning, rather than about a manager's products or an index's members.
func (c *reading) closedEnd(h hit) bool {
	return h.lo <= 16 && c.wordBefore(&c.summary, h.lo, "is", "a", "an", "diversified", "as", "operates")
}

// wordBefore reports whether one of the words is among the three before lo.
func (c *reading) wordBefore(t *text, lo int, any ...string) bool {
	for i := max(0, lo-3); i < lo; i++ {
		for _, w := range any {
			if t.at(i) == w {
				return true
			}
		}
	}
	return false
}

// readWrapper finds the wrapper of a fund: in its name, in its symbol if that is
// conclusive, in the legal type, and in the summary.
func (c *reading) readWrapper() {
	if c.wrapperOfName() || c.wrapperOfSymbol() {
		return
	}
	if h, ok := c.said["wrapper:closed_end_fund"]; ok && c.closedEnd(h) {
		c.setWrapper("closed_end_fund", &c.summary, h)
		return
	}
	if t := read("legal_type", c.LegalType); len(t.words) > 0 {
		if h, ok := find(known().wrappers, &t); ok {
			c.setWrapper(h.values[0], &t, h)
			return
		}
	}
	if v, h := c.first("wrapper"); v != "" && v != "closed_end_fund" && h.lo <= 24 {
		c.setWrapper(v, &c.summary, h)
		return
	}
	if c.out.Type == "etf" && c.american() {
		c.out.Wrapper = "etf"
		c.ground("wrapper", "etf", "exchange", strings.ToLower(c.Exchange), true)
	}
}

// wrapperOfName prefers the note over the commodity security over the ETF: an "ETF" in
// the name of an ETN belongs to its issuer or its index.
func (c *reading) wrapperOfName() bool {
	best, at := "", hit{}
	rank := map[string]int{"etn": 6, "unit_investment_trust": 5, "etc": 4, "etf": 3, "closed_end_fund": 2, "mutual_fund": 1}
	known().wrappers.scan(&c.name, func(h hit) {
		v := h.values[0]
		if v == "etc" && (c.american() || c.nameHas("etf") && !c.nameHas("etc")) || v == "mutual_fund" && c.american() {
			return // in the United States, a "Physical Gold ETF" is not an ETC
		}
		if rank[v] > rank[best] {
			best, at = v, h
		}
	})
	if t, ok := find(known().structures, &c.name); ok && best == "" && t.values[0] == "uit_us" {
		best, at = "unit_investment_trust", t
	}
	if best == "" || best == "mutual_fund" && c.out.Type == "etf" && c.nameHas("etf") {
		return false
	}
	c.setWrapper(best, &c.name, at)
	return true
}

// wrapperOfSymbol recognises the symbols of funds that report to Nasdaq: five letters
// that end in X are open-end funds, or closed-end funds if they also begin with X. Longer
// symbols are trusts and accounts of many kinds.
func (c *reading) wrapperOfSymbol() bool {
	symbol := strings.ToUpper(c.Symbol)
	if c.out.Type != "fund" || !strings.EqualFold(c.Exchange, "NAS") || !strings.HasSuffix(symbol, "X") {
		return false
	}
	var wrapper string
	switch {
	case len(symbol) == 5 && symbol[0] == 'X' && len(c.name.words) > 0:
		wrapper = "closed_end_fund"
	case len(symbol) == 5 && c.mentions("college", "collective", "separate"):
		return false // plans and accounts, not funds
	case len(symbol) == 5:
		wrapper = "mutual_fund"
	case c.unitTrustName() || c.category.span(0, len(c.category.words)) == "unit investment trust":
		wrapper = "unit_investment_trust"
	default:
		return false
	}
	c.out.Wrapper = wrapper
	c.ground("wrapper", wrapper, "symbol", strings.ToLower(symbol), true)
	return true
}

// unitTrustName recognises the names of unit trust series: "FT 8981: …", "ADT 1991 …", "…
// Strategy 2020-1".
func (c *reading) unitTrustName() bool {
	first, second := c.name.at(0), c.name.at(1)
	if (first == "ft" || first == "adt" || first == "ut") && second != "" && digit(second[0]) {
		return true
	}
	for i := 1; i < len(c.name.words); i++ {
		w := c.name.at(i)
		if before := c.name.at(i - 1); len(w) == 4 && strings.HasPrefix(w, "20") && (before == "portfolio" || before == "strategy" || before == "series") {
			return true
		}
	}
	return false
}

func (c *reading) setWrapper(v string, t *text, h hit) {
	c.out.Wrapper = v
	c.says("wrapper", v, t, h, false)
}

func (c *reading) nameHas(w string) bool { return hasWord(&c.name, w) }

func hasWord(t *text, w string) bool {
	for i := range t.words {
		if t.at(i) == w {
			return true
		}
	}
	return false
}

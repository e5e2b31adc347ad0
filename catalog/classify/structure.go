package classify

import "strings"

// readStructure finds the legal structure of a fund. The structures are those of the
// United States: a fund of another country has none of them, except notes.
func (c *reading) readStructure() {
	known().structures.scan(&c.name, func(h hit) {
		switch v := h.values[0]; {
		case c.out.LegalStructure != "" || v == "no_k1" || v == "corp" || v == "foreign":
		case v == "etn":
			c.setStructure("etn", &c.name, h, false)
		case v == "uit_us":
			c.setStructure("uit", &c.name, h, false)
		case c.american() || c.domicile == "US":
			c.setStructure(v, &c.name, h, v == "commodity_pool")
		}
	})
	switch {
	case c.out.LegalStructure != "" || c.foreign():
	case c.out.Wrapper == "etn":
		c.structureOfWrapper("etn")
	case c.out.Wrapper == "unit_investment_trust":
		c.structureOfWrapper("uit")
	case c.out.Wrapper == "closed_end_fund" && c.american():
		c.structureOfWrapper("closed_end_trust")
	default:
		c.registered()
	}
}

func (c *reading) structureOfWrapper(v string) {
	c.out.LegalStructure = v
	c.ground("legal_structure", v, "wrapper", c.out.Wrapper, true)
}

// registered derives the regulated investment company: an ETF or open-end fund of the
// United States whose assets such a company may hold. Funds of commodities, currencies,
// coins and volatility may be pools or trusts, and count only if words say which.
func (c *reading) registered() {
	if c.corporate() {
		return
	}
	open := c.out.Wrapper == "mutual_fund" && c.american()
	traded := c.out.Wrapper == "etf" && (c.american() || c.domicile == "US" || c.crossListed())
	if !open && !traded || c.mentions("partnership", "lp") {
		return
	}
	switch c.out.AssetClass {
	case "commodity", "currency", "alternatives":
		if traded && !c.companyWords() {
			return
		}
	case "":
		if traded && len(c.name.words) == 0 {
			return
		}
	}
	c.out.LegalStructure = "ric"
	source, words := "wrapper", c.out.Wrapper
	if c.american() {
		source, words = "exchange", strings.ToLower(c.Exchange)
	}
	c.ground("legal_structure", "ric", source, words, true)
}

// companyWords reports whether the name or summary of a fund of commodities, currencies,
// coins or alternatives contains wording that only a registered investment company uses:
// that it issues no K-1, that its policy is to invest a share of its net assets, or that
// its strategy is one of equities, bonds or managed futures.
func (c *reading) companyWords() bool {
	if _, ok := c.noK1(); ok {
		return true
	}
	if _, ok := c.said["company:registered"]; ok {
		return true
	}
	for _, tag := range []string{"theme:managed_futures", "theme:long_short", "theme:market_neutral", "theme:merger_arbitrage", "theme:tail_risk", "theme:hedge_fund"} {
		if c.has(tag) {
			return true
		}
	}
	if c.has("theme:volatility") {
		return false
	}
	return c.mentions("strategy", "options", "hedge", "arbitrage") || c.out.AssetClass == "alternatives" && !c.has("theme:crypto") ||
		c.has("theme:crypto") && (c.out.Leverage != 1 || c.has("theme:covered_call")) || c.proBitcoin()
}

// proBitcoin recognises ProShares' own bitcoin and ether funds, which are registered
// companies that hold futures. ProShares' pools are in the table.
func (c *reading) proBitcoin() bool { return c.out.Issuer == "ProShares" && c.has("theme:crypto") }

// corporate reports whether the fund is taxed as a corporation because most of its assets
// are partnerships.
func (c *reading) corporate() bool {
	if h, ok := find(known().structures, &c.name); ok && h.values[0] == "corp" {
		return true
	}
	return c.out.Wrapper == "etf" && c.has("theme:mlp") && c.nameHas("mlp") && !c.nameHas("infrastructure") && !c.nameHas("energy")
}

func (c *reading) noK1() (hit, bool) {
	var at hit
	ok := false
	known().structures.scan(&c.name, func(h hit) {
		if h.values[0] == "no_k1" {
			at, ok = h, true
		}
	})
	return at, ok
}

// mentions reports whether the name has one of the words.
func (c *reading) mentions(any ...string) bool {
	for _, w := range any {
		if c.nameHas(w) {
			return true
		}
	}
	return false
}

// crossListed recognises American ETFs on the Mexican exchange by brands that sell
// nothing else there, unless the name has a word for another country's fund.
func (c *reading) crossListed() bool {
	if !strings.EqualFold(c.Exchange, "MEX") || c.foreignWords() {
		return false
	}
	switch c.out.Issuer {
	case "ProShares", "Direxion", "Global X", "Pacer", "First Trust":
		return true
	}
	return false
}

func (c *reading) setStructure(v string, t *text, h hit, derived bool) {
	c.out.LegalStructure = v
	c.says("legal_structure", v, t, h, derived)
}

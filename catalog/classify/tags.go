package classify

import (
	"slices"
	"strings"
)

// readTags finds the tags of a fund in its name and its whole category.
func (c *reading) readTags() {
	known().tags.scan(&c.name, func(h hit) {
		for _, tag := range h.values {
			if c.fits(tag, h) {
				c.tag(tag, &c.name, h, false)
			}
		}
	})
	if h, ok := known().categories.whole(&c.category); ok && !c.grouped() {
		for _, v := range h.values {
			if dimension, _, _ := strings.Cut(v, ":"); dimension != "class" && dimension != "weak" && dimension != "solid" {
				c.categoryTag(v, h)
			}
		}
	}
	c.targetDate()
	c.leverageTags()
	c.settle()
}

// categoryTag adds a tag of the category unless the name has another of the same kind: a
// category's region or term applies to most of its funds, not to all.
func (c *reading) categoryTag(tag string, h hit) {
	dimension, value, _ := strings.Cut(tag, ":")
	switch {
	case dimension == "region" && (c.out.Country != "" || c.hasDimension("region")),
		dimension == "size" && c.hasDimension("size"),
		dimension == "bond" && strings.HasSuffix(value, "_term") && (c.termed() || c.has("bond:target_maturity")),
		dimension == "bond" && value == "ultra_short" && c.termed():
		return
	}
	c.tag(tag, &c.category, h, false)
}

func (c *reading) termed() bool {
	return slices.ContainsFunc([]string{"bond:ultra_short", "bond:short_term", "bond:intermediate_term", "bond:long_term"}, c.has)
}

// fits reports whether a word of the name can mean the tag for this fund: bond words need
// a bond fund, commodity words a commodity fund, and words of a currency or an issuer
// never count.
func (c *reading) fits(tag string, h hit) bool {
	if c.withinBrand(h) || c.name.at(h.lo-1) == "ex" && !strings.HasPrefix(tag, "region:") {
		return false
	}
	dimension, value, _ := strings.Cut(tag, ":")
	class := c.out.AssetClass
	switch dimension {
	case "bond":
		switch value {
		case "ultra_short":
			return class == "fixed_income" && c.out.Leverage == 1
		case "short_term", "intermediate_term", "long_term", "corporate", "government", "investment_grade", "aggregate", "agency":
			return class == "fixed_income"
		}
		return class == "fixed_income" || class == "" || class == "alternatives" && value == "high_yield"
	case "commodity":
		return class == "commodity" || value != "broad" && (value == "uranium" || value == "lithium" || value == "copper" || value == "rare_earths" || value == "timber")
	case "size", "sector":
		if class == "fixed_income" || class == "commodity" || class == "currency" {
			return false
		}
	case "region":
		if value == "global_ex_us" && !c.american() && c.name.at(h.lo) == "international" && h.hi-h.lo == 1 {
			return false // elsewhere "international" is the whole world
		}
	case "theme":
		switch value {
		case "artificial_intelligence":
			return c.american() || c.name.at(h.lo) != "ai" // elsewhere often a share class
		case "growth", "value", "momentum", "quality":
			return class == "equity" || class == ""
		case "target_date", "balanced":
			return class != "equity"
		}
	}
	return true
}

// withinBrand reports whether the words are part of the issuer's brand at the beginning
// of the name.
func (c *reading) withinBrand(h hit) bool {
	if len(c.name.words) == 0 {
		return false
	}
	brand := known().issuers.match(&c.name, 0)
	return len(brand.values) > 0 && brand.hi >= h.hi && brand.values[0] != "USCF" // "United States Oil" says what it holds
}

// targetDate recognises the retirement year in a fund's name.
func (c *reading) targetDate() {
	if c.out.AssetClass != "asset_allocation" {
		return
	}
	path := c.group.span(0, len(c.group.words)) == "target date" || c.category.span(0, len(c.category.words)) == "target date"
	for i := range c.name.words {
		switch c.name.at(i) {
		case "target", "retirement", "lifepath", "freedom", "lifecycle", "lifetime", "retiresmart":
			path = true
		}
	}
	for i := range c.name.words {
		if path && year(c.name.at(i)) {
			c.tag("theme:target_date", &c.name, hit{lo: i, hi: i + 1}, false)
			return
		}
	}
}

func (c *reading) leverageTags() {
	name := hit{lo: 0, hi: len(c.name.words)}
	if c.out.Leverage != 1 && c.out.Leverage != -1 {
		c.tag("theme:leveraged", &c.name, name, true)
	}
	if c.out.Inverse {
		c.tag("theme:inverse", &c.name, name, true)
	}
	if c.singleStock() {
		if c.out.AssetClass == "" {
			c.setClass("equity", &c.name, name, true)
		}
		c.tag("theme:single_stock", &c.name, name, true)
	}
}

// singleStock recognises funds on one share: a ticker in capitals between the words of a
// daily multiple ("2X Long NVDA Daily", "Daily TSLA Bull 2X") or of an option strategy.
func (c *reading) singleStock() bool {
	if !c.has("theme:leveraged") && !c.has("theme:inverse") && !c.has("theme:covered_call") || !c.american() {
		return false
	}
	if c.has("theme:covered_call") && !c.nameHas("option") && c.out.Leverage == 1 {
		return false
	}
	for _, w := range strings.FieldsFunc(c.Name, func(r rune) bool { return r == ' ' || r == '(' || r == ')' }) {
		t := read("name", w)
		if _, brand := known().issuers.whole(&t); ticker(w) && !brand && !notTickers[w] {
			return true
		}
	}
	return false
}

func ticker(w string) bool {
	if len(w) < 3 || len(w) > 5 {
		return false
	}
	for i := range len(w) {
		if !upper(w[i]) {
			return false
		}
	}
	return true
}

// notTickers are words in capitals that are not tickers.
var notTickers = wordSet(`
	AAA ACWI AGF AI ARKK BDC BETA BRIC BTC CBOE CDX CEF CLO CSI CWP DAX DIA DJ DJIA DTE EAFE EEM ESG
	ETF ETFS ETH ETN ETNS ETRACS FANG FLOT FT FTGR FTSE GDX GLD GOLD GSCI HYG III IPO IWM JPX KBW
	KWEB LTD MAG MLP MSCI NASDAQ NDX NEOS NYSE ODTE QQQ REIT REX SLV SMCAP SMH SOL SOX SPAC SPDR SPX
	SPY TIPS TLT TR TSR TSX UCITS USA USD VIX VXX WTI XLK XRP YLDS
`)

// wordSet returns the set of the words in s.
func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// settle removes tags that a more exact tag or the class rules out.
func (c *reading) settle() {
	drop := map[string]bool{}
	if c.has("bond:treasury") && c.out.Country == "" {
		c.tag("region:united_states", &c.name, hit{hi: len(c.name.words)}, true)
	}
	if c.has("bond:high_yield") && c.out.AssetClass == "fixed_income" {
		drop["theme:dividend"] = true
	}
	for _, tag := range c.out.Tags {
		if strings.HasPrefix(tag, "commodity:") && tag != "commodity:broad" {
			drop["commodity:broad"] = true
		}
	}
	if c.has("region:emerging") {
		drop["region:global"], drop["region:developed"] = true, true
	}
	if c.has("region:europe") || c.has("region:europe_ex_uk") || c.has("region:asia") || c.has("region:asia_pacific") {
		drop["region:developed"] = true
	}
	if c.has("region:global_ex_us") {
		drop["region:global"] = true
		drop["region:united_states"] = true
		if c.has("region:developed") {
			drop["region:developed"] = true
		}
	}
	if c.has("region:developed_ex_us") {
		drop["region:global_ex_us"], drop["region:developed"] = true, true
	}
	if c.out.Country != "" {
		drop["region:asia"], drop["region:europe"], drop["region:global"], drop["region:emerging"] = true, true, true, true
		drop["region:united_states"], drop["region:global_ex_us"] = true, true
	}
	if c.has("bond:ultra_short") {
		drop["bond:short_term"] = true
	}
	if c.out.AssetClass != "" && c.out.AssetClass != "fixed_income" {
		drop["theme:preferred"] = true
	}
	if c.has("theme:single_stock") {
		drop["region:united_states"], drop["size:large"] = true, true
	}
	c.out.Tags = slices.DeleteFunc(c.out.Tags, func(tag string) bool { return drop[tag] })
	c.out.Evidence = slices.DeleteFunc(c.out.Evidence, func(e Evidence) bool { return e.Field == "tags" && drop[e.Value] })
}

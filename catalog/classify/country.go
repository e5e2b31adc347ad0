package classify

// readCountry finds the country of a fund's mandate in its name: exactly one country of
// the list, with no other country and no region.
func (c *reading) readCountry() {
	country, at, clear := "", hit{}, true
	known().countries.scan(&c.name, func(h hit) {
		if c.inBrackets(h) {
			return // the country of a legal entity: "DWS (Austria)"
		}
		switch v := h.values[0]; {
		case v == "region" && h.lo == 0 && c.brandAtStart():
		case v == "region" || v == "other":
			clear = false
		case country != "" && country != v:
			clear = false
		default:
			country, at = v, h
		}
	})
	if country != "" && clear {
		c.out.Country = country
		c.says("country", country, &c.name, at, false)
	}
}

// inBrackets reports whether the words are the whole content of a pair of brackets.
func (c *reading) inBrackets(h hit) bool {
	lo, hi := int(c.name.words[h.lo].lo), int(c.name.words[h.hi-1].hi)
	return lo > 0 && c.name.folded[lo-1] == '(' && hi < len(c.name.folded) && c.name.folded[hi] == ')'
}

// brandAtStart reports whether the name begins with an issuer's brand.
func (c *reading) brandAtStart() bool {
	return len(c.name.words) > 0 && known().issuers.match(&c.name, 0).hi > 0
}

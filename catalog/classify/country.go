package classify

// readCountry reads the country of a fund's mandate from its name: exactly one
// country of the list, no other country and no region beside it.
func (c *reading) readCountry() {
	country, at, clear := "", hit{}, true
	countryTable.scan(&c.name, func(h hit) {
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

// brandAtStart tells whether the name begins with an issuer's brand.
func (c *reading) brandAtStart() bool {
	return len(c.name.words) > 0 && issuerTable.match(&c.name, 0).hi > 0
}

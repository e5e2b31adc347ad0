package classify

import "strings"

// readIssuer finds the canonical issuer: the brand at the beginning of the name, else the
// family, else a brand later in the name. A family that shares no word with the name or
// summary counts only for listings in the United States: elsewhere catalogs fill it in by
// similarity.
func (c *reading) readIssuer() {
	if c.issuerOfName(true) {
		return
	}
	if f := strings.TrimSpace(c.Family); f != "" && (c.american() || c.familyShown()) {
		if h, ok := find(known().issuers, &c.family); ok {
			c.setIssuer(h.values[0], &c.family, h)
		} else {
			c.out.Issuer = f
			c.ground("issuer", f, "family", string(c.family.folded), false)
		}
		return
	}
	c.issuerOfName(false)
}

// issuerOfName uses the brand at the beginning, or a brand with a long word anywhere.
func (c *reading) issuerOfName(beginning bool) bool {
	done := false
	if beginning && c.unitTrustName() && c.name.at(0) == "ft" {
		c.setIssuer("First Trust", &c.name, hit{lo: 0, hi: 2})
		return true
	}
	known().issuers.scan(&c.name, func(h hit) {
		long := len(c.name.span(h.lo, h.hi)) >= 8
		if !done && (h.lo == 0 || !beginning && long) {
			c.setIssuer(h.values[0], &c.name, h)
			done = true
		}
	})
	return done
}

// familyShown reports whether the family's first word is in the name or summary, or
// whether the name and the family have the same brand.
func (c *reading) familyShown() bool {
	first := c.family.at(0)
	return len(first) > 2 && (c.nameHas(first) || hasWord(&c.summary, first))
}

func (c *reading) setIssuer(v string, t *text, h hit) {
	c.out.Issuer = v
	c.says("issuer", v, t, h, false)
}

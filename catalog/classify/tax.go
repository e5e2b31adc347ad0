package classify

import "strings"

// readTax finds the tax form of a fund for a holder in the United States: as its words
// state it, else as its legal structure or domicile implies it.
func (c *reading) readTax() {
	defer c.taxEvidence()
	if h, ok := c.noK1(); ok && !c.foreign() {
		c.setTax("1099", &c.name, h, false)
		return
	}
	if h, ok := c.said["k1:none"]; ok && !c.foreign() {
		c.setTax("1099", &c.summary, h, false)
		return
	}
	switch c.out.LegalStructure {
	case "ric", "uit", "grantor_trust", "closed_end_trust":
		c.taxOfStructure("1099")
	case "commodity_pool":
		c.taxOfStructure("k1")
	case "etn":
		if c.american() || c.domicile == "US" || strings.EqualFold(c.Exchange, "PNK") {
			c.taxOfStructure("1099")
		}
	default:
		c.taxWithoutStructure()
	}
}

// taxWithoutStructure handles funds without a legal structure: a corporation that holds
// partnerships, a foreign fund, a partnership.
func (c *reading) taxWithoutStructure() {
	switch {
	case c.corporate() && c.american():
		c.out.TaxForm = "1099"
		c.ground("tax_form", "1099", "name", "mlp", true)
	case c.out.Wrapper == "etc" || c.out.Wrapper == "etn" || c.contract() || c.security():
	case c.foreign():
		source, words := c.foreignGround()
		c.out.TaxForm = "pfic"
		c.ground("tax_form", "pfic", source, words, true)
	}
}

// security recognises securities on commodities, currencies or coins that are not UCITS:
// these are mostly debt securities, so not companies and not PFICs.
func (c *reading) security() bool {
	switch {
	case c.mentions("ucits", "fund", "fonds", "sicav"):
		return false
	case c.out.AssetClass == "commodity" || c.out.AssetClass == "currency" || c.has("theme:crypto"):
		return true
	}
	return c.domicile == "JE"
}

// contract recognises segregated funds, which are insurance contracts.
func (c *reading) contract() bool {
	return c.mentions("seg", "segregated", "mlip", "gif", "ideal", "annuity", "gwl", "gia")
}

func (c *reading) taxOfStructure(form string) {
	c.out.TaxForm = form
	c.ground("tax_form", form, "legal_structure", c.out.LegalStructure, true)
}

func (c *reading) setTax(form string, t *text, h hit, derived bool) {
	c.out.TaxForm = form
	c.says("tax_form", form, t, h, derived)
}

// taxEvidence describes whether the tax form (or the structure, if there is no tax form) was
// stated or derived.
func (c *reading) taxEvidence() {
	if c.out.TaxForm == "" && c.out.LegalStructure == "" {
		return
	}
	c.out.TaxEvidence = "derived"
	field := "tax_form"
	if c.out.TaxForm == "" {
		field = "legal_structure"
	}
	for _, e := range c.out.Evidence {
		if e.Field == field && !e.Derived {
			c.out.TaxEvidence = "stated"
		}
	}
}

// foreign reports whether the fund is from a country other than the United States.
func (c *reading) foreign() bool {
	source, _ := c.foreignGround()
	return source != ""
}

// foreignGround returns the evidence for that: the ISIN, words of the name, summary or
// family, or an exchange that lists only its own country's funds.
func (c *reading) foreignGround() (source, words string) {
	if c.out.Type != "etf" && c.out.Type != "fund" {
		return "", ""
	}
	if c.domicile != "" && c.domicile != "XS" {
		if c.domicile == "US" {
			return "", ""
		}
		return "isin", strings.ToLower(c.domicile)
	}
	if c.american() {
		return "", ""
	}
	if w := foreignWord(&c.name); w != "" {
		return "name", w
	}
	if h, ok := find(known().structures, &c.name); ok && h.values[0] == "foreign" {
		return "name", c.name.span(h.lo, h.hi)
	}
	if h, ok := c.said["domicile:foreign"]; ok {
		return "summary", c.summary.span(h.lo, h.hi)
	}
	if w := foreignWord(&c.family); w != "" {
		return "family", w
	}
	if _, ok := homeVenues[strings.ToUpper(c.Exchange)]; ok {
		return "exchange", strings.ToLower(c.Exchange)
	}
	return "", ""
}

func (c *reading) foreignWords() bool { return foreignWord(&c.name) != "" }

// foreignFunds are words for legal forms that do not exist in the United States.
var foreignFunds = map[string]bool{
	"ucits": true, "sicav": true, "fcp": true, "oeic": true, "icav": true, "fonds": true, "fondo": true, "siefore": true,
	"fiid": true, "siid": true, "sgiic": true, "gmbh": true, "kapitalanlagegesellschaft": true, "sgr": true, "fii": true,
	"nv": true, "plc": true, "sicaf": true, "afore": true, "uetf": true, "fondos": true, "invest ag": true, "agif": true, "sisf": true,
	"bgf": true, "isharesiii": true, "sca": true,
}

func foreignWord(t *text) string {
	for i := range t.words {
		if w := t.at(i); foreignFunds[w] {
			return w
		}
		if t.at(i) == "sa" && t.at(i+1) == "de" && t.at(i+2) == "cv" || t.at(i) == "s" && t.at(i+1) == "a" && t.at(i+2) == "de" {
			return t.span(i, i+3)
		}
	}
	return ""
}

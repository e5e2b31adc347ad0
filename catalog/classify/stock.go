package classify

import "strings"

// readStock classifies a share: the kind of security, the company's seat and sector as
// the source gives them, and the tax form if the company's form and country imply one. A
// "fund" among shares gets the class of its name, and no sector.
func (c *reading) readStock() {
	pool := c.mentions("fund", "fondo", "fundo", "fii", "fonds", "funds")
	for _, w := range []string{"debentures", "notes", "bonds", "bds"} {
		if c.nameHas(w) {
			c.readDebt(w)
			return
		}
	}
	if !pool {
		c.out.AssetClass = "equity"
		c.ground("asset_class", "equity", "kind", "stock", false)
	} else {
		c.classOfName()
	}
	c.shareWrapper()
	c.companySeat()
	sector := read("sector", c.Sector)
	if h, ok := known().sectors.whole(&sector); ok && !pool {
		c.tag("sector:"+h.values[0], &sector, h, false)
	}
	if h, ok := c.said["theme:spac"]; ok {
		c.tag("theme:spac", &c.summary, h, false)
	}
	if c.out.Wrapper == "preferred_stock" {
		c.tag("theme:preferred", &c.name, hit{hi: len(c.name.words)}, false)
	}
	c.companyTax()
	c.taxEvidence()
}

// readDebt classifies a bond that is listed among shares: its class and its company's
// seat.
func (c *reading) readDebt(word string) {
	c.out.AssetClass = "fixed_income"
	c.ground("asset_class", "fixed_income", "name", word, false)
	c.companySeat()
}

// shareWrapper finds the kind of security in the name and the symbol.
func (c *reading) shareWrapper() {
	known().wrappers.scan(&c.name, func(h hit) {
		switch v := h.values[0]; {
		case c.out.Wrapper != "":
		case v == "depositary_receipt" && (c.name.at(h.hi-1) != "dr" || strings.EqualFold(c.Exchange, "SET")):
			c.setWrapper(v, &c.name, h)
		case v == "preferred_stock", v == "warrant" && h.hi >= len(c.name.words)-1, v == "right" && h.hi == len(c.name.words), v == "unit":
			c.setWrapper(v, &c.name, h)
		}
	})
	if c.out.Wrapper == "" {
		if v, words := c.shareOfSymbol(); v != "" {
			c.out.Wrapper = v
			c.ground("wrapper", v, "symbol", words, true)
		}
	}
	if c.out.Wrapper == "" && c.commonForm() != "" {
		c.out.Wrapper = "common_stock"
		c.ground("wrapper", "common_stock", "name", c.commonForm(), true)
	}
}

// shareOfSymbol reads the marks that exchanges of the United States and vendors add to
// symbols: ^A and -PA for preferred shares, -WT for warrants, -UN for units. Over the
// counter, five letters that end in Y are depositary receipts; in São Paulo, 34 and 35
// mark receipts of foreign shares.
func (c *reading) shareOfSymbol() (wrapper, words string) {
	symbol := strings.ToUpper(c.Symbol)
	if _, mark, ok := strings.Cut(symbol, "^"); ok {
		return "preferred_stock", "^" + strings.ToLower(mark)
	}
	if c.american() {
		if _, mark, ok := strings.Cut(symbol, "-"); ok {
			switch {
			case mark == "WT" || strings.HasPrefix(mark, "WT"):
				return "warrant", "-wt"
			case mark == "UN" || mark == "U":
				return "unit", "-un"
			case mark == "RI" || mark == "RT":
				return "right", "-" + strings.ToLower(mark)
			case strings.HasPrefix(mark, "P") && len(mark) == 2:
				return "preferred_stock", "-" + strings.ToLower(mark)
			}
		}
	}
	switch {
	case strings.EqualFold(c.Exchange, "PNK") && len(symbol) == 5 && symbol[4] == 'Y' && !strings.EqualFold(c.Country, "United States"):
		return "depositary_receipt", strings.ToLower(symbol)
	case strings.HasSuffix(symbol, "34.SA") || strings.HasSuffix(symbol, "35.SA"):
		return "depositary_receipt", strings.ToLower(symbol)
	}
	return "", ""
}

// companyForms are words for companies with shares.
var companyForms = map[string]bool{
	"inc": true, "corp": true, "corporation": true, "plc": true, "ltd": true, "limited": true, "ag": true, "ab": true, "asa": true,
	"oyj": true, "nv": true, "sa": true, "spa": true, "se": true, "co": true, "company": true, "incorporated": true, "kgaa": true,
	"bhd": true, "berhad": true, "tbk": true, "as": true, "aktiengesellschaft": true, "holdings": true, "holding": true, "group": true,
	"nyrt": true, "lp": true, "llc": true, "publ": true, "pcl": true, "public": true, "ojsc": true, "pjsc": true, "jsc": true, "sab": true,
	"technologies": true, "bank": true, "bancorp": true, "bancshares": true, "industries": true, "resources": true, "energy": true, "pharmaceuticals": true,
}

// commonForm returns the word of the name that marks a company's share.
func (c *reading) commonForm() string {
	for i := len(c.name.words) - 1; i >= 0; i-- {
		switch w := c.name.at(i); {
		case w == "etf", w == "fund", w == "trust", w == "fundo", w == "notes", w == "fondo", w == "bds", w == "fii":
			return ""
		case companyForms[w]:
			return w
		}
	}
	return ""
}

// companySeat uses the source's country unless the ISIN contradicts it.
func (c *reading) companySeat() {
	t := read("country", c.Country)
	h, ok := known().countries.whole(&t)
	if !ok || len(h.values) == 0 {
		return
	}
	seat := h.values[0]
	if strings.EqualFold(strings.TrimSpace(c.Country), "United States") {
		seat = unitedStates
	}
	if seat == "region" || seat == "other" || c.homeContradicts(seat) {
		return
	}
	c.out.Domicile = seat
	c.says("domicile", seat, &t, h, false)
}

// homeContradicts reports whether ISIN or listing contradict the country: an ISIN of a
// third country that is not a centre where companies from everywhere are registered.
func (c *reading) homeContradicts(country string) bool {
	if country == unitedStates && c.domicile == "" && homeVenues[strings.ToUpper(c.Exchange)] != "" {
		return true // on an exchange that lists only its own country's companies
	}
	of := isinCountries[c.domicile]
	return of != "" && of != country
}

// isinCountries are the countries of ISINs that imply the company's country.
var isinCountries = map[string]string{
	"AR": "argentina", "AU": "australia", "AT": "austria", "BE": "belgium", "BR": "brazil", "CA": "canada", "CL": "chile",
	"CN": "china", "CO": "colombia", "DK": "denmark", "FI": "finland", "FR": "france", "DE": "germany", "GR": "greece",
	"IS": "iceland", "IN": "india", "ID": "indonesia", "IL": "israel", "IT": "italy", "JP": "japan",
	"KW": "kuwait", "MY": "malaysia", "MX": "mexico", "NZ": "new_zealand", "NO": "norway", "PH": "philippines",
	"PL": "poland", "QA": "qatar", "SA": "saudi_arabia", "ZA": "south_africa", "KR": "south_korea", "ES": "spain",
	"SE": "sweden", "TW": "taiwan", "TH": "thailand", "TR": "turkey", "VN": "vietnam", "US": "united_states",
}

// companyTax derives the tax form of shares of the United States: a partnership issues a
// K-1 unless it has chosen to be taxed as a corporation; a corporation issues a 1099.
func (c *reading) companyTax() {
	if !strings.EqualFold(strings.TrimSpace(c.Country), "United States") && !c.partnershipAbroad() {
		return
	}
	if c.domicile != "" && c.domicile != "US" {
		return
	}
	if c.mentions("notes", "debentures", "senior") {
		return // a debt security
	}
	for i := range c.name.words {
		switch w := c.name.at(i); {
		case w == "lp" && i > 0 && !taxedAsCorporation[c.name.at(0)+" "+c.name.at(1)]:
			c.out.TaxForm = "k1"
			c.ground("tax_form", "k1", "name", w, true)
			return
		case (w == "inc" || w == "corp" || w == "corporation" || w == "incorporated") && !c.partnershipAbroad() && c.usListed():
			c.out.TaxForm = "1099"
			c.ground("tax_form", "1099", "name", w, true)
			return
		}
	}
}

// usListed excludes companies that a vendor calls American, on an exchange that lists
// companies of its own country, unless an ISIN confirms it.
func (c *reading) usListed() bool {
	return c.american() || strings.EqualFold(c.Exchange, "PNK") || c.domicile == "US"
}

// partnershipAbroad recognises Bermuda's partnerships, which also issue a K-1.
func (c *reading) partnershipAbroad() bool {
	return strings.EqualFold(c.Country, "Bermuda") && c.nameHas("brookfield") && c.nameHas("partners")
}

// taxedAsCorporation lists partnerships that chose to be taxed as corporations, according
// to their annual reports, by the first two words of their names.
var taxedAsCorporation = map[string]bool{
	"plains gp": true, "viper energy": true, "kimbell royalty": true, "hess midstream": true, "enlink midstream": true,
	"golar lng": true, "gaslog partners": true, "knot offshore": true, "dynagas lng": true, "navios maritime": true,
	"capital product": true, "hoegh lng": true, "teekay offshore": true, "altera infrastructure": true, "rattler midstream": true,
	"noble midstream": true, "nextera energy": true, "black stone": false, "atlas pipeline": false, "clearway energy": true,
	"teekay lng": true, "kkr &": true, "carlyle group": true, "apollo global": true, "blackstone group": true, "ares management": true,
	"tallgrass energy": true, "antero midstream": true, "shell midstream": false, "western midstream": false, "seadrill partners": true,
	"transocean partners": true, "star group": true, "xplr infrastructure": true,
}

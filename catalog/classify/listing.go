package classify

// Listing is a source's description of one asset. Empty strings are unknown. Values
// are the source's own, in upper or lower case.
type Listing struct {
	Symbol        string // the listing's own, such as "IWDA.AS"
	Name          string
	Kind          string // etf, fund, stock, crypto, as the source file says
	Category      string
	CategoryGroup string
	Family        string // issuer or fund family
	Summary       string
	Exchange      string // code, such as "PCX"
	Currency      string // ISO code
	Country       string // of the company, in English
	Sector        string
	Industry      string
	LegalType     string // such as "Exchange Traded Fund"
	ISIN          string
}

// Classification is derived from the texts of a listing. Empty strings and nil slices
// are null.
type Classification struct {
	Type           string   // etf, fund, stock, crypto
	Wrapper        string   // one of Wrappers
	LegalStructure string   // one of LegalStructures
	TaxForm        string   // 1099, k1, pfic: what a holder in the United States receives or files
	TaxEvidence    string   // stated, derived; unclassified without tax form and legal structure
	AssetClass     string   // one of AssetClasses
	Leverage       float64  // signed daily multiple, 1 by default
	Inverse        bool     // leverage below zero
	Hedged         bool     // against currency movements
	Issuer         string   // canonical name of the issuer or fund family
	Country        string   // one of Countries: the mandate of a fund
	Domicile       string   // one of Domiciles: the seat of a company
	Tags           []string // dimension:value of the vocabulary, sorted, each once
	Evidence       []Evidence
}

// Evidence describes where one field's value comes from.
type Evidence struct {
	Field   string // of Classification, as on the wire: asset_class, leverage, tags …
	Value   string
	Source  string // field of Listing that gave the value: name, category, summary …
	Words   string // the words in it, folded
	Derived bool   // implied by the words through a rule; false if they state it
}

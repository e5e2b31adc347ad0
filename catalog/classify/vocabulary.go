package classify

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed vocabulary.txt
var vocabularyFile string

// The closed lists of single-valued fields.
var (
	types           = []string{"etf", "fund", "stock", "crypto"}
	wrappers        = []string{"etf", "etn", "etc", "mutual_fund", "money_market_fund", "closed_end_fund", "unit_investment_trust", "common_stock", "depositary_receipt", "preferred_stock", "warrant", "right", "unit", "coin", "stablecoin"}
	legalStructures = []string{"ric", "uit", "grantor_trust", "commodity_pool", "etn", "closed_end_trust"}
	taxForms        = []string{"1099", "k1", "pfic"}
	assetClasses    = []string{"equity", "fixed_income", "commodity", "currency", "alternatives", "asset_allocation"}
	countries       = []string{
		"argentina", "australia", "austria", "belgium", "brazil", "canada", "chile", "china", "colombia", "denmark",
		"finland", "france", "germany", "greece", "hong_kong", "iceland", "india", "indonesia", "ireland", "israel",
		"italy", "japan", "kuwait", "malaysia", "mexico", "netherlands", "new_zealand", "norway", "philippines",
		"poland", "qatar", "saudi_arabia", "singapore", "south_africa", "south_korea", "spain", "sweden",
		"switzerland", "taiwan", "thailand", "turkey", "united_arab_emirates", "united_kingdom", "vietnam",
	}
)

// Types returns the asset types.
func Types() []string { return slices.Clone(types) }

// Wrappers returns the values of Classification.Wrapper.
func Wrappers() []string { return slices.Clone(wrappers) }

// LegalStructures returns the values of Classification.LegalStructure.
func LegalStructures() []string { return slices.Clone(legalStructures) }

// TaxForms returns the values of Classification.TaxForm.
func TaxForms() []string { return slices.Clone(taxForms) }

// AssetClasses returns the values of Classification.AssetClass.
func AssetClasses() []string { return slices.Clone(assetClasses) }

// Countries returns the values of Classification.Country, sorted. The United States is
// not among them: it is a region of the vocabulary.
func Countries() []string { return slices.Clone(countries) }

// Domiciles returns the values of Classification.Domicile, sorted: Countries and
// the United States.
func Domiciles() []string {
	out := append(Countries(), unitedStates)
	slices.Sort(out)
	return out
}

const unitedStates = "united_states"

// Sectors returns the sectors, which are the values of the tag dimension sector.
func Sectors() []string {
	for _, d := range vocabulary {
		if d.Name == "sector" {
			return slices.Clone(d.Values)
		}
	}
	return nil
}

// Sector returns the sector that a source's words mean ("Financial Services" is
// financials), and false if they mean none.
func Sector(words string) (string, bool) {
	t := read("sector", words)
	h, ok := known().sectors.whole(&t)
	if !ok {
		return "", false
	}
	return h.values[0], true
}

// Dimension is one dimension of the tags and its values.
type Dimension struct {
	Name   string   // sector, commodity, theme, region, size, bond
	Values []string // in the file's order
}

var vocabulary = parseVocabulary(vocabularyFile)

// Vocabulary returns the dimensions of the tags with all their values.
func Vocabulary() []Dimension {
	out := slices.Clone(vocabulary)
	for i := range out {
		out[i].Values = slices.Clone(out[i].Values)
	}
	return out
}

// parseVocabulary reads lines of the form "dimension: value value …". A dimension may
// continue on further lines; # starts a comment.
func parseVocabulary(text string) []Dimension {
	var out []Dimension
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if name, values, ok := strings.Cut(line, ":"); ok {
			out = append(out, Dimension{Name: strings.TrimSpace(name)})
			line = values
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			last.Values = append(last.Values, strings.Fields(line)...)
		}
	}
	return out
}

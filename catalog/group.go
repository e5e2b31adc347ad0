package catalog

import (
	"slices"
	"strings"

	"ballast/catalog/classify"
	"ballast/internal/fault"
)

// groupings are the dimensions by which assets can be grouped: those of the vocabulary,
// and the fields with a closed list of values.
var groupings = append(classify.Vocabulary(),
	classify.Dimension{Name: "type", Values: classify.Types()},
	classify.Dimension{Name: "asset_class", Values: classify.AssetClasses()},
	classify.Dimension{Name: "legal_structure", Values: classify.LegalStructures()},
	classify.Dimension{Name: "tax_form", Values: classify.TaxForms()},
	classify.Dimension{Name: "country", Values: classify.Countries()},
	classify.Dimension{Name: "domicile", Values: classify.Domiciles()},
)

// CheckGroup returns what is wrong with dimension:value as the name of a group of assets,
// or nil. It accepts the tags of the vocabulary and the values of type, asset_class,
// legal_structure, tax_form, country and domicile.
func CheckGroup(tag string) *fault.Detail { return checkAmong(tag, groupings) }

// In reports whether the asset is in the group that CheckGroup accepts.
func (a *Asset) In(tag string) bool {
	name, value, _ := strings.Cut(tag, ":")
	switch name {
	case "type":
		return a.Type == value
	case "asset_class":
		return a.AssetClass == value
	case "legal_structure":
		return a.LegalStructure == value
	case "tax_form":
		return a.TaxForm == value
	case "country":
		return a.Country == value
	case "domicile":
		return a.Domicile == value
	}
	return slices.Contains(a.Tags, tag)
}

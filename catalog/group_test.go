package catalog_test

import (
	"testing"

	"ballast/catalog"
)

func TestAssetsAreInGroups(t *testing.T) {
	t.Parallel()
	a := &catalog.Asset{Type: "etf", AssetClass: "fixed_income", TaxForm: "1099", Tags: []string{"region:united_states", "bond:treasury"}}
	for tag, want := range map[string]bool{
		"type:etf": true, "type:stock": false, "asset_class:fixed_income": true, "asset_class:equity": false, "tax_form:1099": true,
		"region:united_states": true, "region:europe": false, "bond:treasury": true, "country:japan": false,
	} {
		if d := catalog.CheckGroup(tag); d != nil {
			t.Errorf("%s: %s", tag, d.Message)
		}
		if got := a.In(tag); got != want {
			t.Errorf("the asset is in %s: %v", tag, got)
		}
	}
}

func TestUnknownGroupsAreNamedWithTheNearest(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"asset_class:equty": "asset_class:equity", "regoin:europe": "region:europe", "europe": "region:europe", "asset_class:bond": "", "Type:etf": "type:etf",
	} {
		d := catalog.CheckGroup(tag)
		if d == nil {
			t.Errorf("%s is accepted", tag)
			continue
		}
		if d.Suggestion != want || len(d.Accepted) == 0 {
			t.Errorf("%s: the suggestion is %q, want %q, of %v", tag, d.Suggestion, want, d.Accepted)
		}
	}
}

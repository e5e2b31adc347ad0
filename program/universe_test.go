package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
)

func TestOneThingUnderTwoNames(t *testing.T) {
	t.Parallel()
	spy, agg, core := &catalog.Asset{ID: "asset_1"}, &catalog.Asset{ID: "asset_2"}, &Sheet{Model: Model{ID: "model_1"}}
	u := &Universe{
		Assets: map[string]*catalog.Asset{"SPY": spy, "spy": spy, "AGG": agg},
		Models: map[string]*Sheet{"CORE": core, "Core model": core},
	}
	got := u.Twice([]string{"SPY", "AGG", "CORE", "unknown", "spy", "Core model"})
	if diff := cmp.Diff(map[string]string{"spy": "SPY", "Core model": "CORE"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestWhatAnEntryMayHaveMeant(t *testing.T) {
	t.Parallel()
	own := []string{"CORE", "Core model"}
	for _, c := range []struct{ entry, asset, want string }{
		{"SPYY", "SPY", "SPY"},
		{"CORF", "", "CORE"},
		{"core", "CORN", "CORE"},  // a difference in case counts less than a different letter
		{"COREN", "CORN", "CORN"}, // a tie goes to the asset
		{"Core modell", "", "Core model"},
		{"nothing like it", "", ""},
	} {
		if got := closest(c.entry, c.asset, own); got != c.want {
			t.Errorf("%q: %q, want %q", c.entry, got, c.want)
		}
	}
}

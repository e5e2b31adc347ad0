package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
)

func TestOneThingUnderTwoNames(t *testing.T) {
	t.Parallel()
	spy, agg, core := &catalog.Asset{ID: "asset_1"}, &catalog.Asset{ID: "asset_2"}, &Sheet{Model: Model{ID: "model_1"}}
	u := &universe{
		assets: map[string]*catalog.Asset{"SPY": spy, "spy": spy, "AGG": agg},
		models: map[string]*Sheet{"CORE": core, "Core model": core},
	}
	got := u.twice([]string{"SPY", "AGG", "CORE", "unknown", "spy", "Core model"})
	if diff := cmp.Diff(map[string]string{"spy": "SPY", "Core model": "CORE"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

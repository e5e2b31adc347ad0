package api

import (
	"net/http"
	"testing"

	"ballast/internal/fault"
)

func TestLocationsOfFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		method, field, want string
		variables           map[string]string
	}{
		{http.MethodPost, "script", "body.script", nil},
		{http.MethodPost, "inputs.universe[1]", "body.inputs.universe[1]", map[string]string{"model": "m"}},
		{http.MethodPatch, "backfill", "path.backfill", map[string]string{"backfill": "SPY"}},
		{http.MethodPut, "base_hash", "body.base_hash", map[string]string{"model": "m"}},
		{http.MethodDelete, "run_id", "path.run_id", map[string]string{"run_id": "r"}},
		{http.MethodGet, "end_date", "query.end_date", map[string]string{"model": "m"}},
		{http.MethodGet, "model", "query.model", nil},
	} {
		details := []fault.Detail{{Field: test.field}, {Of: "run", Field: "inputs.weight"}, {Of: "script"}, {Location: "body.limit"}}
		got := (&exchange{method: test.method, variables: test.variables}).located(details)
		if got[0].Location != test.want || got[1].Location != "run.inputs.weight" || got[2].Location != "script" || got[3].Location != "body.limit" {
			t.Errorf("%s of %s: %+v", test.field, test.method, got)
		}
		if details[0].Location != "" {
			t.Error("the fault itself has changed")
		}
	}
}

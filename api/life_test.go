package api

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog/series"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

func TestPatchesDistinguishOmittedFromNull(t *testing.T) {
	t.Parallel()
	yes := true
	day := timeseries.NewDate(2024, 3, 8)
	left := program.ModelPatch{StartDate: program.Change[timeseries.Date]{To: timeseries.NoDate}}
	for _, test := range []struct {
		name, body string
		want       func(p *program.ModelPatch)
	}{
		{"nothing", `{}`, func(*program.ModelPatch) {}},
		{"nulls that clear nothing", `{"name":null,"symbol":null,"is_public":null,"auto_update":null,"notify_email":null,"start_rule":null}`, func(*program.ModelPatch) {}},
		{"an empty date", `{"start_date":""}`, func(p *program.ModelPatch) { p.StartDate.Given = true }},
		{"nulls", `{"is_favorite":null,"labels":null,"start_date":null}`, func(p *program.ModelPatch) {
			p.IsFavorite.Given, p.Labels.Given, p.StartDate.Given = true, true, true
		}},
		{"values", `{"is_favorite":true,"labels":["a"],"start_date":"2024-03-08","name":"N","symbol":"S","is_public":false,"start_rule":"date"}`, func(p *program.ModelPatch) {
			p.IsFavorite, p.Labels = program.Change[*bool]{Given: true, To: &yes}, program.Change[[]string]{Given: true, To: []string{"a"}}
			p.StartDate, p.StartRule = program.Change[timeseries.Date]{Given: true, To: day}, program.Change[string]{Given: true, To: "date"}
			p.Name, p.Symbol = program.Change[string]{Given: true, To: "N"}, program.Change[string]{Given: true, To: "S"}
			p.IsPublic.Given = true
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			if a := h.send(t, "PATCH", "/v1/models/SF", test.body); a.Code != http.StatusOK {
				t.Fatalf("%d %s", a.Code, a.body)
			}
			want := left
			test.want(&want)
			if diff := cmp.Diff(want, h.models.patch); diff != "" {
				t.Error(diff)
			}
		})
	}
	h := newHarness(t)
	if a := h.send(t, "PATCH", "/v1/runs/"+runID, `{"label":null}`); a.Code != http.StatusOK || !h.models.edit.Label.Given || h.models.edit.Shared.Given {
		t.Errorf("%d %+v", a.Code, h.models.edit)
	}
}

func TestWhatStrangersDoNotRead(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	trace := "Traceback…"
	s := h.models.sheet
	s.IsPublic, s.Warning, s.LastError, s.Failures = true, "The last rebuild failed", "secret", 2
	s.Failure = &program.Failure{Type: "script_error", Message: "m", Traceback: &trace}
	s.Blocked = []program.Blocker{{Reference: program.Reference{ID: "model_2", Symbol: "SECRET"}, Message: "secret"}}
	s.Build.Usage = &program.Usage{Units: 7}
	s.Live.Shared, s.Live.Failure = true, s.Failure
	got := h.send(t, "GET", "/v1/models/sixty-forty-1", "", "Authorization: Bearer "+bobKey).object(t)
	if got["warning"] != nil || got["usage"] != nil || got["error"].(map[string]any)["traceback"] != nil ||
		got["schedule"].(map[string]any)["last_error"] != nil || len(got["refresh"].(map[string]any)["blockers"].([]any)) != 0 {
		t.Errorf("%v", got)
	}
	run := h.send(t, "GET", "/v1/runs/"+runID, "", "Authorization: Bearer "+bobKey).object(t)
	if run["usage"] != nil || run["error"].(map[string]any)["traceback"] != nil {
		t.Errorf("%v", run)
	}
	own := h.send(t, "GET", "/v1/runs/"+runID, "").object(t)
	if own["usage"] == nil || own["error"].(map[string]any)["traceback"] != trace {
		t.Errorf("%v", own)
	}
}

func TestTheTrashHasItsOwnPaths(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	if got := h.send(t, "GET", "/v1/models/trash?limit=3&offset=2", "").object(t); got["total"] != 1.0 || h.models.paging != [2]int{3, 2} {
		t.Errorf("%v", got)
	}
	if got := h.send(t, "DELETE", "/v1/models/SF", "").object(t); got["deleted"] != true || got["purge_at"] != "2026-02-01T15:00:00Z" {
		t.Errorf("%v", got)
	}
	if got := h.send(t, "DELETE", "/v1/models/trash/"+modelID, "").object(t); got["deleted"] != true || got["purge_at"] != nil {
		t.Errorf("%v", got)
	}
	if got := h.send(t, "POST", "/v1/models/trash/"+modelID+"/restore", "").object(t); got["id"] != modelID {
		t.Errorf("%v", got)
	}
	if a := h.send(t, "DELETE", "/v1/runs/"+runID, ""); a.Code != http.StatusOK || len(h.models.deleted) != 3 {
		t.Errorf("%d %v", a.Code, h.models.deleted)
	}
	if a := h.send(t, "GET", "/v1/runs/compare?run_ids=a,b&run_ids=c&risk_free=0.01&benchmark=SPY", ""); a.Code != http.StatusOK {
		t.Errorf("%d %s", a.Code, a.body)
	}
	want := history.CompareQuery{RunIDs: []string{"a", "b", "c"}, RiskFree: series.Riskless{Annual: 0.01}, Benchmark: "SPY"}
	if diff := cmp.Diff(want, h.models.compare); diff != "" {
		t.Error(diff)
	}
}

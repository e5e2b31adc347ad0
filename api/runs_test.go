package api

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/program"
)

func TestRuns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query, body string
		running           bool
		status            int
		run               string
		result            bool
		want              program.RunRequest
	}{
		{name: "defaults", status: 202, run: "queued"},
		{name: "empty object", body: "{}", status: 202, run: "queued"},
		{name: "wait by query", query: "?wait=true", status: 200, run: "complete"},
		{name: "wait by body", body: `{"wait":true}`, status: 200, run: "complete"},
		{name: "wait with result", query: "?wait=true&include=result", status: 200, run: "complete", result: true},
		{name: "result without wait", query: "?include=result", status: 202, run: "queued"},
		{name: "still running after the wait", query: "?wait=true&include=result", running: true, status: 202, run: "running"},
		{name: "a snapshot", body: `{"inputs":{"start_date":"2010-01-01","n":2},"label":"l","from_run_id":"run_1","intent":"test"}`, status: 202, run: "queued",
			want: program.RunRequest{Inputs: map[string]any{"start_date": "2010-01-01", "n": 2.0}, Label: "l", FromRunID: "run_1", Intent: "test"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			if test.running {
				r := *h.models.sheet.Live
				r.Status, r.Summary, r.FinishedAt = program.RunRunning, nil, nil
				h.models.waited = &r
			}
			a := h.send(t, "POST", "/v1/models/SF/runs"+test.query, test.body)
			got := a.object(t)
			if a.Code != test.status || got["status"] != test.run {
				t.Fatalf("%d %s", a.Code, a.body)
			}
			if _, ok := got["result"]; ok != test.result {
				t.Errorf("result present: %v", ok)
			}
			if d := cmp.Diff(test.want, h.models.request); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRunWithItsResult(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.sheet.Live.Shared = true
	plain := h.send(t, "GET", "/v1/runs/"+runID, "", "Authorization: Bearer "+bobKey)
	if got := plain.object(t); got["result"] != nil || got["url"] != "https://ballast.example/run/"+runID {
		t.Errorf("%s", plain.body)
	}
	full := h.send(t, "GET", "/v1/runs/"+runID+"?include=result", "")
	result := full.object(t)["result"].(map[string]any)
	if len(result["returns"].([]any)) != 5 || result["allocation"] == nil || result["metrics"] == nil || !h.models.query.Full {
		t.Errorf("%s", full.body)
	}
}

func TestAFailedRunAndItsModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	line, date, trace := 7, "2008-09-15", "Traceback…"
	failure := &program.Failure{Type: "script_error", Message: "weight of QQQ is not a number", Line: &line, Date: &date, Traceback: &trace}
	s := h.models.sheet
	s.Status, s.Failure, s.Live, s.LiveRunID = program.StatusFailed, failure, nil, ""
	s.Build.Status, s.Build.Failure = program.RunFailed, failure
	model := h.send(t, "GET", "/v1/models/SF", "").object(t)
	if model["status"] != "failed" || model["error"].(map[string]any)["line"] != 7.0 || model["refresh"].(map[string]any)["state"] != "blocked" {
		t.Errorf("%v", model)
	}
	build := h.send(t, "GET", "/v1/builds/"+buildID, "").object(t)
	if build["error"].(map[string]any)["traceback"] != trace || build["script"] == "" {
		t.Errorf("%v", build)
	}
}

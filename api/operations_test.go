package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog/series"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

func TestCreateModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.sheet.Status, h.models.sheet.LiveRunID = program.StatusBuilding, ""
	h.models.sheet.InFlight, h.models.sheet.Live = h.models.sheet.Live, nil
	h.models.sheet.InFlight.Status = program.RunQueued
	a := h.send(t, "POST", "/v1/models", `{"script":"def decide(ctx): ...","prompt":"p","auto_update":false}`)
	if a.Code != http.StatusAccepted {
		t.Fatalf("%d %s", a.Code, a.body)
	}
	no := false
	yes := true
	want := []program.CreateRequest{{Script: "def decide(ctx): ...", Prompt: "p", AutoUpdate: &no, NotifyEmail: &yes}}
	if d := cmp.Diff(want, h.models.created); d != "" {
		t.Error(d)
	}
	got := a.object(t)
	if got["status"] != "building" || got["window"] != nil || got["metadata"] != nil || got["live_run_id"] != nil {
		t.Errorf("%s", a.body)
	}
	run := got["run"].(map[string]any)
	if run["id"] != runID || run["kind"] != "create" || run["status"] != "queued" {
		t.Errorf("run %v", run)
	}
	if d := cmp.Diff([]any{"SPY", "AGG"}, got["universe"]); d != "" { // the script's default before the first result
		t.Error(d)
	}
}

func TestFactSheet(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.sheet.HeldBy = []program.Reference{{ID: "model_2", Name: "Holder", Symbol: "H"}}
	for _, ref := range []string{modelID, "SF", "sixty-forty-1", "Sixty%20forty"} {
		a := h.send(t, "GET", "/v1/models/"+ref, "")
		if a.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", ref, a.Code, a.body)
		}
		got := a.object(t)
		for field, want := range map[string]string{
			"window":       `{"base":"2003-09-29","start":"2003-09-30","end":"2025-09-26","rule":"all_members","start_date":null,"full_start":"2003-09-30","constrained_by":["AGG"],"backfill_gain":{"first":"1993-01-29","sessions":2691}}`,
			"structure":    `{"models":0,"assets":2}`,
			"availability": `{"partial":"1993-01-29","complete":"2003-09-29","members":{"AGG":"2003-09-29","SPY":"1993-01-29"},"members_last":{"AGG":"2025-09-26","SPY":"2025-09-26"},"backfills":null}`,
			"refresh":      `{"state":"stale","requested_session":"2025-09-26","next_retry":null,"blockers":[]}`,
			"held_by":      `[{"id":"model_2","name":"Holder","symbol":"H"}]`,
			"labels":       `["core"]`, "is_owner": "true", "error": "null", "run": "null", "script_url": `"https://ballast.example/v1/models/sixty-forty-1/script"`,
		} {
			var value any
			if err := json.Unmarshal([]byte(want), &value); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(value, got[field]); d != "" {
				t.Errorf("%s: %s", field, d)
			}
		}
	}
}

func TestAStrangersViewOfAPublicModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.sheet.IsPublic = true
	h.models.sheet.HeldBy = []program.Reference{{ID: "model_2", Name: "Holder", Symbol: "H"}}
	got := h.send(t, "GET", "/v1/models/sixty-forty-1", "", "Authorization: Bearer "+bobKey).object(t)
	if got["is_owner"] != false || got["labels"] != nil || got["prompt"] != "" || len(got["held_by"].([]any)) != 0 {
		t.Errorf("%v", got)
	}
	if a := h.send(t, "GET", "/v1/models/SF", "", "Authorization: Bearer "+bobKey); a.Code != http.StatusNotFound {
		t.Errorf("by symbol: %d", a.Code)
	}
}

func TestNamesMayHoldSlashes(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.sheet.Name = "60/40 ä"
	if a := h.send(t, "GET", "/v1/models/60%2F40%20%C3%A4/runs", ""); a.Code != http.StatusOK {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestModelFilters(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.send(t, "GET", "/v1/models?status=active&is_favorite=false&labels=Core,eu&labels=Tax&limit=7&offset=3", "")
	no := false
	want := program.ModelFilter{Status: "active", Favorite: &no, Labels: []string{"Core", "eu", "Tax"}, Limit: 7, Offset: 3}
	if d := cmp.Diff(want, h.models.filter); d != "" {
		t.Error(d)
	}
	a := h.send(t, "GET", "/v1/models", "", "Authorization: Bearer "+bobKey)
	if a.body != `{"data":[],"total":0}`+"\n" {
		t.Errorf("Bob's list: %s", a.body)
	}
	if d := cmp.Diff(program.ModelFilter{Limit: 50}, h.models.filter); d != "" {
		t.Error(d)
	}
}

func TestHistoryBlocks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query  string
		blocks []string
		want   history.Query
	}{
		{"", []string{"returns"}, history.Query{Returns: true}},
		{"?include=allocation", []string{"allocation"}, history.Query{Allocation: true}},
		{"?include=holdings,metrics", []string{"allocation", "metrics"}, history.Query{Allocation: true, Metrics: true}},
		{"?include=returns&include=positions&full_history=true&risk_free=0.02&benchmark=SPY&run_id=run_1", []string{"allocation", "returns"},
			history.Query{Returns: true, Allocation: true, Full: true, RiskFree: series.Riskless{Annual: .02}, Benchmark: "SPY", RunID: "run_1"}},
		{"?start_date=2004-01-02&end_date=2004-02-03", []string{"returns"},
			history.Query{Returns: true, Start: timeseries.NewDate(2004, 1, 2), End: timeseries.NewDate(2004, 2, 3)}},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			got := h.send(t, "GET", "/v1/models/SF/history"+test.query, "").object(t)
			if test.want.Start == 0 {
				test.want.Start, test.want.End = timeseries.NoDate, timeseries.NoDate
			}
			if d := cmp.Diff(test.want, h.models.query); d != "" {
				t.Error(d)
			}
			var blocks []string
			for _, name := range []string{"allocation", "metrics", "returns"} {
				if _, ok := got[name]; ok {
					blocks = append(blocks, name)
				}
			}
			if d := cmp.Diff(test.blocks, blocks); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestHistoryWritesWhatItHolds(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.send(t, "GET", "/v1/models/SF/history?include=returns,allocation", "")
	var got struct {
		Dates      []string
		Returns    []float64
		Window     map[string]string
		Allocation struct {
			Weights    map[string][]float64
			Rebalances []struct {
				Date, Decided, Reason string
				Turnover              float64
				Trades                map[string]map[string]float64
			}
		}
		Labels map[string]map[string]string
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	want := h.models.history
	if d := cmp.Diff(want.Returns, got.Returns); d != "" {
		t.Error(d)
	}
	for i, key := range want.Allocation.Keys {
		if d := cmp.Diff(want.Allocation.Weights[i], got.Allocation.Weights[key]); d != "" {
			t.Error(key, d)
		}
	}
	for i, d := range want.Dates {
		if got.Dates[i] != d.String() {
			t.Errorf("date %d is %s, want %s", i, got.Dates[i], d)
		}
	}
	if d := cmp.Diff(map[string]string{"base": "2003-09-29", "start": "2003-09-30", "end": "2003-10-06"}, got.Window); d != "" {
		t.Error(d)
	}
	if r := got.Allocation.Rebalances[0]; r.Turnover != .02 || r.Trades["SPY"]["traded"] != -.01 || r.Decided != "2003-09-30" {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(map[string]string{"kind": "cash", "name": "Cash"}, got.Labels["CASH"]); d != "" {
		t.Error(d)
	}
}

func TestAnEmptyWindow(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.history.Dates, h.models.history.Returns = []timeseries.Date{}, []float64{}
	a := h.send(t, "GET", "/v1/models/SF/history?include=returns,metrics", "")
	got := a.object(t)
	if a.Code != http.StatusOK || len(got["dates"].([]any)) != 0 || len(got["returns"].([]any)) != 0 {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if got["metrics"].(map[string]any)["cagr"] != nil {
		t.Errorf("cagr of nothing is %v", got["metrics"])
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for _, target := range []string{"/v1/models/SF/runs?limit=200&offset=9", "/v1/models/SF/builds?limit=200&offset=9"} {
		a := h.send(t, "GET", target, "")
		if a.Code != http.StatusOK || a.object(t)["total"] != 1.0 || h.models.paging != [2]int{200, 9} {
			t.Errorf("%s: %d %v", target, a.Code, h.models.paging)
		}
		if strings.Contains(a.body, `"script":`) {
			t.Errorf("%s shows a script", target)
		}
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.send(t, "GET", "/v1/assets?q=s%26p%20500&type=etf&delisted=true&limit=5&offset=1", "")
	if f := h.catalog.filter; f.Query != "s&p 500" || f.Type != "etf" || !f.Delisted || f.Limit != 5 || f.Offset != 1 {
		t.Errorf("%+v", f)
	}
	for _, ref := range []string{"SPY", "spy", assetID} {
		if got := h.send(t, "GET", "/v1/assets/"+ref, "").object(t); got["symbol"] != "SPY" || got["tax_evidence"] != "unclassified" || got["country"] != nil || got["price_coverage"] != "stored" {
			t.Errorf("%v", got)
		}
	}
	got := h.send(t, "GET", "/v1/assets/SPY/history?include=metrics&backfill=false&start_date=2003-10-01&risk_free=0.01&benchmark=AGG", "").object(t)
	if got["status"] != "ready" || len(got["returns"].([]any)) != 5 || got["metrics"] == nil || got["data_edge"] != "2003-10-06" {
		t.Errorf("%v", got)
	}
	if q := h.catalog.query; !q.Metrics || q.RiskFree.Annual != .01 || q.Benchmark != "AGG" || q.Start != timeseries.NewDate(2003, 10, 1) || q.End != timeseries.NoDate {
		t.Errorf("%+v", q)
	}
}

func TestAccountAndKeys(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(c *Config) { c.Now = func() time.Time { return epoch } })
	if got := h.send(t, "GET", "/v1/account/profile", "").object(t); got["id"] != alice || got["kind"] != "api_key" || got["email"] != nil {
		t.Errorf("%v", got)
	}
	if got := h.send(t, "GET", "/v1/account", "").object(t); got["plan"] != "business" || got["collections"].(map[string]any)["models"] != 1.0 {
		t.Errorf("%v", got)
	}
	made := h.send(t, "POST", "/v1/account/keys", `{"name":"notebook"}`)
	key := made.object(t)
	if made.Code != http.StatusCreated || !strings.HasPrefix(fmt.Sprint(key["key"]), fmt.Sprint(key["prefix"])) {
		t.Errorf("%d %s", made.Code, made.body)
	}
	listed := h.send(t, "GET", "/v1/account/keys?limit=1", "")
	if strings.Contains(listed.body, fmt.Sprint(key["key"])) || listed.object(t)["total"] != 1.0 {
		t.Errorf("%s", listed.body)
	}
	if got := h.send(t, "DELETE", "/v1/account/keys/"+fmt.Sprint(key["id"]), "").object(t); got["revoked_at"] == nil {
		t.Errorf("%v", got)
	}
}

func TestReferencePage(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.send(t, "GET", "/docs", "", "Authorization: ")
	if a.Code != http.StatusOK || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("%d", a.Code)
	}
	for _, item := range h.parsed.document.Paths.Map() {
		for _, o := range item.Operations() {
			if !strings.Contains(a.body, `id="`+o.OperationID+`"`) {
				t.Errorf("the page lacks %s", o.OperationID)
			}
		}
	}
	for _, r := range refusals {
		if !strings.Contains(a.body, `id="error-`+string(r.Type)+`"`) {
			t.Errorf("the page lacks %s", r.Type)
		}
	}
	for _, outside := range []string{"<script", "<link", "src=", "@import", "url("} {
		if strings.Contains(a.body, outside) {
			t.Errorf("the page has %s", outside)
		}
	}
}

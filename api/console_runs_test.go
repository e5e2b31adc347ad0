package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"ballast/internal/fault"
)

const fakeInputs = `{"type":"object","properties":{
	"universe":{"type":"array","default":["SPY","AGG"]},
	"lookback":{"type":"integer","title":"Look back","description":"how far <b>back</b>","minimum":1,"maximum":36,"default":10,"unit":"months"},
	"hedged":{"type":"boolean","default":true},
	"how":{"type":"string","enum":["fast","slow"],"default":"slow"},
	"start_date":{"type":"string","format":"date","default":null,"role":"advanced"}}}`

// withInputs gives the model and its run inputs of every type.
func withInputs(h *harness) {
	h.models.sheet.Build.InputsSchema = json.RawMessage(fakeInputs)
	h.models.sheet.Live.InputsSchema = json.RawMessage(fakeInputs)
	h.models.sheet.Live.Inputs = json.RawMessage(`{"universe":["SPY","AGG"],"lookback":12,"hedged":false,"how":"fast","start_date":null}`)
}

func TestConsoleAsksForInputs(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	withInputs(h)
	browse := signedIn(t, h)
	address := "/console/models/" + h.models.sheet.Slug + "/runs/new"
	page := browse("GET", address, "").body
	for _, want := range []string{
		`name="input.lookback" value="10" step="1" min="1" max="36"`, "SPY\nAGG</textarea>", `name="input.hedged" value="true" checked`, `<option selected>slow</option>`,
		`type="date"`, "Look back, months", "1 to 36; by default 10", "How far &lt;b&gt;back&lt;/b&gt;.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("lacks %s", want)
		}
	}
	page = browse("GET", address+"?from="+runID, "").body
	for _, want := range []string{`value="12" step="1"`, `name="input.hedged" value="true" aria`, `<option selected>fast</option>`} {
		if !strings.Contains(page, want) {
			t.Errorf("from a run: lacks %s", want)
		}
	}
}

// A what-if is the run that the REST interface would start, once however often its form is
// sent.
func TestConsoleStartsRuns(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	withInputs(h)
	browse := signedIn(t, h)
	base := "/console/models/" + h.models.sheet.Slug
	address := base + "/runs/new"
	form := url.Values{"key": {keyOf(t, browse("GET", address, "").body)}, "input.universe": {"SPY\r\n\r\n AGG "}, "input.lookback": {"6"}, "input.how": {"fast"}, "input.start_date": {""}, "label": {"short"}}
	for range 2 {
		if a := browse("POST", address, form.Encode()); a.Code != http.StatusSeeOther || a.Header().Get("Location") != base+"/runs/"+runID {
			t.Fatalf("%d to %s: %s", a.Code, a.Header().Get("Location"), a.body)
		}
	}
	if len(h.models.started) != 1 {
		t.Fatalf("%d runs were started", len(h.models.started))
	}
	got, err := json.Marshal(h.models.started[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"Inputs":{"hedged":false,"how":"fast","lookback":6,"universe":["SPY","AGG"]},"FromRunID":"","Label":"short","Intent":"test"}`; string(got) != want {
		t.Errorf("%s", got)
	}
	// The universe of the run that the form started from keeps its meaning.
	form.Set("from", runID)
	browse("POST", address, form.Encode())
	if last := h.models.started[1]; last.FromRunID != runID || last.Inputs["universe"] != nil || last.Inputs["lookback"] != 6.0 {
		t.Errorf("%+v", last)
	}
	form.Set("input.lookback", "") // the default, and not what that run had
	browse("POST", address, form.Encode())
	if last := h.models.started[2]; last.FromRunID != "" || last.Inputs["universe"] == nil {
		t.Errorf("%+v", last)
	}
	h.models.refused = fault.New(fault.InvalidInputs, "The inputs do not fit.").With(fault.Detail{Field: "inputs.lookback", Message: "is 99, more than 36"})
	form.Set("input.lookback", "99")
	if a := browse("POST", address, form.Encode()); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, `<p class="warning" id="problem-lookback">Is 99, more than 36.</p>`) || !strings.Contains(a.body, `value="99"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	h.models.refused = nil
	if a := browse("POST", address, "action=refresh"); a.Code != http.StatusSeeOther || h.models.started[4].Inputs != nil || h.models.started[4].Intent != "" {
		t.Errorf("%d %+v", a.Code, h.models.started)
	}
}

func TestConsoleSharesAndComparesRuns(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	withInputs(h)
	browse := signedIn(t, h)
	address := "/console/models/" + h.models.sheet.Slug + "/runs/" + runID
	for action, shared := range map[string]bool{"share": true, "unshare": false} {
		if a := browse("POST", address, "action="+action); a.Code != http.StatusSeeOther || !h.models.edit.Shared.Given || h.models.edit.Shared.To != shared || h.models.edit.Label.Given {
			t.Errorf("%s: %d %+v", action, a.Code, h.models.edit)
		}
	}
	if a := browse("GET", address, ""); a.Code != http.StatusOK || !strings.Contains(a.body, "not the default") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	a := browse("GET", "/console/compare?run="+runID+"&run=run_2", "")
	if a.Code != http.StatusOK || !strings.Contains(a.body, "<polyline") || !strings.Contains(a.body, "Max drawdown") || strings.Contains(a.body, "style=") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	for _, bad := range []string{"", "?run=" + runID, "?run=" + strings.Repeat("&run=r", 9)} {
		if a := browse("GET", "/console/compare"+bad, ""); a.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", bad, a.Code)
		}
	}
	h.models.sheet.Live.ProgramID = "model_of_another"
	if a := browse("GET", address, ""); a.Code != http.StatusNotFound {
		t.Errorf("another model's run: %d", a.Code)
	}
}

func TestConsoleChangesSettings(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	address := "/console/models/" + h.models.sheet.Slug
	form := url.Values{"name": {"Renamed"}, "symbol": {h.models.sheet.Symbol}, "labels": {"core"}, "auto_update": {"on"}, "public": {"on"}}
	if a := browse("POST", address, form.Encode()); a.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", a.Code, a.body)
	}
	p := h.models.patch
	if p.Name.To != "Renamed" || !p.IsPublic.To || !p.NotifyEmail.Given || p.NotifyEmail.To || p.Symbol.Given || p.Labels.Given || p.AutoUpdate.Given {
		t.Errorf("%+v", p)
	}
	h.models.refused = fault.New(fault.SymbolTaken, "Another model has it.").With(fault.Detail{Field: "symbol", Message: "is taken"})
	form.Set("symbol", "OTHER")
	if a := browse("POST", address, form.Encode()); a.Code != http.StatusConflict || !strings.Contains(a.body, `value="OTHER"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

// A form that is sent twice, even at the same time, makes one model. One that was edited
// in between makes another.
func TestConsoleMakesAModelOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	page := browse("GET", "/console/new", "").body
	if !strings.Contains(page, "A build holds at least 20 cents") {
		t.Error("the page does not say what a build costs")
	}
	form := url.Values{"key": {keyOf(t, page)}, "from": {"words"}, "prompt": {"60% SPY and 40% AGG"}, "action": {"create"}}
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if a := browse("POST", "/console/new", form.Encode()); a.Code != http.StatusSeeOther || !strings.HasSuffix(a.Header().Get("Location"), "?watch=1") {
				t.Errorf("%d %s", a.Code, a.body)
			}
		})
	}
	wait.Wait()
	if len(h.models.created) != 1 {
		t.Fatalf("%d models were made", len(h.models.created))
	}
	form.Set("prompt", "70% SPY and 30% AGG")
	if browse("POST", "/console/new", form.Encode()); len(h.models.created) != 2 {
		t.Errorf("%d models were made", len(h.models.created))
	}
}

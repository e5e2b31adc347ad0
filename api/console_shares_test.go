package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/shares"
)

const (
	fakeShareID = "share_1"
	fakeToken   = "AAAAAAAAAAAAAAAAAAAAAA"
)

// fakeShares keeps the shares that were made and what was done with them.
type fakeShares struct {
	mu    sync.Mutex
	made  []shares.Request
	list  []*shares.Share
	asked []string
	fail  error
}

func (f *fakeShares) Create(_ context.Context, accountID string, r shares.Request) (*shares.Share, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return nil, "", f.fail
	}
	s := r.Share
	s.ID, s.AccountID, s.ProgramID, s.ProgramName, s.Kind, s.RunID, s.CreatedAt = fakeShareID, accountID, modelID, `<b>"Sixty"</b>`, program.KindModel, r.Run, epoch
	f.made, f.list = append(f.made, r), append(f.list, &s)
	return &s, fakeToken, nil
}

func (f *fakeShares) Shares(context.Context, string, string, string, int, int) ([]*shares.Share, int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.list), len(f.list), nil
}

func (f *fakeShares) Share(_ context.Context, _, id string) (*shares.Share, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.list {
		if s.ID == id {
			return s, nil
		}
	}
	return nil, fault.Missing("share", id)
}

func (f *fakeShares) Patch(_ context.Context, _, id string, p shares.Patch) (*shares.Share, error) {
	f.asked = append(f.asked, "patch "+id)
	if f.fail == nil {
		f.list[0].Paused = *p.Paused
	}
	return nil, f.fail
}

func (f *fakeShares) Delete(_ context.Context, _, id string) error {
	f.asked = append(f.asked, "delete "+id)
	return f.fail
}

// sharing is a server with shares, and a browser that has signed in.
func sharing(t *testing.T) (*fakeShares, *harness, func(method, path, form string, headers ...string) answer) {
	t.Helper()
	kept := &fakeShares{}
	h := newHarness(t, func(c *Config) { c.Shares = kept })
	return kept, h, signedIn(t, h)
}

// The address of a share is in the answer to its form alone. A form that is sent twice
// makes one share.
func TestConsoleSharesAModelOnce(t *testing.T) {
	t.Parallel()
	kept, h, browse := sharing(t)
	base := "/console/models/" + h.models.sheet.Slug
	if a := browse("GET", base, ""); !strings.Contains(a.body, `href="`+base+`/share"`) {
		t.Error("the page of the model does not lead to the form")
	}
	page := browse("GET", base+"/share", "").body
	if offered, ticked := strings.Count(page, `name="panel"`), strings.Count(page, " checked>"); offered != len(shares.Panels)-1 || ticked != offered {
		t.Errorf("%d parts are offered and %d are ticked: %s", offered, ticked, page)
	}
	form := url.Values{"key": {keyOf(t, page)}, "name": {" For Carol "}, "panel": {"growth", "figures"}, "show_script": {"true"}, "last_day": {"2030-12-31"}}
	var answers [2]answer
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = browse("POST", base+"/share", form.Encode()) })
	}
	wait.Wait()
	shown := 0
	for _, a := range answers {
		switch {
		case a.Code == http.StatusOK && strings.Contains(a.body, `/share/`+fakeToken+`"`):
			shown++
			for _, want := range []string{`/share/` + fakeToken + `/chart.svg"`, `&lt;iframe src=&#34;`, `/embed&#34; title=&#34;&amp;lt;b&amp;gt;`, "For Carol"} {
				if !strings.Contains(a.body, want) {
					t.Errorf("lacks %s: %s", want, a.body)
				}
			}
		case a.Code != http.StatusSeeOther:
			t.Errorf("%d %s", a.Code, a.body)
		default:
			if again := browse("GET", a.Header().Get("Location"), "").body; !strings.Contains(again, "was shown once") || strings.Contains(again, fakeToken) {
				t.Errorf("the second time: %s", again)
			}
		}
		if strings.Contains(a.body, "<b>") {
			t.Error("the name became markup")
		}
	}
	if shown != 1 || len(kept.made) != 1 {
		t.Fatalf("the address was shown %d times, and %d shares were made", shown, len(kept.made))
	}
	r := kept.made[0]
	if r.Model != modelID || r.Run != "" || r.Share.Name != "For Carol" || !slices.Equal(r.Share.Panels, []string{"growth", "figures"}) || !r.Share.ShowScript || r.Share.ShowAmounts || r.Share.Paused {
		t.Errorf("%+v", r)
	}
	if end := r.Share.ExpiresAt; end == nil || end.Format("2006-01-02T15:04:05Z07:00") != "2031-01-01T00:00:00Z" {
		t.Errorf("it ends at %v", end)
	}
}

// All parts are sent as none, which means those of the future too. Therefore a form without
// a tick is refused.
func TestConsoleSharesARun(t *testing.T) {
	t.Parallel()
	kept, h, browse := sharing(t)
	base := "/console/models/" + h.models.sheet.Slug + "/runs/" + runID
	if a := browse("GET", base, ""); !strings.Contains(a.body, `href="`+base+`/share"`) {
		t.Error("the page of the run does not lead to the form")
	}
	all := url.Values{"panel": slices.DeleteFunc(slices.Clone(shares.Panels), func(p string) bool { return p == "answer" })}
	if a := browse("POST", base+"/share", all.Encode()); a.Code != http.StatusOK || len(kept.made) != 1 || kept.made[0].Run != runID || kept.made[0].Model != "" || kept.made[0].Share.Panels != nil || kept.made[0].Share.ExpiresAt != nil {
		t.Errorf("%d %+v", a.Code, kept.made)
	}
	for form, want := range map[string]string{
		"name=kept":               "Tick at least one part of the page.",
		"panel=answer":            "Tick at least one part of the page.", // pages of models have no such part
		"panel=inputs":            "The inputs are shown only with the script",
		"panel=run&last_day=soon": "The last day is a date such as 2030-12-31",
	} {
		if a := browse("POST", base+"/share", form); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, `-problem">`+want) {
			t.Errorf("%s: %d %s", form, a.Code, a.body)
		}
	}
	if a := browse("POST", base+"/share", "name=kept&panel=run&panel=growth&last_day=x"); strings.Count(a.body, " checked>") != 2 || !strings.Contains(a.body, `value="kept"`) {
		t.Errorf("what was typed is lost: %s", a.body)
	}
	kept.fail = fault.New(fault.RunIncomplete, "The run has no result.")
	if a := browse("POST", base+"/share", "panel=run"); a.Code != http.StatusConflict || !strings.Contains(a.body, "has no result") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if len(kept.made) != 1 {
		t.Errorf("%d shares were made", len(kept.made))
	}
	h.models.sheet.Live.Status = program.RunFailed
	if a := browse("GET", base, ""); strings.Contains(a.body, base+"/share") {
		t.Error("a failed run leads to the form")
	}
	h.models.sheet.AccountID = "account_of_another"
	for _, address := range []string{base + "/share", "/console/models/" + h.models.sheet.Slug + "/share"} {
		if a := browse("POST", address, "panel=run"); a.Code != http.StatusNotFound {
			t.Errorf("another account's: %d", a.Code)
		}
	}
}

func TestConsoleListsShares(t *testing.T) {
	t.Parallel()
	kept, _, browse := sharing(t)
	if a := browse("GET", "/console/shares", ""); a.Code != http.StatusOK || !strings.Contains(a.body, "There is no share yet") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	kept.list = []*shares.Share{
		{ID: fakeShareID, ProgramID: modelID, ProgramName: "<i>Sixty</i>", Kind: program.KindModel, Name: "<u>Carol</u>", Views: 1234, LastViewed: &epoch, ExpiresAt: &epoch, CreatedAt: epoch},
		{ID: "share_2", ProgramID: "simulation_1", ProgramName: "Spend", Kind: "simulation", RunID: runID, Paused: true, CreatedAt: epoch},
	}
	a := browse("GET", "/console/shares", "")
	for _, want := range []string{"&lt;i&gt;Sixty", "&lt;u&gt;Carol", ">1234<", "<td>expired</td>", "<td>paused</td>", `href="/console/models/` + modelID + `"`, "one run", `value="resume"`, `value="pause"`, `<td>never</td>`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("lacks %s: %s", want, a.body)
		}
	}
	for action, asked := range map[string]string{"pause": "patch share_1", "resume": "patch share_1", "end": "delete share_1"} {
		if a := browse("POST", "/console/shares/share_1", "action="+action); a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/console/shares" || kept.asked[len(kept.asked)-1] != asked {
			t.Errorf("%s: %d %v", action, a.Code, kept.asked)
		}
		if action != "end" && kept.list[0].Paused != (action == "pause") {
			t.Errorf("%s: paused %v", action, kept.list[0].Paused)
		}
	}
	before := len(kept.asked)
	if a := browse("POST", "/console/shares/share_1", "action=anything"); a.Code != http.StatusUnprocessableEntity || len(kept.asked) != before {
		t.Errorf("an unknown action: %d %v", a.Code, kept.asked)
	}
	kept.fail = fault.New(fault.NotReady, "The model is in the Trash.")
	if a := browse("POST", "/console/shares/share_2", "action=resume"); a.Code != http.StatusConflict || !strings.Contains(a.body, "is in the Trash") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := browse("POST", "/console/shares/share_1", "action=end", "Origin: https://evil.example"); a.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", a.Code)
	}
}

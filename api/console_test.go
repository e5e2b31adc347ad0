package api

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"ballast/api/limit"
	"ballast/internal/fault"
)

// signedIn returns a function that sends requests of a browser that is signed in.
func signedIn(t *testing.T, h *harness) func(method, path, form string, headers ...string) answer {
	t.Helper()
	cookie := cookieOf(t, h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: "))
	return func(method, path, form string, headers ...string) answer {
		t.Helper()
		return h.send(t, method, path, form, append([]string{"Authorization: ", "Cookie: " + cookie, "Content-Type: application/x-www-form-urlencoded"}, headers...)...)
	}
}

func TestConsoleNeedsASession(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for path, to := range map[string]string{
		"/console": "/signin?return_to=%2Fconsole", "/console?status=active": "/signin?return_to=%2Fconsole%3Fstatus%3Dactive", "/console/trash": "/signin?return_to=%2Fconsole%2Ftrash",
	} {
		if a := h.send(t, "GET", path, "", "Authorization: "); a.Code != http.StatusSeeOther || a.Header().Get("Location") != to {
			t.Errorf("%s: %d to %s", path, a.Code, a.Header().Get("Location"))
		}
	}
	if a := h.send(t, "POST", "/console/models/"+modelID+"/delete", "", "Authorization: "); a.Code != http.StatusSeeOther || len(h.models.deleted) > 0 {
		t.Errorf("a stranger: %d, deleted %v", a.Code, h.models.deleted)
	}
}

func TestConsoleListsModels(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	h.models.sheet.Name = `<img src=x onerror=alert(1)>`
	a := browse("GET", "/console?status=active&sort=-sharpe&label=core&favorite=true&page=3", "")
	if a.Code != http.StatusOK || !strings.Contains(a.body, "&lt;img src=x onerror=alert(1)&gt;") || strings.Contains(a.body, "<img") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	f := h.models.filter
	if f.Status != "active" || f.Sort.By != "sharpe" || !f.Sort.Descending || len(f.Labels) != 1 || f.Favorite == nil || f.Offset != 50 || !f.Figures {
		t.Errorf("%+v", f)
	}
	for _, want := range []string{`<svg class="spark"`, `aria-sort="descending"`, `href="/console?favorite=true&amp;label=core&amp;sort=sharpe&amp;status=active"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("lacks %s", want)
		}
	}
	for _, bad := range []string{"status=odd", "sort=odd", "page=0", "page=x"} {
		if a := browse("GET", "/console?"+bad, ""); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, `role="alert"`) {
			t.Errorf("%s: %d", bad, a.Code)
		}
	}
}

func TestConsoleHeaders(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	nonce := regexp.MustCompile(`nonce-([A-Z2-7]+)'`)
	seen := map[string]bool{}
	for range 2 {
		a := browse("GET", "/console", "")
		policy := a.Header().Get("Content-Security-Policy")
		found := nonce.FindStringSubmatch(policy)
		if found == nil || seen[found[1]] || !strings.Contains(a.body, `nonce="`+found[1]+`"`) || !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Fatalf("%s", policy)
		}
		seen[found[1]] = true
		if a.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%v", a.Header())
		}
	}
	body := browse("GET", "/console", "").body
	for _, address := range regexp.MustCompile(`/console/assets/[^"]+`).FindAllString(body, -1) {
		file := h.send(t, "GET", address, "", "Authorization: ")
		if file.Code != http.StatusOK || !strings.Contains(file.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d", address, file.Code)
		}
	}
	if a := h.send(t, "GET", "/console/assets/console.js", "", "Authorization: "); a.Code != http.StatusNotFound {
		t.Errorf("a file without its hash: %d", a.Code)
	}
}

func TestConsoleChanges(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	star := "/console/models/" + modelID + "/favorite"
	if a := browse("POST", star, "favorite=true&back=/console%3Fpage%3D2"); a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/console?page=2" {
		t.Fatalf("%d to %s: %s", a.Code, a.Header().Get("Location"), a.body)
	}
	if p := h.models.patch; !p.IsFavorite.Given || p.IsFavorite.To == nil || !*p.IsFavorite.To {
		t.Errorf("%+v", p)
	}
	for _, evil := range []string{"//evil.example", "https://evil.example", "/consolex", `/console/\evil`} {
		if a := browse("POST", star, "favorite=false&back="+evil); a.Header().Get("Location") != "/console" {
			t.Errorf("back to %s", a.Header().Get("Location"))
		}
	}
	if a := browse("POST", star, "favorite=true", "Sec-Fetch-Site: cross-site"); a.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", a.Code)
	}
	if a := browse("POST", star, strings.Repeat("x", 4<<20)); a.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a large form: %d", a.Code)
	}
	h.models.fail = fault.New(fault.ModelHeld, "Another model holds it.")
	if a := browse("POST", "/console/models/"+modelID+"/delete", ""); a.Code != http.StatusConflict || !strings.Contains(a.body, "Another model holds it.") {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestConsoleMakesModels(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	if a := browse("GET", "/console/new", ""); a.Code != http.StatusOK || !strings.Contains(a.body, `name="prompt"`) {
		t.Fatalf("%d %s", a.Code, a.body)
	}
	script := "from=script&name=Mine&labels=a,+b&script=def+decide(ctx):+...%0D%0A"
	if a := browse("POST", "/console/new", script+"&action=check"); a.Code != http.StatusOK || len(h.models.created) != 0 {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := browse("POST", "/console/new", script+"&action=create"); a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/console/models/"+h.models.sheet.Slug+"?watch=1" {
		t.Fatalf("%d %s", a.Code, a.body)
	}
	c := h.models.created[0]
	if c.Script != "def decide(ctx): ...\n" || c.Prompt != "" || c.Name != "Mine" || len(c.Labels) != 2 || c.Labels[1] != "b" {
		t.Errorf("%+v", c)
	}
	if a := browse("POST", "/console/new", script+"&action=create", "Origin: https://evil.example"); a.Code != http.StatusForbidden || len(h.models.created) != 1 {
		t.Errorf("from another site: %d", a.Code)
	}
	h.models.fail = fault.New(fault.SymbolTaken, "Another model has it.")
	if a := browse("POST", "/console/new", "from=words&prompt=60%25+SPY&action=create"); a.Code != http.StatusConflict || !strings.Contains(a.body, "Another model has it.") || !strings.Contains(a.body, ">60% SPY</textarea>") {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestConsoleFollowsProgress(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	address := "/console/models/" + h.models.sheet.Slug
	if a := browse("GET", address+"?watch=1", ""); a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/model/"+h.models.sheet.Slug {
		t.Errorf("%d to %s", a.Code, a.Header().Get("Location"))
	}
	if a := browse("GET", address+"/progress", ""); a.Code != http.StatusOK || a.Header().Get("Content-Type") != "text/event-stream" || !strings.Contains(a.body, "event: done") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := h.send(t, "GET", address+"/progress", "", "Authorization: "); a.Code != http.StatusUnauthorized {
		t.Errorf("a stranger: %d", a.Code)
	}
	h.models.sheet.IsPublic, h.models.sheet.AccountID = true, bob
	for _, path := range []string{address, address + "/progress"} {
		if a := browse("GET", path, ""); a.Code != http.StatusNotFound {
			t.Errorf("another's public model at %s: %d", path, a.Code)
		}
	}
}

func TestConsoleScreensAssets(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	if a := browse("GET", "/console/screener?q=spy&type=etf&sort=-aum&column=issuer", ""); a.Code != http.StatusOK || !strings.Contains(a.body, `value="SPY"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := browse("GET", "/console/screener?sort=odd", ""); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d", a.Code)
	}
	if a := browse("POST", "/console/screener/use", "member=SPY&member=AGG"); a.Header().Get("Location") != "/console/new?from=form&members=SPY%2CAGG" {
		t.Errorf("%d to %s", a.Code, a.Header().Get("Location"))
	}
	if a := browse("POST", "/console/screener/use", ""); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("without assets: %d", a.Code)
	}
	if a := browse("GET", "/console/symbols?q=spy", ""); a.Code != http.StatusOK || !strings.Contains(a.body, `"symbol":"SPY"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := h.send(t, "GET", "/console/symbols?q=spy", "", "Authorization: "); a.Code != http.StatusUnauthorized {
		t.Errorf("a stranger: %d", a.Code)
	}
}

func TestConsoleListsRuns(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	address := "/console/models/" + h.models.sheet.Slug
	if a := browse("GET", address+"/runs", ""); a.Code != http.StatusOK || !strings.Contains(a.body, `href="/run/`+runID+`"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := browse("GET", address+"/revisions", ""); a.Code != http.StatusOK {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := browse("POST", address+"/runs/"+runID, "label=mine&action=label"); a.Code != http.StatusSeeOther || h.models.edit.Label.To != "mine" || h.models.edit.Shared.Given {
		t.Errorf("%d %s %+v", a.Code, a.body, h.models.edit)
	}
	if a := browse("POST", address+"/runs/"+runID, "action=promote"); a.Code != http.StatusSeeOther {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

// A form counts by its bytes, also when it is sent in chunks and so says no length.
func TestConsoleCountsForms(t *testing.T) {
	t.Parallel()
	for _, chunked := range []bool{false, true} {
		h := newHarness(t, func(c *Config) { c.Limits.Credential = limit.Rate{PerSecond: 1, Burst: 50} })
		cookie := cookieOf(t, h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: "))
		limited := false
		for range 30 {
			r := httptest.NewRequest(http.MethodPost, "/console/models/"+modelID+"/favorite", strings.NewReader("favorite=true&padding="+strings.Repeat("x", 40<<10)))
			r.Header.Set("Cookie", cookie)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if chunked {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			limited = limited || w.Code == http.StatusTooManyRequests && strings.Contains(w.Body.String(), "bytes in bodies")
		}
		if !limited {
			t.Errorf("chunked %v: more than a megabyte was taken at once", chunked)
		}
	}
}

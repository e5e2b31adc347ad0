package api

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"ballast/account"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/notify/webhook"
)

// fakeHooks keeps one webhook and the deliveries that were asked for.
type fakeHooks struct {
	hook  *webhook.Webhook
	asked []string
	fail  error
}

func (f *fakeHooks) Create(_ context.Context, accountID string, p webhook.Patch) (*webhook.Webhook, error) {
	f.asked = append(f.asked, "create")
	w := &webhook.Webhook{ID: "webhook_1", AccountID: accountID, Enabled: true, Secret: "whsec_first"}
	if err := p.Apply(w, webhook.Rules{}, epoch); err != nil {
		return nil, err
	}
	f.hook = w
	return w, nil
}

func (f *fakeHooks) Webhook(context.Context, string, string) (*webhook.Webhook, error) {
	if f.hook == nil {
		return nil, fault.New(fault.NotFound, "There is no webhook.")
	}
	return f.hook, f.fail
}

func (f *fakeHooks) Webhooks(context.Context, string, int, int) ([]*webhook.Webhook, int, error) {
	if f.hook == nil {
		return nil, 0, nil
	}
	return []*webhook.Webhook{f.hook}, 1, nil
}

func (f *fakeHooks) Patch(_ context.Context, _, _ string, p webhook.Patch) (*webhook.Webhook, error) {
	f.asked = append(f.asked, "patch")
	changed := *f.hook
	if err := p.Apply(&changed, webhook.Rules{}, epoch); err != nil {
		return nil, err
	}
	f.hook = &changed
	return f.hook, nil
}

func (f *fakeHooks) Delete(context.Context, string, string) (string, error) {
	f.asked = append(f.asked, "delete")
	return "webhook_1", nil
}

func (f *fakeHooks) Test(context.Context, string, string) (*webhook.Delivery, error) {
	f.asked = append(f.asked, "test")
	return &webhook.Delivery{}, nil
}

func (f *fakeHooks) Deliveries(_ context.Context, _, _ string, _ webhook.Status, _, _ int) ([]*webhook.Delivery, int, error) {
	code := http.StatusTeapot
	return []*webhook.Delivery{{ID: "delivery_1", Kind: webhook.Test, Status: webhook.Failed, LastStatus: &code, LastError: "<b>teapot</b>", Payload: []byte(`{"a":"<i>"}`), CreatedAt: epoch}}, 1, nil
}

func (f *fakeHooks) Redeliver(_ context.Context, _, _, delivery string) (*webhook.Delivery, error) {
	f.asked = append(f.asked, "redeliver "+delivery)
	return &webhook.Delivery{}, nil
}

var formKey = regexp.MustCompile(`name="key" value="([A-Z2-7]+)"`)

// keyOf returns the key of the form on a page.
func keyOf(t *testing.T, page string) string {
	t.Helper()
	found := formKey.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the form has no key: %s", page)
	}
	return found[1]
}

func TestConsoleShowsTheAccount(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	a := browse("GET", "/console/account", "")
	for _, want := range []string{"Alice", "88 cents", "5 cents", `<td class="number">3</td><td class="number">50</td>`, "no limit"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("lacks %s", want)
		}
	}
	a = browse("GET", "/console/account/charges?first=2026-01-01&last=2026-01-31", "")
	if a.Code != http.StatusOK || !strings.Contains(a.body, "limited to 5 cents") || !strings.Contains(a.body, `href="/run/`+runID+`"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := browse("GET", "/console/account/charges?first=soon", ""); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d", a.Code)
	}
	free := newHarness(t, func(c *Config) { c.Policy = billing.Policy{} })
	if a := signedIn(t, free)("GET", "/console/account/charges", ""); !strings.Contains(a.body, "charges nothing") || strings.Contains(a.body, "remain;") {
		t.Errorf("%s", a.body)
	}
}

// The secret of a key is in the answer to its form alone. A form that is sent twice makes
// one key, also when both are at work at the same time.
func TestConsoleMakesAKeyOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	browse := signedIn(t, h)
	form := url.Values{"key": {keyOf(t, browse("GET", "/console/account/keys", "").body)}, "name": {"<b>mine</b>"}, "scopes": {"run", "read"}, "daily_cap_cents": {"70"}}.Encode()
	var answers [2]answer
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = browse("POST", "/console/account/keys", form) })
	}
	wait.Wait()
	shown := 0
	for _, a := range answers {
		switch {
		case a.Code == http.StatusOK && strings.Contains(a.body, `value="bk_`):
			shown++
		case a.Code != http.StatusSeeOther || !strings.Contains(browse("GET", a.Header().Get("Location"), "").body, "was shown once"):
			t.Errorf("%d %s", a.Code, a.body)
		}
		if strings.Contains(a.body, "<b>mine") {
			t.Error("the name became markup")
		}
	}
	if shown != 1 || len(h.accounts.keys) != 1 || h.accounts.keys[0].AccountID != alice {
		t.Errorf("the secret was shown %d times, and %d keys were made", shown, len(h.accounts.keys))
	}
	if k := h.accounts.keys[0]; !slices.Equal(k.Scopes, []account.Scope{account.ScopeRead, account.ScopeRun}) || k.DailyCapCents == nil || *k.DailyCapCents != 70 {
		t.Errorf("the key may %v and spend %v", k.Scopes, k.DailyCapCents)
	}
	for form, want := range map[string]string{"name=x": "Choose what the key may do", "name=x&scopes=read&daily_cap_cents=-1": `id="cap-problem"`} {
		if a := browse("POST", "/console/account/keys", form); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", form, a.Code, a.body)
		}
	}
	if page := browse("GET", "/console/account/keys", "").body; strings.Contains(page, `value="bk_`) {
		t.Error("the list shows a secret")
	}
	if a := browse("POST", "/console/account/keys", "scopes=read&name="+strings.Repeat("x", 101)); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, `id="name-problem"`) || len(h.accounts.keys) != 1 {
		t.Errorf("a long name: %d %s", a.Code, a.body)
	}
	if a := browse("POST", "/console/account/keys/"+h.accounts.keys[0].ID+"/revoke", ""); a.Code != http.StatusSeeOther || h.accounts.keys[0].RevokedAt == nil {
		t.Errorf("%d %s", a.Code, a.body)
	}
	h.accounts.keys = append(h.accounts.keys, &account.Key{ID: "key_of_bob", AccountID: bob})
	if a := browse("POST", "/console/account/keys/key_of_bob/revoke", ""); a.Code != http.StatusNotFound {
		t.Errorf("another's key: %d", a.Code)
	}
}

func TestConsoleKeepsWebhooks(t *testing.T) {
	t.Parallel()
	hooks := &fakeHooks{}
	h := newHarness(t, func(c *Config) { c.Webhooks, c.Deliveries = hooks, hooks })
	browse := signedIn(t, h)
	const address = "/console/account/webhooks"
	key := keyOf(t, browse("GET", address, "").body)
	if a := browse("POST", address, "key="+key+"&url=ftp://x&event=run.failed"); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, `id="url-problem"`) || !strings.Contains(a.body, `value="ftp://x"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	form := "key=" + key + "&url=https://example.com/a&event=run.failed&event=model.active"
	if a := browse("POST", address, form); a.Code != http.StatusOK || !strings.Contains(a.body, "whsec_first") || len(hooks.hook.Events) != 2 {
		t.Fatalf("%d %s", a.Code, a.body)
	}
	if a := browse("POST", address, form); a.Code != http.StatusSeeOther || strings.Contains(a.body, "whsec_") {
		t.Errorf("the form again: %d %s", a.Code, a.body)
	}
	one := address + "/webhook_1"
	page := browse("GET", one+"?status=failed", "").body
	if strings.Contains(page, "whsec_") || strings.Contains(page, "<b>teapot") || !strings.Contains(page, "&lt;b&gt;teapot") || !strings.Contains(page, "418") {
		t.Errorf("%s", page)
	}
	hooks.asked = nil
	for _, form := range []string{"action=test", "action=disable", "action=save&url=https://example.com/b&event=run.failed", "action=delete"} {
		if a := browse("POST", one, form); a.Code != http.StatusSeeOther {
			t.Errorf("%s: %d %s", form, a.Code, a.body)
		}
	}
	if hooks.hook.Enabled || hooks.hook.URL != "https://example.com/b" {
		t.Errorf("%+v", hooks.hook)
	}
	secret := hooks.hook.Secret
	form = "action=rotate&key=" + keyOf(t, page)
	if a := browse("POST", one, form); a.Code != http.StatusOK || hooks.hook.Secret == secret || !strings.Contains(a.body, `value="whsec_`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	secret = hooks.hook.Secret
	if a := browse("POST", one, form); a.Code != http.StatusSeeOther || hooks.hook.Secret != secret {
		t.Errorf("the form again: %d", a.Code)
	}
	if a := browse("POST", one+"/deliveries/delivery_1/redeliver", "status=failed"); a.Header().Get("Location") != one+"?status=failed#deliveries" {
		t.Errorf("%d to %s", a.Code, a.Header().Get("Location"))
	}
	if want := "test patch patch delete patch redeliver delivery_1"; strings.Join(hooks.asked, " ") != want {
		t.Errorf("%q", hooks.asked)
	}
}

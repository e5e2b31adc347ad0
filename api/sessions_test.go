package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"ballast/account"
	"ballast/account/openid"
	"ballast/account/openid/issuertest"
)

// cookieOf is the session cookie that an answer sets, as a request header has it.
func cookieOf(t *testing.T, a answer) string {
	t.Helper()
	for _, c := range a.Result().Cookies() {
		if c.Name == "__Host-ballast_session" {
			if !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("cookie %v", c)
			}
			return c.Name + "=" + c.Value
		}
	}
	t.Fatalf("no session cookie: %d %s", a.Code, a.body)
	return ""
}

func TestSession(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: ")
	if a.Code != http.StatusCreated || strings.Contains(a.body, "bs_") {
		t.Fatalf("%d %s", a.Code, a.body)
	}
	cookie := cookieOf(t, a)
	profile := h.send(t, "GET", "/v1/account/profile", "", "Authorization: ", "Cookie: "+cookie).object(t)
	if profile["kind"] != "session" || profile["id"] != alice {
		t.Errorf("%v", profile)
	}
	for name, test := range map[string]struct {
		headers []string
		want    int
	}{
		"own page":           {[]string{"Sec-Fetch-Site: same-origin"}, 201},
		"own page, older":    {[]string{"Origin: https://ballast.example"}, 201},
		"no browser":         {nil, 201},
		"another site":       {[]string{"Sec-Fetch-Site: cross-site", "Origin: https://evil.example"}, 403},
		"a sister":           {[]string{"Sec-Fetch-Site: same-site", "Origin: https://evil.ballast.example"}, 403},
		"another, older":     {[]string{"Origin: https://evil.example"}, 403},
		"an opaque origin":   {[]string{"Origin: null"}, 403},
		"a header as well":   {[]string{"Authorization: Bearer " + account.NewKey()}, 401},
		"two cookies":        {[]string{"Cookie: " + cookie + "; " + cookie}, 401},
		"a cookie of a key":  {[]string{"Cookie: __Host-ballast_session=" + aliceKey}, 401},
		"the unsafe name":    {[]string{"Cookie: ballast_session=" + strings.Split(cookie, "=")[1]}, 401},
		"a made-up session":  {[]string{"Cookie: __Host-ballast_session=" + account.NewSession()}, 401},
		"a cookie as bearer": {[]string{"Authorization: Bearer " + strings.Split(cookie, "=")[1]}, 401},
	} {
		headers := append([]string{"Authorization: ", "Cookie: " + cookie}, test.headers...)
		if a := h.send(t, "POST", "/v1/account/keys", `{"name":"n"}`, headers...); a.Code != test.want {
			t.Errorf("%s: %d %s", name, a.Code, a.body)
		}
	}
	if a := h.send(t, "DELETE", "/v1/session", "", "Authorization: ", "Cookie: "+cookie, "Sec-Fetch-Site: cross-site"); a.Code != http.StatusForbidden {
		t.Errorf("signed out by another site: %d", a.Code)
	}
	if a := h.send(t, "DELETE", "/v1/session", "", "Authorization: ", "Cookie: "+cookie); a.Code != http.StatusNoContent {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: ", "Cookie: "+cookie); a.Code != http.StatusUnauthorized {
		t.Errorf("after signing out: %d", a.Code)
	}
	if a := h.send(t, "DELETE", "/v1/session", "", "Authorization: "); a.Code != http.StatusNoContent {
		t.Errorf("nothing to end: %d", a.Code)
	}
}

// Whoever puts a session of theirs into somebody's browser does not get theirs.
func TestSessionFixation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	planted := "__Host-ballast_session=" + account.NewSession()
	sent := h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: ", "Cookie: "+planted)
	first := cookieOf(t, sent)
	if first == planted {
		t.Error("the planted session is hers")
	}
	second := cookieOf(t, h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: ", "Cookie: "+first))
	for cookie, want := range map[string]int{planted: 401, first: 401, second: 200} {
		if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: ", "Cookie: "+cookie); a.Code != want {
			t.Errorf("%d, want %d", a.Code, want)
		}
	}
	if a := h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: ", "Sec-Fetch-Site: cross-site"); a.Code != http.StatusForbidden {
		t.Errorf("signed in by another site: %d", a.Code)
	}
	for _, key := range []string{account.NewKey(), "x", "bk_"} {
		if a := h.send(t, "POST", "/v1/session", `{"key":"`+key+`"}`, "Authorization: "); a.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", key, a.Code)
		}
	}
}

// browser follows what a browser would, without the issuer's own redirects.
type browser struct {
	h       *harness
	cookies map[string]string
}

func (b *browser) get(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.h.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return w
}

// begin goes to the issuer and comes back with the address to call.
func (b *browser) begin(t *testing.T) string {
	t.Helper()
	started := b.get(t, "/signin/start?return_to=/docs")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(started.Header().Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || back.Host != "ballast.example" {
		t.Fatal(back, err)
	}
	return back.RequestURI()
}

func TestSigninWithAnIssuer(t *testing.T) {
	t.Parallel()
	issuer := issuertest.New(t)
	provider, err := openid.New(openid.Config{Issuer: issuer.URL, ClientID: issuer.ClientID, ClientSecret: issuer.ClientSecret, RedirectURL: "https://ballast.example/signin/callback"})
	if err != nil {
		t.Fatal(err)
	}
	h := newHarness(t, func(c *Config) { c.Signin = Signin{Issuer: provider, Name: "id.example"} })
	fresh := func() *browser { return &browser{h: h, cookies: map[string]string{}} }

	b := fresh()
	address := b.begin(t)
	if got := b.get(t, address); got.Code != http.StatusOK || b.cookies["__Host-ballast_session"] == "" || b.cookies["__Host-ballast_signin"] != "" {
		t.Fatalf("%d, cookies %v", got.Code, b.cookies)
	}
	profile := h.send(t, "GET", "/v1/account/profile", "", "Authorization: ", "Cookie: __Host-ballast_session="+b.cookies["__Host-ballast_session"]).object(t)
	if profile["kind"] != "session" || profile["id"] != alice || profile["name"] != "Ann" || profile["email"] != "ann@example.com" {
		t.Errorf("%v", profile)
	}

	refused := func(name string, b *browser, address string, want int) {
		t.Helper()
		if got := b.get(t, address); got.Code != want || b.cookies["__Host-ballast_session"] != "" {
			t.Errorf("%s: %d, cookies %v", name, got.Code, b.cookies)
		}
	}
	delete(b.cookies, "__Host-ballast_session")
	refused("replayed", b, address, 401)
	refused("no attempt", fresh(), "/signin/callback?code=a&state=b", 401)
	b = fresh()
	refused("another browser's", fresh(), b.begin(t), 401)
	b = fresh()
	address = b.begin(t)
	refused("wrong state", b, strings.Replace(address, "state=", "state=X", 1), 401)
	b = fresh()
	b.begin(t)
	u, _ := url.Parse(address)
	refused("denied by the issuer", b, "/signin/callback?error=access_denied&state="+u.Query().Get("state"), 401)
	issuer.Change = func(c issuertest.Claims) { c["email_verified"] = false }
	b = fresh()
	refused("not verified", b, b.begin(t), 403)
	if n := len(h.accounts.admitted); n != 1 {
		t.Errorf("%d were admitted", n)
	}
}

func TestSigninForm(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	post := func(form string, headers ...string) answer {
		return h.send(t, "POST", "/signin", form, append([]string{"Authorization: ", "Content-Type: application/x-www-form-urlencoded"}, headers...)...)
	}
	a := post("key=" + aliceKey + "&return_to=//evil.example")
	if a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/console" {
		t.Fatalf("%d to %q", a.Code, a.Header().Get("Location"))
	}
	cookie := "Cookie: " + cookieOf(t, a)
	if page := h.send(t, "GET", "/signin", "", "Authorization: ", cookie); !strings.Contains(page.body, "signed in as Alice") {
		t.Error(page.body)
	}
	if a := post("key=" + account.NewKey()); a.Code != http.StatusUnauthorized || !strings.Contains(a.body, "not known") || a.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := post("key="+aliceKey, "Sec-Fetch-Site: cross-site"); a.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", a.Code)
	}
	if a := h.send(t, "POST", "/signout", "", "Authorization: ", cookie); a.Code != http.StatusSeeOther {
		t.Errorf("%d", a.Code)
	}
	if page := h.send(t, "GET", "/signin", "", "Authorization: ", cookie); !strings.Contains(page.body, "API key") {
		t.Error(page.body)
	}
}

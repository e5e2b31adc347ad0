package openid_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/account"
	"ballast/account/openid"
	"ballast/account/openid/issuertest"
	"ballast/internal/fault"
)

const callback = "https://ballast.example/signin/callback"

func provider(t *testing.T, i *issuertest.Issuer, allow ...string) *openid.Provider {
	t.Helper()
	p, err := openid.New(openid.Config{Issuer: i.URL, ClientID: "ballast", ClientSecret: i.ClientSecret, RedirectURL: callback, Allow: allow})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// code signs in at the issuer and returns the code that it sends back.
func code(t *testing.T, p *openid.Provider, a openid.Attempt) string {
	t.Helper()
	address, err := p.Address(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || !strings.HasPrefix(back.String(), callback) || back.Query().Get("state") != a.State {
		t.Fatalf("sent back to %q, %v", back, err)
	}
	return back.Query().Get("code")
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	i := issuertest.New(t)
	p := provider(t, i)
	for name, change := range map[string]func(issuertest.Claims){
		"as it is":      nil,
		"another name":  func(c issuertest.Claims) { c["name"] = "Ann B." },
		"text verified": func(c issuertest.Claims) { c["email_verified"] = "true" },
	} {
		i.Change = change
		a := openid.NewAttempt()
		got, err := p.Redeem(t.Context(), a.Browser, code(t, p, a))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := &account.Person{Issuer: i.URL, Subject: "ann-1", Email: "ann@example.com", Name: got.Name}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	i.Change = nil
	i.Rotate(t)
	a := openid.NewAttempt()
	if _, err := p.Redeem(t.Context(), a.Browser, code(t, p, a)); err != nil {
		t.Errorf("after the keys were rotated: %v", err)
	}
}

func TestTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(issuertest.Claims)
		want   fault.Type
	}{
		"wrong nonce":      {func(c issuertest.Claims) { c["nonce"] = "another" }, fault.Unauthenticated},
		"no nonce":         {func(c issuertest.Claims) { delete(c, "nonce") }, fault.Unauthenticated},
		"expired":          {func(c issuertest.Claims) { c["exp"] = time.Now().Add(-time.Hour).Unix() }, fault.Unauthenticated},
		"another audience": {func(c issuertest.Claims) { c["aud"] = "other" }, fault.Unauthenticated},
		"another issuer":   {func(c issuertest.Claims) { c["iss"] = "https://other.example" }, fault.Unauthenticated},
		"not verified":     {func(c issuertest.Claims) { c["email_verified"] = false }, fault.Forbidden},
		"silent on it":     {func(c issuertest.Claims) { delete(c, "email_verified") }, fault.Forbidden},
		"no address":       {func(c issuertest.Claims) { delete(c, "email") }, fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := issuertest.New(t)
			p := provider(t, i)
			i.Change = test.change
			a := openid.NewAttempt()
			if _, err := p.Redeem(t.Context(), a.Browser, code(t, p, a)); fault.TypeOf(err) != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestCodesThatAreRefused(t *testing.T) {
	t.Parallel()
	i := issuertest.New(t)
	p := provider(t, i)
	a := openid.NewAttempt()
	redeem := func(browser, code string) fault.Type {
		_, err := p.Redeem(t.Context(), browser, code)
		if err == nil {
			return ""
		}
		return fault.TypeOf(err)
	}
	if got := redeem(a.Browser, "made up"); got != fault.Unauthenticated {
		t.Errorf("made up: %s", got)
	}
	if got := redeem(openid.NewAttempt().Browser, code(t, p, a)); got != fault.Unauthenticated {
		t.Errorf("another browser's: %s", got)
	}
	once := code(t, p, a)
	if got := redeem(a.Browser, once); got != "" {
		t.Errorf("its own: %s", got)
	}
	if got := redeem(a.Browser, once); got != fault.Unauthenticated {
		t.Errorf("a second time: %s", got)
	}
	last := code(t, p, a)
	i.Forge(t)
	if got := redeem(a.Browser, last); got != fault.Unauthenticated {
		t.Errorf("signed by another key: %s", got)
	}
	last = code(t, p, a)
	i.Down = true
	if got := redeem(a.Browser, last); got != fault.Unavailable {
		t.Errorf("a failing issuer: %s", got)
	}
}

func TestWhoIsAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		allow []string
		want  bool
	}{
		{nil, true}, {[]string{"*"}, true}, {[]string{"Example.com"}, true}, {[]string{"other.example", "ANN@example.com"}, true},
		{[]string{"ample.com"}, false}, {[]string{"bob@example.com"}, false}, {[]string{"com"}, false},
	} {
		i := issuertest.New(t)
		p := provider(t, i, test.allow...)
		a := openid.NewAttempt()
		_, err := p.Redeem(t.Context(), a.Browser, code(t, p, a))
		if (err == nil) != test.want || (err != nil && fault.TypeOf(err) != fault.Forbidden) {
			t.Errorf("%v: %v", test.allow, err)
		}
	}
}

func TestAnIssuerThatIsAway(t *testing.T) {
	t.Parallel()
	i := issuertest.New(t)
	p := provider(t, i)
	i.Close()
	if _, err := p.Address(context.Background(), openid.NewAttempt()); fault.TypeOf(err) != fault.Unavailable {
		t.Errorf("%v", err)
	}
	if _, err := openid.New(openid.Config{Issuer: i.URL}); err == nil {
		t.Error("no client id")
	}
}

// TestSecretsStayInTheBrowser checks that the browser's secret can be derived neither
// from what the issuer sees nor from what the database stores.
func TestSecretsStayInTheBrowser(t *testing.T) {
	t.Parallel()
	i := issuertest.New(t)
	p := provider(t, i)
	a := openid.NewAttempt()
	address, err := p.Address(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(address, a.Browser) || strings.Contains(address, base64.RawURLEncoding.EncodeToString([]byte(a.Browser))) {
		t.Error(address)
	}
	query, err := url.Parse(address)
	if err != nil || query.Query().Get("code_challenge_method") != "S256" || query.Query().Get("nonce") == "" || query.Query().Get("state") != a.State {
		t.Error(address, err)
	}
}

package main

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ballast/account/openid"
	"ballast/api"
	"ballast/api/limit"
)

// AccessConfig says how much callers may ask, and who they are.
type AccessConfig struct {
	Rate           float64
	Burst          int
	AddressRate    float64
	AddressBurst   int
	RefusedAMinute int
	AtOnce         int
	TrustedProxies []string
	Origins        []string

	SessionIdle   time.Duration
	SessionMost   time.Duration
	Issuer        string
	ClientID      string
	ClientSecret  string
	Allow         []string
	Provision     string
	AuditKeepDays int
}

func defaultAccess() AccessConfig {
	return AccessConfig{
		Rate: 200, Burst: 1000, AddressRate: 400, AddressBurst: 2000, RefusedAMinute: 60, AtOnce: 128,
		SessionIdle: 24 * time.Hour, SessionMost: 30 * 24 * time.Hour, Provision: provisionOff,
	}
}

// accessFlags bound callers.
func accessFlags(f *pflag.FlagSet, c *AccessConfig) {
	f.Float64Var(&c.Rate, "rate-limit", c.Rate, "requests a second with one key or session; 0 is no limit")
	f.IntVar(&c.Burst, "rate-burst", c.Burst, "requests that a key or session may send at once")
	f.Float64Var(&c.AddressRate, "address-rate-limit", c.AddressRate, "requests a second from one address; 0 is no limit")
	f.IntVar(&c.AddressBurst, "address-rate-burst", c.AddressBurst, "requests that an address may send at once")
	f.IntVar(&c.RefusedAMinute, "refused-limit", c.RefusedAMinute, "refused keys and sign-ins a minute from one address, before it has to wait; 0 is no limit")
	f.IntVar(&c.AtOnce, "account-requests", c.AtOnce, "requests of one account at the same time, those that wait for a run or whose answer is being read included; 0 is no limit")
	f.StringSliceVar(&c.TrustedProxies, "trusted-proxies", c.TrustedProxies, "addresses and networks of the proxies in front, whose X-Forwarded headers are believed")
	f.StringSliceVar(&c.Origins, "cors-origins", c.Origins, "origins whose pages may call the interface with a key, such as https://app.example.com; none without")
}

// provisionOff is the value of --oidc-provision that makes no accounts.
const provisionOff = "off"

// signinFlags say how people sign in.
func signinFlags(f *pflag.FlagSet, c *AccessConfig) {
	f.DurationVar(&c.SessionIdle, "session-idle", c.SessionIdle, "how long a session lasts that is not used")
	f.DurationVar(&c.SessionMost, "session-most", c.SessionMost, "how long any session lasts")
	f.StringVar(&c.Issuer, "oidc-issuer", c.Issuer, "OpenID Connect issuer that people sign in with, https://…; needs --public-url")
	f.StringVar(&c.ClientID, "oidc-client-id", c.ClientID, "what the issuer knows the service by")
	f.StringVar(&c.ClientSecret, "oidc-client-secret", c.ClientSecret, "its secret; better in BALLAST_OIDC_CLIENT_SECRET")
	f.StringSliceVar(&c.Allow, "oidc-allow", c.Allow, "addresses and domains that may sign in, or *; without it those of accounts")
	f.StringVar(&c.Provision, "oidc-provision", c.Provision, "plan of the account that a first sign-in makes: free, pro or business; off makes none")
}

// signin is how people sign in, as the interface takes it.
func (c AccessConfig) signin(publicURL string) (api.Signin, error) {
	s := api.Signin{Idle: c.SessionIdle, Most: c.SessionMost}
	if c.SessionIdle < time.Minute || c.SessionMost < time.Minute || c.SessionMost > 10*365*24*time.Hour {
		return s, usage("--session-idle, --session-most: accepted are durations from a minute to ten years")
	}
	if c.Issuer == "" {
		return s, nil
	}
	if publicURL == "" {
		return s, usage("--oidc-issuer needs --public-url: the issuer sends browsers back to it")
	}
	if c.Provision != provisionOff {
		plan, err := planOf(c.Provision)
		if err != nil {
			return s, usage("--oidc-provision: %w, and off", err)
		}
		if len(c.Allow) == 0 {
			return s, usage("--oidc-provision makes accounts for everybody whom --oidc-allow lets in: name addresses or domains, or * for all that the issuer knows")
		}
		s.Plan = plan
	}
	issuer, err := url.Parse(c.Issuer)
	if err != nil || issuer.Host == "" {
		return s, usage("--oidc-issuer %q: accepted is an address such as https://id.example.com", c.Issuer)
	}
	s.Name = issuer.Host
	s.Issuer, err = openid.New(openid.Config{
		Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret, Allow: c.Allow,
		RedirectURL: strings.TrimSuffix(publicURL, "/") + "/signin/callback",
	})
	return s, err
}

// limits are the bounds as the interface takes them.
func (c AccessConfig) limits() (api.Limits, error) {
	proxies, err := limit.ParseProxies(c.TrustedProxies)
	if err != nil {
		return api.Limits{}, err
	}
	for name, wrong := range map[string]bool{
		"rate-limit": !(c.Rate >= 0), "address-rate-limit": !(c.AddressRate >= 0), "refused-limit": c.RefusedAMinute < 0, "account-requests": c.AtOnce < 0,
		"rate-burst": c.Burst < 1, "address-rate-burst": c.AddressBurst < 1,
	} {
		if wrong {
			return api.Limits{}, usage("--%s: accepted are limits from 0 and bursts from 1", name)
		}
	}
	return api.Limits{
		Credential: limit.Rate{PerSecond: c.Rate, Burst: c.Burst},
		Address:    limit.Rate{PerSecond: c.AddressRate, Burst: c.AddressBurst},
		Refused:    limit.Rate{PerSecond: float64(c.RefusedAMinute) / 60, Burst: c.RefusedAMinute},
		AtOnce:     c.AtOnce,
		Proxies:    proxies,
	}, nil
}

// newHTTPServer bounds what callers can hold on to: heads of 128 KiB within ten
// seconds, idle connections for two minutes. The interface refuses heads of more
// than 64 KiB with an error of its own; larger ones than it reads get net/http's.
// Bodies and answers have deadlines of their own.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 128 << 10,
	}
}

package service

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"ballast/account"
	"ballast/account/openid"
	"ballast/api"
	"ballast/api/limit"
	"ballast/notify/webhook"
)

// provisionOff is the value of --oidc-provision that creates no accounts.
const provisionOff = "off"

// signin converts the settings for the interface, and checks them.
func (c SigninConfig) signin(publicURL string) (api.Signin, error) {
	s := api.Signin{Idle: c.SessionIdle, Most: c.SessionMost}
	if c.SessionIdle < time.Minute || c.SessionMost < time.Minute || c.SessionMost > 10*365*24*time.Hour {
		return s, invalid("--session-idle and --session-most: accepted are durations from 1m to ten years")
	}
	if c.Issuer == "" {
		return s, nil
	}
	if publicURL == "" {
		return s, invalid("--oidc-issuer needs --public-url: the issuer sends browsers back to it")
	}
	if c.Provision != provisionOff {
		plan := account.Plan(c.Provision)
		if !slices.Contains(account.Plans, plan) {
			return s, invalid("--oidc-provision %q: accepted are free, pro, business and off", c.Provision)
		}
		if len(c.Allow) == 0 {
			return s, invalid("--oidc-provision creates accounts for everyone whom --oidc-allow admits; list addresses or domains there, or * for everyone the issuer knows")
		}
		s.Plan = plan
	}
	issuer, err := url.Parse(c.Issuer)
	if err != nil || issuer.Host == "" {
		return s, invalid("--oidc-issuer %q: accepted is an address such as https://id.example.com", c.Issuer)
	}
	s.Name = issuer.Host
	s.Issuer, err = openid.New(openid.Config{
		Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret, Allow: c.Allow,
		RedirectURL: strings.TrimSuffix(publicURL, "/") + "/signin/callback",
	})
	return s, err
}

// limits converts the limits for the interface, and checks them.
func (c LimitsConfig) limits(trusted []string) (api.Limits, error) {
	proxies, err := limit.ParseProxies(trusted)
	if err != nil {
		return api.Limits{}, err
	}
	for name, wrong := range map[string]bool{
		"rate-limit": !(c.Rate >= 0), "address-rate-limit": !(c.AddressRate >= 0), "refused-limit": c.RefusedAMinute < 0, "account-requests": c.AtOnce < 0,
		"rate-burst": c.Burst < 1, "address-rate-burst": c.AddressBurst < 1,
	} {
		if wrong {
			return api.Limits{}, invalid("--%s: accepted are limits of at least 0 and bursts of at least 1", name)
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

// newHTTPServer limits what callers can occupy: request headers of up to 128 KiB,
// which must arrive within ten seconds, and idle connections for two minutes. The
// interface itself refuses headers above 64 KiB, with an error of its own, and sets
// the deadlines of bodies and responses.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 128 << 10,
	}
}

// access is who may call, and what their webhooks may reach. It is checked before
// anything is started.
type access struct {
	limits   api.Limits
	signin   api.Signin
	webhooks webhook.Rules
}

func (c Config) access() (a access, err error) {
	if a.limits, err = c.Limits.limits(c.HTTP.TrustedProxies); err != nil {
		return a, err
	}
	if a.signin, err = c.Signin.signin(c.HTTP.PublicURL); err != nil {
		return a, err
	}
	a.webhooks, err = c.Webhooks.rules()
	return a, err
}

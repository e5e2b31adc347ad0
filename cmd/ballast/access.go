package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/pflag"

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
	TrustedProxies []string
}

func defaultAccess() AccessConfig {
	return AccessConfig{Rate: 200, Burst: 1000, AddressRate: 400, AddressBurst: 2000, RefusedAMinute: 60}
}

// accessFlags bound callers.
func accessFlags(f *pflag.FlagSet, c *AccessConfig) {
	f.Float64Var(&c.Rate, "rate-limit", c.Rate, "requests a second with one key or session; 0 is no limit")
	f.IntVar(&c.Burst, "rate-burst", c.Burst, "requests that a key or session may send at once")
	f.Float64Var(&c.AddressRate, "address-rate-limit", c.AddressRate, "requests a second from one address; 0 is no limit")
	f.IntVar(&c.AddressBurst, "address-rate-burst", c.AddressBurst, "requests that an address may send at once")
	f.IntVar(&c.RefusedAMinute, "refused-limit", c.RefusedAMinute, "refused keys and sign-ins a minute from one address, before it has to wait; 0 is no limit")
	f.StringSliceVar(&c.TrustedProxies, "trusted-proxies", c.TrustedProxies, "addresses and networks of the proxies in front, whose X-Forwarded-For is believed")
}

// limits are the bounds as the interface takes them.
func (c AccessConfig) limits() (api.Limits, error) {
	proxies, err := limit.ParseProxies(c.TrustedProxies)
	if err != nil {
		return api.Limits{}, err
	}
	for name, wrong := range map[string]bool{
		"rate-limit": !(c.Rate >= 0), "address-rate-limit": !(c.AddressRate >= 0), "refused-limit": c.RefusedAMinute < 0,
		"rate-burst": c.Burst < 1, "address-rate-burst": c.AddressBurst < 1,
	} {
		if wrong {
			return api.Limits{}, fmt.Errorf("--%s: accepted are limits from 0 and bursts from 1", name)
		}
	}
	return api.Limits{
		Credential: limit.Rate{PerSecond: c.Rate, Burst: c.Burst},
		Address:    limit.Rate{PerSecond: c.AddressRate, Burst: c.AddressBurst},
		Refused:    limit.Rate{PerSecond: float64(c.RefusedAMinute) / 60, Burst: c.RefusedAMinute},
		Proxies:    proxies,
	}, nil
}

// newHTTPServer bounds what callers can hold on to: heads of 32 KiB within ten
// seconds, idle connections for two minutes. Bodies and answers have deadlines
// of their own.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
	}
}

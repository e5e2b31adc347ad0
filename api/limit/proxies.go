package limit

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Proxies are the networks whose X-Forwarded headers are trusted.
type Proxies []netip.Prefix

// ParseProxies reads networks (10.0.0.0/8) and single addresses.
func ParseProxies(texts []string) (Proxies, error) {
	var p Proxies
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if address, err := netip.ParseAddr(text); err == nil {
			address = address.Unmap()
			p = append(p, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("trusted proxy %q: accepted are addresses and networks such as 10.0.0.0/8", text)
		}
		p = append(p, network.Masked())
	}
	return p, nil
}

// Client is the address that a request came from: the peer's or, if the peer is a
// trusted proxy, the last address in X-Forwarded-For that is not a trusted proxy. An
// entry that is not an address ends the search, since nothing before it can be
// trusted.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client := addressOf(r.RemoteAddr)
	if !p.trusts(client) {
		return client
	}
	rest := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for rest != "" {
		var last string
		if comma := strings.LastIndexByte(rest, ','); comma >= 0 {
			rest, last = rest[:comma], rest[comma+1:]
		} else {
			rest, last = "", rest
		}
		next := addressOf(strings.TrimSpace(last))
		if !next.IsValid() {
			return client
		}
		client = next
		if !p.trusts(client) {
			return client
		}
	}
	return client
}

// Origin is the scheme and host under which the client reaches the service, such
// as https://models.example.com, without a final slash. If the peer is a trusted
// proxy, both come from its X-Forwarded-Proto and X-Forwarded-Host. It is "" if the
// host is not valid.
func (p Proxies) Origin(r *http.Request) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if p.trusts(addressOf(r.RemoteAddr)) {
		if said := lastOf(r.Header.Values("X-Forwarded-Proto")); said == "http" || said == "https" {
			scheme = said
		}
		if said := lastOf(r.Header.Values("X-Forwarded-Host")); said != "" {
			host = said
		}
	}
	origin := url.URL{Scheme: scheme, Host: host}
	if parsed, err := url.Parse(origin.String()); err != nil || parsed.Host != host || host == "" || strings.ContainsAny(host, "@/?#\\ <>\"'") {
		return ""
	}
	return origin.String()
}

// lastOf is the entry of a list header that the nearest proxy wrote.
func lastOf(values []string) string {
	text := strings.Join(values, ",")
	return strings.TrimSpace(text[strings.LastIndexByte(text, ',')+1:])
}

func (p Proxies) trusts(a netip.Addr) bool {
	for _, network := range p {
		if network.Contains(a) {
			return true
		}
	}
	return false
}

// addressOf reads an address with or without its port.
func addressOf(text string) netip.Addr {
	address, err := netip.ParseAddr(text)
	if err != nil {
		with, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}
		}
		address = with.Addr()
	}
	return address.Unmap().WithZone("")
}

// Household is the network that one caller has to itself: a whole IPv4 address, or
// the first 64 bits of an IPv6 address.
func Household(a netip.Addr) Key {
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	network, err := a.Prefix(bits)
	if err != nil {
		return Key{} // no address: such callers share one bucket
	}
	return network.Addr().As16()
}

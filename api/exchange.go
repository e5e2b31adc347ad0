package api

import (
	"context"
	"net/netip"
	"time"

	"ballast/account"
	"ballast/api/limit"
	"ballast/api/transport"
	"ballast/internal/fault"
)

// exchange is what the stations of one request know of it.
type exchange struct {
	id        string // request id
	start     time.Time
	route     string // path template, "" until a route matches
	method    string // GET where the head alone is asked for
	head      bool
	identity  *account.Identity
	session   string            // secret of the cookie, where sign-ins need it
	variables map[string]string // of the path
	address   netip.Addr        // that the request came from
	origin    string            // under which the caller reaches the service, without a final slash
	wait      time.Duration     // that a rate limit asks for
	answer    *transport.Recorder
	refused   fault.Type // of the answer, "" where it is none
	leave     func()     // gives the place of the caller's account back; nil without one
}

// household is the network of the caller.
func (x *exchange) household() netip.Prefix { return limit.Household(x.address) }

type exchangeKey struct{}

// exchangeOf returns the request's exchange; every context of a request has one.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// accountOf returns the caller's account.
func accountOf(ctx context.Context) string { return exchangeOf(ctx).identity.AccountID }

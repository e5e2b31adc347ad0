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

// exchange is the state that the middleware of one request shares.
type exchange struct {
	id        string // request id
	start     time.Time
	route     string // path template, "" until a route matches
	method    string // GET for a HEAD request
	head      bool
	identity  *account.Identity
	session   string            // secret of the session cookie, set where signing in and out need it
	variables map[string]string // path variables
	address   netip.Addr        // where the request came from
	media     string            // of the response, as negotiated
	origin    string            // origin under which the caller reaches the service, without a trailing slash
	wait      time.Duration     // how long a rate limit makes the caller wait
	answer    *transport.Recorder
	refused   fault.Type // fault type of the response; "" if it is not an error
	leave     func()     // gives back the place of the caller's account; nil if it holds none
}

// household is the network of the caller, as limits count it.
func (x *exchange) household() limit.Key { return limit.Household(x.address) }

type exchangeKey struct{}

// exchangeOf returns the request's exchange. Every request context has one.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// accountOf returns the caller's account.
func accountOf(ctx context.Context) string { return exchangeOf(ctx).identity.AccountID }

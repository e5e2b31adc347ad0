package api

import (
	"crypto/sha256"
	"net/http"
	"time"

	"ballast/api/limit"
	"ballast/internal/fault"
)

// Limits bound the requests of callers. The zero value sets no limits.
type Limits struct {
	Credential limit.Rate    // requests with one key or session
	Address    limit.Rate    // requests from one address
	Refused    limit.Rate    // refused credentials from one address
	AtOnce     int           // requests of one account at the same time
	Proxies    limit.Proxies // which peers are trusted to say who the caller is

	// Exchange makes the rates those of all services of an installation together; nil is
	// for a service that is alone. AtOnce is of each service.
	Exchange *limit.Exchange
}

// callersKept is how many keys, and how many addresses, are counted at a time. Each
// takes about 250 bytes.
const callersKept = 1 << 16

// limiter counts the requests to this process and, with an exchange, to others.
type limiter struct {
	credentials *limit.Buckets       // by the hash of the secret; only credentials that were valid
	texts       *limit.Buckets       // by account: the extra cost of request bodies
	addresses   *limit.Buckets       // by household
	refused     *limit.Buckets       // by household
	accounts    *limit.Crowd[string] // requests in progress
}

func newLimiter(l Limits) *limiter {
	of := &limiter{
		credentials: limit.NewBuckets(l.Credential, callersKept),
		texts:       limit.NewBuckets(l.Credential, callersKept),
		addresses:   limit.NewBuckets(l.Address, callersKept),
		refused:     limit.NewBuckets(l.Refused, callersKept),
		accounts:    limit.NewCrowd[string](l.AtOnce),
	}
	l.Exchange.Share(of.credentials, of.texts, of.addresses, of.refused)
	return of
}

// credentialKey is the caller with a key or session, by the hash of its secret.
func credentialKey(hash [32]byte) limit.Key { return limit.Key(hash[:]) }

// accountKey is the caller that an account is.
func accountKey(id string) limit.Key {
	hash := sha256.Sum256([]byte(id))
	return limit.Key(hash[:])
}

// crowdWait is how long a request should wait if its account has too many in
// progress.
const crowdWait = time.Second

// enter takes one of the account's places until the response has been sent.
func (s *Server) enter(x *exchange) error {
	leave, ok := s.limits.accounts.Enter(x.identity.AccountID)
	if !ok {
		x.wait = crowdWait
		return fault.New(fault.RateLimited, "The account has %d requests in progress, which is the maximum. Wait until one of them has ended.", s.Limits.AtOnce)
	}
	x.leave = leave
	return nil
}

// limitAddress refuses an address that sends too many requests, before any other
// work. Liveness checks cost nothing and are always answered.
func (s *Server) limitAddress(x *exchange, r *http.Request) error {
	if r.URL.Path == healthPath {
		return nil
	}
	if wait := s.limits.addresses.Take(x.household(), s.now()); wait > 0 {
		return rateLimited(x, wait, "requests from this address")
	}
	return nil
}

// limitRefused refuses an address that has sent too many invalid credentials.
func (s *Server) limitRefused(x *exchange) error {
	if wait := s.limits.refused.Wait(x.household(), s.now()); wait > 0 {
		return rateLimited(x, wait, "refused credentials from this address")
	}
	return nil
}

// noteRefused counts invalid credentials against an address.
func (s *Server) noteRefused(x *exchange) { s.limits.refused.Take(x.household(), s.now()) }

// bytesPerToken is how many bytes of a body cost as much as a request: reading and
// checking a script of 4 KiB takes about as long as a small read.
const bytesPerToken = 4 << 10

// costOf is what a body of this many bytes costs in addition to its request.
func costOf(bytes int) int { return bytes / bytesPerToken }

// limitText counts a body by its length, before it is parsed: against the account,
// which may have many keys, or against the address if nobody is signed in.
func (s *Server) limitText(x *exchange, bytes int) error {
	if x.identity == nil {
		if wait := s.limits.addresses.TakeN(x.household(), costOf(bytes), s.now()); wait > 0 {
			return rateLimited(x, wait, "bytes in bodies from this address")
		}
		return nil
	}
	if wait := s.limits.texts.TakeN(accountKey(x.identity.AccountID), costOf(bytes), s.now()); wait > 0 {
		return rateLimited(x, wait, "bytes in bodies from this account")
	}
	return nil
}

// rateLimited returns the error for a request that has to wait.
func rateLimited(x *exchange, wait time.Duration, what string) error {
	x.wait = wait
	return fault.New(fault.RateLimited, "Too many %s. Wait as many seconds as Retry-After says, then send fewer per second.", what)
}

// wholeSeconds rounds a wait up to whole seconds, at least one.
func wholeSeconds(wait time.Duration) int { return max(1, int((wait+time.Second-1)/time.Second)) }

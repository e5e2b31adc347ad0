// Package openid signs people in through an OpenID Connect issuer.
//
// A sign-in uses the authorization code flow with PKCE. An Attempt is one sign-in
// of one browser. Its state goes to the issuer and comes back. The nonce and the
// code verifier are derived from a secret that only the browser keeps, so a
// thief of the database cannot complete a sign-in that has begun.
//
//	p, err := openid.New(openid.Config{Issuer: "https://id.example.com", …})
//	attempt := openid.NewAttempt()
//	address, err := p.Address(ctx, attempt)          // send the browser there
//	person, err := p.Redeem(ctx, attempt.Browser, code) // when it is back
//
// The issuer's configuration is read at the first sign-in, and read again at the
// next ones until that succeeds, so a service starts while its issuer is down.
// When the issuer rotates its keys, they are read again.
package openid

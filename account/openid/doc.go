// Package openid signs people in through an issuer of OpenID Connect.
//
// A sign-in goes by the authorization code with PKCE. An Attempt is one browser's
// try: its state goes to the issuer and comes back; nonce and code verifier are
// derived from what the browser alone keeps, so that a database which is stolen
// meanwhile completes nobody's sign-in.
//
//	p, err := openid.New(openid.Config{Issuer: "https://id.example.com", …})
//	attempt := openid.NewAttempt()
//	address, err := p.Address(ctx, attempt)          // send the browser there
//	person, err := p.Redeem(ctx, attempt.Browser, code) // when it is back
//
// The issuer is asked for its configuration at the first sign-in, and again until
// it has answered: a service starts without it. Keys that it rotates are read again.
package openid

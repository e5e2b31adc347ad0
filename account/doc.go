// Package account holds who may use the service: accounts, their keys, and the
// identity that a request's credentials resolve to.
//
// A key reads bk_ and 43 base64url characters; only its SHA-256 is kept, so a
// stolen database opens nothing. NewKey makes one, Hash gives what is stored,
// and postgres.DB.Authenticate turns a presented secret's hash into an Identity.
package account

// Package account defines who may use the service: accounts, their keys and
// sessions, and the identity that a request's credentials resolve to.
//
// A key is bk_ and 43 base64url characters. Only its SHA-256 is stored, so nobody
// can sign in with what a stolen database holds. NewKey makes a secret, Hash
// returns what is stored of it, and postgres.DB.Authenticate resolves the hash of
// the secret in a request to an Identity.
package account

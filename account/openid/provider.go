package openid

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"ballast/account"
	"ballast/internal/fault"
)

// Config names the issuer, and who may sign in.
type Config struct {
	Issuer       string
	ClientID     string
	ClientSecret string   // "" for a public client
	RedirectURL  string   // the callback's address, as registered with the issuer
	Allow        []string // addresses and domains that may sign in, or * for everybody; if empty, everybody who has an account
	Now          func() time.Time
}

// patience is how long a response of the issuer may take.
const patience = 10 * time.Second

// Provider is an issuer. Its methods may be called from any goroutine.
type Provider struct {
	config Config
	http   *http.Client

	mu    sync.Mutex
	found *oidc.Provider
}

// New checks the configuration. It does not call the issuer.
func New(c Config) (*Provider, error) {
	if c.ClientID == "" {
		return nil, errors.New("an OpenID Connect issuer needs a client id: set --oidc-client-id")
	}
	for i, entry := range c.Allow {
		c.Allow[i] = strings.ToLower(strings.TrimSpace(entry))
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Provider{config: c, http: &http.Client{Timeout: patience}}, nil
}

// Attempt is a browser's attempt to sign in.
type Attempt struct {
	State   string // goes to the issuer and back
	Browser string // stays in the browser
}

// NewAttempt makes an attempt from the system's random source.
func NewAttempt() Attempt { return Attempt{State: rand.Text(), Browser: rand.Text() + rand.Text()} }

// derive makes a secret for one purpose from the browser's secret.
func derive(browser, purpose string) string {
	sum := sha256.Sum256([]byte(purpose + ":" + browser))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Address returns the address at which the browser signs in. The error is
// fault.Unavailable if the issuer does not answer.
func (p *Provider) Address(ctx context.Context, a Attempt) (string, error) {
	client, _, err := p.client(ctx)
	if err != nil {
		return "", err
	}
	return client.AuthCodeURL(a.State, oidc.Nonce(derive(a.Browser, "nonce")), oauth2.S256ChallengeOption(derive(a.Browser, "verifier"))), nil
}

// Redeem exchanges the code that a browser brought back for the person who signed
// in. Errors: fault.Unauthenticated if the issuer does not confirm the sign-in,
// fault.Forbidden if this person may not sign in here, fault.Unavailable if the
// issuer does not answer.
func (p *Provider) Redeem(ctx context.Context, browser, code string) (*account.Person, error) {
	client, found, err := p.client(ctx)
	if err != nil {
		return nil, err
	}
	ctx = oidc.ClientContext(ctx, p.http)
	token, err := client.Exchange(ctx, code, oauth2.VerifierOption(derive(browser, "verifier")))
	if err != nil {
		if refused := new(oauth2.RetrieveError); errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError {
			return nil, unconfirmed(err)
		}
		return nil, unavailable(err)
	}
	raw, _ := token.Extra("id_token").(string)
	verifier := found.VerifierContext(ctx, &oidc.Config{ClientID: p.config.ClientID, Now: p.config.Now})
	id, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, unconfirmed(err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(derive(browser, "nonce"))) != 1 {
		return nil, unconfirmed(errors.New("the nonce of the ID token differs from the one that was sent"))
	}
	return p.person(id)
}

// claims are the claims that are read in addition to the standard ones of a token.
type claims struct {
	Email    string `json:"email"`
	Verified any    `json:"email_verified"` // some issuers write it as a string
	Name     string `json:"name"`
}

func (p *Provider) person(id *oidc.IDToken) (*account.Person, error) {
	var c claims
	if err := id.Claims(&c); err != nil {
		return nil, unconfirmed(err)
	}
	if verified := c.Verified == true || c.Verified == "true"; c.Email == "" || !verified {
		return nil, fault.New(fault.Forbidden, "The sign-in provider has not verified your e-mail address. Verify it there, then sign in again.")
	}
	if !p.allows(c.Email) {
		return nil, fault.New(fault.Forbidden, "The address %s may not sign in here. Ask the operator.", c.Email)
	}
	return &account.Person{Issuer: id.Issuer, Subject: id.Subject, Email: c.Email, Name: c.Name}, nil
}

// allows reports whether an address may sign in. With an empty list every address
// may, and whether the person has an account decides.
func (p *Provider) allows(email string) bool {
	email = strings.ToLower(email)
	_, domain, _ := strings.Cut(email, "@")
	return len(p.config.Allow) == 0 || slices.ContainsFunc(p.config.Allow, func(entry string) bool {
		return entry == "*" || entry == email || entry == domain
	})
}

// client returns an OAuth client. It reads the issuer's configuration unless an
// earlier call has succeeded.
func (p *Provider) client(ctx context.Context) (*oauth2.Config, *oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		// The provider keeps this context and reads keys with it later.
		found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.http), p.config.Issuer)
		if err != nil {
			return nil, nil, unavailable(fmt.Errorf("configuration of %s: %w", p.config.Issuer, err))
		}
		p.found = found
	}
	return &oauth2.Config{
		ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, RedirectURL: p.config.RedirectURL,
		Endpoint: p.found.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}, p.found, nil
}

func unconfirmed(err error) error {
	return fault.New(fault.Unauthenticated, "The sign-in could not be verified. Start again.").Wrap(err)
}

func unavailable(err error) error {
	return fault.New(fault.Unavailable, "The sign-in provider does not respond. Try again in a minute.").Wrap(err)
}

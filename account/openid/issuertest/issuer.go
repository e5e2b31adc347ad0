// Package issuertest is an OpenID Connect issuer for tests. The test chooses who
// signs in, and in which way the issuer misbehaves.
package issuertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Claims are the claims of a token.
type Claims map[string]any

// Issuer is a running issuer. It signs every browser in without asking.
type Issuer struct {
	*httptest.Server
	ClientID, ClientSecret string
	// Change, if not nil, alters the claims of each token. A test may set it between
	// sign-ins.
	Change func(Claims)
	Down   bool // the token endpoint fails

	mu      sync.Mutex
	key     *ecdsa.PrivateKey
	keyID   string
	signing *ecdsa.PrivateKey // signs tokens instead of key, if not nil
	codes   map[string]url.Values
}

// New starts an issuer. It stops when the test ends.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{ClientID: "ballast", ClientSecret: "hush", codes: map[string]url.Values{}}
	i.Rotate(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", i.configuration)
	mux.HandleFunc("/keys", i.keys)
	mux.HandleFunc("/authorize", i.authorize)
	mux.HandleFunc("/token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Rotate replaces the key by one with another id.
func (i *Issuer) Rotate(t testing.TB) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key, i.keyID, i.signing = newKey(t), rand.Text(), nil
}

// Forge makes the issuer sign with an unpublished key, under the id of the
// published one.
func (i *Issuer) Forge(t testing.TB) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.signing = newKey(t)
}

func (i *Issuer) configuration(w http.ResponseWriter, _ *http.Request) {
	answer(w, Claims{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"ES256"}, "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
	})
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: i.keyID, Algorithm: "ES256", Use: "sig"}}})
}

// authorize signs the browser in without asking and redirects it back.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	code := rand.Text()
	i.mu.Lock()
	i.codes[code] = query
	i.mu.Unlock()
	back := query.Get("redirect_uri") + "?" + url.Values{"code": {code}, "state": {query.Get("state")}}.Encode()
	http.Redirect(w, r, back, http.StatusFound)
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	asked, known := i.codes[r.FormValue("code")]
	delete(i.codes, r.FormValue("code")) // a code is valid once
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	proof := base64.RawURLEncoding.EncodeToString(sum[:])
	switch {
	case i.Down:
		http.Error(w, "down", http.StatusInternalServerError)
	case !known, id != i.ClientID, secret != i.ClientSecret, proof != asked.Get("code_challenge"), asked.Get("code_challenge_method") != "S256":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		answer(w, Claims{"error": "invalid_grant"})
	default:
		answer(w, Claims{"access_token": rand.Text(), "token_type": "Bearer", "id_token": i.sign(asked)})
	}
}

// sign returns a valid ID token, with the claims that the test has changed.
func (i *Issuer) sign(asked url.Values) string {
	claims := Claims{
		"iss": i.URL, "aud": i.ClientID, "sub": "ann-1", "nonce": asked.Get("nonce"), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
		"email": "ann@example.com", "email_verified": true, "name": "Ann",
	}
	if i.Change != nil {
		i.Change(claims)
	}
	key := i.key
	if i.signing != nil {
		key = i.signing
	}
	options := (&jose.SignerOptions{}).WithHeader("kid", i.keyID)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
	if err != nil {
		return err.Error()
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		return err.Error()
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return err.Error()
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		return err.Error()
	}
	return text
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the test notices a response that is cut off
}

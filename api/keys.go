package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/internal/id"
)

// KeyBody is an API key without its secret.
type KeyBody struct {
	ID         string     `json:"id"`
	Prefix     string     `json:"prefix" doc:"The first characters of the secret, to recognise the key"`
	Name       string     `json:"name"`
	Scopes     []string   `json:"scopes" enum:"read,run,write" doc:"What the key may do: read, run (start work that is charged), write (change what the account keeps)"`
	DailyCap   *int64     `json:"daily_cap_cents" doc:"The most that work started with the key may cost in a day (UTC); null if there is no cap"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
}

// newKeyBody is a key with its secret, which is shown only once.
type newKeyBody struct {
	KeyBody
	Key string `json:"key" doc:"The secret; it is not stored and cannot be shown again"`
}

type createKeyInput struct {
	Body struct {
		Name     string   `json:"name" minLength:"1" maxLength:"100" doc:"What the key is for"`
		Scopes   []string `json:"scopes,omitempty" enum:"read,run,write" minItems:"1" maxItems:"3" doc:"What the key may do; default: everything"`
		DailyCap *int64   `json:"daily_cap_cents,omitempty" minimum:"0" doc:"The most that work started with the key may cost in a day (UTC), in cents; default: no cap"`
	} `nameHint:"KeyCreate"`
}

type newKeyOutput struct{ Body newKeyBody }

type keysInput struct {
	PageParameters
	Prefix string `query:"prefix" maxLength:"11" doc:"Only keys that begin with these characters; at most the 11 characters that lists show"`
}

type keysOutput struct{ Body pageBody[KeyBody] }

type keyInput struct {
	KeyID string `path:"key_id" minLength:"1" doc:"Key id"`
}

type keyOutput struct{ Body KeyBody }

func (s *Server) registerKeys() {
	register(s, route{
		method: http.MethodPost, path: "/v1/account/keys", id: "create-key", tag: tagAccount, status: http.StatusCreated,
		summary: "Create a key", description: "Returns the secret as `key`, this once. Only a key with all scopes and without a cap can create keys, so that no key creates one that may do more.",
	}, s.createKey)
	register(s, route{
		method: http.MethodGet, path: "/v1/account/keys", id: "list-keys", tag: tagAccount, status: http.StatusOK,
		summary: "List keys", description: "Lists keys, newest first, including revoked ones.",
	}, s.listKeys)
	register(s, route{
		method: http.MethodDelete, path: "/v1/account/keys/{key_id}", id: "revoke-key", tag: tagAccount, status: http.StatusOK,
		summary: "Revoke a key", description: "Revokes a key at once. Revoking a revoked key changes nothing.", faults: []fault.Type{fault.NotFound},
	}, s.revokeKey)
}

func (s *Server) createKey(ctx context.Context, in *createKeyInput) (*newKeyOutput, error) {
	k := &account.Key{AccountID: accountOf(ctx), Name: in.Body.Name, DailyCapCents: in.Body.DailyCap}
	for _, name := range in.Body.Scopes {
		k.Scopes = append(k.Scopes, account.Scope(name))
	}
	secret, err := s.newKey(ctx, k)
	if err != nil {
		return nil, err
	}
	return &newKeyOutput{newKeyBody{keyBodyOf(k), secret}}, nil
}

// mostKeyName is how many characters the name of a key may have.
const mostKeyName = 100

// newKey stores a new key and returns its secret, which is not stored.
func (s *Server) newKey(ctx context.Context, k *account.Key) (secret string, err error) {
	if exchangeOf(ctx).identity.DailyCapCents != nil {
		return "", fault.New(fault.Forbidden, "This key has a daily cap, so it cannot create keys. Use a key without a cap.")
	}
	if n := utf8.RuneCountInString(k.Name); k.Name == "" || n > mostKeyName {
		return "", fault.New(fault.InvalidBody, "A key needs a name of 1 to %d characters that says what it is for.", mostKeyName).
			With(fault.Detail{Field: "name", Message: fmt.Sprintf("must have 1 to %d characters", mostKeyName)})
	}
	var unknown account.Scope
	if k.Scopes, unknown = account.Ordered(k.Scopes); unknown != "" {
		return "", fault.New(fault.InvalidBody, "There is no scope %q. Accepted are read, run and write.", unknown).
			With(fault.Detail{Field: "scopes", Message: "accepted are read, run and write"})
	}
	if k.DailyCapCents != nil && *k.DailyCapCents < 0 {
		return "", fault.New(fault.InvalidBody, "A daily cap is 0 cents or more.").With(fault.Detail{Field: "daily_cap_cents", Message: "must be 0 or more"})
	}
	secret = account.NewKey()
	k.ID, k.Prefix, k.CreatedAt = id.New(id.Key), account.Prefix(secret), s.now().UTC()
	return secret, s.Keys.CreateKey(ctx, k, account.Hash(secret))
}

func (s *Server) listKeys(ctx context.Context, in *keysInput) (*keysOutput, error) {
	keys, err := s.Keys.Keys(ctx, accountOf(ctx), in.Prefix)
	if err != nil {
		return nil, err
	}
	from := min(in.Offset, len(keys))
	rows := slices.Clip(keys[from:min(len(keys), from+in.Limit)])
	return &keysOutput{pageOf(rows, len(keys), keyBodyOf)}, nil
}

func (s *Server) revokeKey(ctx context.Context, in *keyInput) (*keyOutput, error) {
	k, err := s.Keys.RevokeKey(ctx, accountOf(ctx), in.KeyID)
	if err != nil {
		return nil, err
	}
	return &keyOutput{keyBodyOf(k)}, nil
}

func keyBodyOf(k *account.Key) KeyBody {
	return KeyBody{
		ID: k.ID, Prefix: k.Prefix, Name: k.Name, Scopes: names(k.Scopes), DailyCap: k.DailyCapCents, CreatedAt: k.CreatedAt.UTC(), LastUsedAt: utc(k.LastUsedAt), RevokedAt: utc(k.RevokedAt),
	}
}

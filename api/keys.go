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
		Name string `json:"name" minLength:"1" maxLength:"100" doc:"What the key is for"`
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
		summary: "Create a key", description: "Returns the secret as `key`, this once.",
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
	k, secret, err := s.newKey(ctx, accountOf(ctx), in.Body.Name)
	if err != nil {
		return nil, err
	}
	return &newKeyOutput{newKeyBody{keyBodyOf(k), secret}}, nil
}

// mostKeyName is how many characters the name of a key may have.
const mostKeyName = 100

// newKey stores a new key and returns its secret, which is not stored.
func (s *Server) newKey(ctx context.Context, accountID, name string) (k *account.Key, secret string, err error) {
	if n := utf8.RuneCountInString(name); name == "" || n > mostKeyName {
		return nil, "", fault.New(fault.InvalidBody, "A key needs a name of 1 to %d characters that says what it is for.", mostKeyName).
			With(fault.Detail{Field: "name", Message: fmt.Sprintf("must have 1 to %d characters", mostKeyName)})
	}
	secret = account.NewKey()
	k = &account.Key{ID: id.New(id.Key), AccountID: accountID, Name: name, Prefix: account.Prefix(secret), CreatedAt: s.now().UTC()}
	return k, secret, s.Keys.CreateKey(ctx, k, account.Hash(secret))
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
		ID: k.ID, Prefix: k.Prefix, Name: k.Name, CreatedAt: k.CreatedAt.UTC(), LastUsedAt: utc(k.LastUsedAt), RevokedAt: utc(k.RevokedAt),
	}
}

package console

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"ballast/account"
	"ballast/internal/fault"
)

// Keys makes and ends the keys of accounts. Methods return faults.
type Keys interface {
	// NewKey makes a key with the account, name, scopes and cap of k, and returns its
	// secret, which is not stored.
	NewKey(ctx context.Context, k *account.Key) (secret string, err error)
	Keys(ctx context.Context, accountID, prefix string) ([]*account.Key, error)
	RevokeKey(ctx context.Context, accountID, keyID string) (*account.Key, error)
}

// keyList is the page of the account's keys.
type keyList struct {
	Rows    []keyRow
	Pager   pager
	Made    *account.Key    // the key that was just made
	Secret  string          // its secret; "" if the form was sent again, because it is shown once
	Name    string          // of the next key, as it was typed
	Scopes  map[string]bool // of the next key
	Cap     string          // of the next key, in cents, as it was typed
	FormKey string
}

type keyRow struct {
	*account.Key
	Own bool // the reader has signed in with it
}

func (c *Console) listKeys(r *request) (view, error) {
	list := &keyList{FormKey: r.formKey(), Scopes: map[string]bool{}}
	for _, s := range account.Scopes {
		list.Scopes[string(s)] = true
	}
	return c.keyView(r, list, r.URL.Query().Get("made"))
}

// keyView completes the page, which tells of the key with the id made if that is not "".
func (c *Console) keyView(r *request, list *keyList, made string) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	keys, err := c.Keys.Keys(r.Context(), r.account(), "")
	if err != nil {
		return view{}, err
	}
	list.Pager = r.pages(page, len(keys))
	for i, k := range keys {
		if k.ID == made {
			list.Made = k
		}
		if i >= (page-1)*pageSize && i < page*pageSize {
			list.Rows = append(list.Rows, keyRow{k, k.ID == r.who.KeyID})
		}
	}
	return view{Template: "keys.html", Title: "Keys", Section: accountRoot, Data: list}, nil
}

// createKey makes a key and answers with the only page that shows its secret.
func (c *Console) createKey(r *request) (view, error) {
	list := &keyList{
		Name: strings.TrimSpace(r.PostForm.Get("name")), Cap: strings.TrimSpace(r.PostForm.Get("daily_cap_cents")),
		Scopes: map[string]bool{}, FormKey: r.formKey(),
	}
	made := &account.Key{AccountID: r.account(), Name: list.Name}
	for _, s := range r.PostForm["scopes"] {
		list.Scopes[s] = true
		made.Scopes = append(made.Scopes, account.Scope(s))
	}
	next, err := c.once(r, "create-key", func(ctx context.Context) (string, error) {
		if len(made.Scopes) == 0 {
			return "", fault.New(fault.InvalidBody, "Choose what the key may do: read, run or write.")
		}
		var err error
		if made.DailyCapCents, err = centsOf(list.Cap); err != nil {
			return "", err
		}
		if list.Secret, err = c.Keys.NewKey(ctx, made); err != nil {
			return "", err
		}
		return Root + "/account/keys?" + url.Values{"made": {made.ID}}.Encode(), nil
	})
	if err == nil && made.ID == "" { // the form was sent again
		return view{Next: next}, nil
	}
	id := ""
	if err == nil {
		id, list.Name, list.Cap = made.ID, "", ""
	}
	v, failed := c.keyView(r, list, id)
	if err != nil {
		v.Refusal = c.refusalOf(r, err)
	}
	return v, failed
}

// centsOf reads a field with whole cents; nil if it is empty.
func centsOf(text string) (*int64, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // no cap is not an error
	}
	cents, err := strconv.ParseInt(text, 10, 64)
	if err != nil || cents < 0 {
		return nil, fault.New(fault.InvalidBody, "The daily cap is a whole number of cents, 0 or more, or empty for no cap.").
			With(fault.Detail{Field: "daily_cap_cents", Message: "must be a whole number of cents"})
	}
	return &cents, nil
}

func (c *Console) revokeKey(r *request) (view, error) {
	err := c.change(r, "revoke-key", func(ctx context.Context) error {
		_, err := c.Keys.RevokeKey(ctx, r.account(), mux.Vars(r.Request)["key"])
		return err
	})
	return view{Next: r.back(Root + "/account/keys")}, err
}

package console

import (
	"context"
	"net/url"
	"strings"

	"github.com/gorilla/mux"

	"ballast/account"
)

// Keys makes and ends the keys of accounts. Methods return faults.
type Keys interface {
	// NewKey makes a key and returns its secret, which is not stored.
	NewKey(ctx context.Context, accountID, name string) (k *account.Key, secret string, err error)
	Keys(ctx context.Context, accountID, prefix string) ([]*account.Key, error)
	RevokeKey(ctx context.Context, accountID, keyID string) (*account.Key, error)
}

// keyList is the page of the account's keys.
type keyList struct {
	Rows    []keyRow
	Pager   pager
	Made    *account.Key // the key that was just made
	Secret  string       // its secret; "" if the form was sent again, because it is shown once
	Name    string       // of the next key, as it was typed
	FormKey string
}

type keyRow struct {
	*account.Key
	Own bool // the reader has signed in with it
}

func (c *Console) listKeys(r *request) (view, error) {
	list := &keyList{FormKey: r.formKey()}
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
	list := &keyList{Name: strings.TrimSpace(r.PostForm.Get("name")), FormKey: r.formKey()}
	var made *account.Key
	next, err := c.once(r, "create-key", func(ctx context.Context) (string, error) {
		var err error
		if made, list.Secret, err = c.Keys.NewKey(ctx, r.account(), list.Name); err != nil {
			return "", err
		}
		return Root + "/account/keys?" + url.Values{"made": {made.ID}}.Encode(), nil
	})
	if err == nil && made == nil { // the form was sent again
		return view{Next: next}, nil
	}
	id := ""
	if err == nil {
		id, list.Name = made.ID, ""
	}
	v, failed := c.keyView(r, list, id)
	if err != nil {
		v.Refusal = c.refusalOf(r, err)
	}
	return v, failed
}

func (c *Console) revokeKey(r *request) (view, error) {
	err := c.change(r, "revoke-key", func(ctx context.Context) error {
		_, err := c.Keys.RevokeKey(ctx, r.account(), mux.Vars(r.Request)["key"])
		return err
	})
	return view{Next: r.back(Root + "/account/keys")}, err
}

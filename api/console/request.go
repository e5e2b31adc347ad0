package console

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"ballast/account"
	"ballast/internal/fault"
)

// request is a request of somebody who is signed in. Its form is read if it is a POST.
type request struct {
	*http.Request
	who  *account.Identity
	kind *Kind // of the programs that the page is about; nil if it is about none
}

// account returns the id of the account whose pages these are.
func (r *request) account() string { return r.who.AccountID }

// model returns the model, or other program, that the path names.
func (r *request) model() string { return mux.Vars(r.Request)["model"] }

// handler answers a request.
type handler func(r *request) (view, error)

// with returns a handler that answers requests about programs of the kind.
func (k *Kind) with(h handler) handler {
	return func(r *request) (view, error) {
		r.kind = k
		return h(r)
	}
}

// serve lets a handler answer the requests of people who are signed in, and sends
// everybody else to sign in first.
func (c *Console) serve(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, plain *http.Request) {
		who, err := c.Host.Admit(plain)
		if err != nil {
			c.refuse(w, &request{Request: plain}, err)
			return
		}
		if who == nil {
			to := Root
			if plain.Method == http.MethodGet {
				to = plain.URL.RequestURI()
			}
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, plain, "/signin?return_to="+url.QueryEscape(to), http.StatusSeeOther)
			return
		}
		r := &request{Request: plain, who: who}
		if plain.Method == http.MethodPost {
			if err := c.Host.Form(w, plain); err != nil {
				c.refuse(w, r, err)
				return
			}
		}
		v, err := h(r)
		switch {
		case err != nil:
			c.refuse(w, r, err)
		case v.Next != "":
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, plain, v.Next, http.StatusSeeOther)
		default:
			c.write(w, r, http.StatusOK, v)
		}
	}
}

// change makes a change as the operation with this id.
func (c *Console) change(r *request, operation string, change func(ctx context.Context) error) error {
	return c.Changer.Change(r.Request, operation, change)
}

// back returns where the form says that the browser came from, if that is a page of the
// console, and otherwise fallback.
func (r *request) back(fallback string) string {
	to := r.PostForm.Get("back")
	if to != Root && !strings.HasPrefix(to, Root+"/") && !strings.HasPrefix(to, Root+"?") || strings.ContainsFunc(to, func(c rune) bool { return c <= ' ' || c == '\\' }) {
		return fallback
	}
	return to
}

// pageSize is the number of rows on a page of a list.
const pageSize = 25

// pageNumber returns the page that the address asks for, from 1.
func (r *request) pageNumber() (int, error) {
	text := r.URL.Query().Get("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fault.New(fault.InvalidParameter, "The page %q does not exist. Pages are numbered from 1.", text).
			With(fault.Detail{Field: "page", Message: "must be a whole number from 1"})
	}
	return n, nil
}

// pager links the pages of a list.
type pager struct {
	Total, Page, Pages  int
	Previous, Following string // addresses; "" at the ends
}

// pages returns the links to the pages around this one, which keep the rest of the
// address.
func (r *request) pages(page, total int) pager {
	p := pager{Total: total, Page: page, Pages: max(1, (total+pageSize-1)/pageSize)}
	if page > 1 {
		p.Previous = r.with("page", strconv.Itoa(min(page-1, p.Pages)))
	}
	if page < p.Pages {
		p.Following = r.with("page", strconv.Itoa(page+1))
	}
	return p
}

// with returns the address of this page with other values of parameters, which are given
// as name and value. It leaves out a parameter whose value is "".
func (r *request) with(pairs ...string) string {
	query := r.URL.Query()
	for i := 0; i < len(pairs); i += 2 {
		query.Del(pairs[i])
		if pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	if len(query) == 0 {
		return r.URL.Path
	}
	return r.URL.Path + "?" + query.Encode()
}

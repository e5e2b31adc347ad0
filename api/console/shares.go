package console

import (
	"context"
	"fmt"
	"html/template"
	"net/url"

	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/shares"
)

// Shares keeps links under which anybody sees a result. Methods return faults.
// *shares.Service implements it.
type Shares interface {
	// Create returns the token of the share's address, which is not stored.
	Create(ctx context.Context, accountID string, r shares.Request) (s *shares.Share, token string, err error)
	Shares(ctx context.Context, accountID, model, run string, limit, offset int) ([]*shares.Share, int, error)
	Share(ctx context.Context, accountID, shareID string) (*shares.Share, error)
	Patch(ctx context.Context, accountID, shareID string, p shares.Patch) (*shares.Share, error)
	Delete(ctx context.Context, accountID, shareID string) error
}

const sharesRoot = Root + "/shares"

// shareList is the page of the account's shares.
type shareList struct {
	Rows  []shareRow
	Pager pager
	Made  *shares.Share // the share that was just made
	shareAddresses
}

// shareAddresses are empty if the form of a share was sent again, because they are shown
// once.
type shareAddresses struct {
	Address string // of the page
	Chart   string // of the drawing; "" if the share does not show the growth
	Embed   string // the markup of a frame; "" if a frame would be empty
}

type shareRow struct {
	*shares.Share
	State shares.State
	Of    string // address of the page of the model or run; "" if its kind has no pages
	Back  string // address of the list
}

func (c *Console) listShares(r *request) (view, error) {
	return c.sharesView(r, &shareList{}, r.URL.Query().Get("made"))
}

// sharesView completes the page, which tells of the share with the id made if that is not
// "".
func (c *Console) sharesView(r *request, list *shareList, made string) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	all, total, err := c.Shares.Shares(r.Context(), r.account(), "", "", pageSize, (page-1)*pageSize)
	if err != nil {
		return view{}, err
	}
	list.Pager = r.pages(page, total)
	back := sharesRoot
	if page > 1 {
		back = r.with("made", "")
	}
	for _, s := range all {
		list.Rows = append(list.Rows, shareRow{s, s.State(c.Now()), c.sharedAddress(s), back})
	}
	if made != "" {
		if list.Made, err = c.Shares.Share(r.Context(), r.account(), made); err != nil {
			return view{}, err
		}
	}
	return view{Template: "shares.html", Title: "Shares", Section: sharesRoot, Data: list}, nil
}

// sharedAddress is the page of what a share is of.
func (c *Console) sharedAddress(s *shares.Share) string {
	k := c.kindNamed(s.Kind)
	switch {
	case k == nil:
		return ""
	case s.RunID != "":
		return k.Address(s.ProgramID) + "/runs/" + s.RunID
	}
	return k.Address(s.ProgramID)
}

// addressesOf returns the addresses that the token of a share opens.
func addressesOf(origin, token string, s *shares.Share) shareAddresses {
	at := origin + "/share/" + token
	a := shareAddresses{Address: at}
	if s.Shows("growth") && s.Kind == program.KindModel {
		a.Chart = at + "/chart.svg"
	}
	if framed(s) {
		a.Embed = fmt.Sprintf(`<iframe src="%s/embed" title="%s" width="100%%" height="600" style="border:0"></iframe>`,
			template.HTMLEscapeString(at), template.HTMLEscapeString(s.ProgramName))
	}
	return a
}

// framed reports whether the page for frames shows anything of a share.
func framed(s *shares.Share) bool {
	if s.Kind == program.KindModel {
		return s.Shows("growth") || s.Shows("figures")
	}
	return s.Shows("answer")
}

// changeShare pauses, resumes or ends a share, as the button says.
func (c *Console) changeShare(r *request) (view, error) {
	id, action := mux.Vars(r.Request)["share"], r.PostForm.Get("action")
	var err error
	switch action {
	case "pause", "resume":
		paused := action == "pause"
		err = c.change(r, "patch-share", func(ctx context.Context) error {
			_, err := c.Shares.Patch(ctx, r.account(), id, shares.Patch{Paused: &paused})
			return err
		})
	case "end":
		err = c.change(r, "delete-share", func(ctx context.Context) error { return c.Shares.Delete(ctx, r.account(), id) })
	default:
		err = fault.New(fault.InvalidBody, "The form asks for nothing that can be done with a share. Accepted are pause, resume and end.")
	}
	if err == nil {
		return view{Next: r.back(sharesRoot)}, nil
	}
	v, failed := c.sharesView(r, &shareList{}, "")
	v.Refusal = c.refusalOf(r, err)
	return v, failed
}

// createShare makes a share and answers with the only page that shows its address.
func (c *Console) createShare(r *request, form *shareForm, of shares.Request) (view, error) {
	var made *shares.Share
	var addresses shareAddresses
	next, err := c.once(r, "create-share", func(ctx context.Context) (string, error) {
		var err error
		if of.Share, err = form.share(); err != nil {
			return "", err
		}
		share, token, err := c.Shares.Create(ctx, r.account(), of)
		if err != nil {
			return "", err
		}
		made, addresses = share, addressesOf(c.Origin(r.Request), token, share)
		return sharesRoot + "?" + url.Values{"made": {share.ID}}.Encode(), nil
	})
	switch {
	case err != nil:
		v := form.view(r)
		v.Refusal = c.refusalOf(r, err)
		return v, nil
	case made == nil: // the form was sent again
		return view{Next: next}, nil
	}
	return c.sharesView(r, &shareList{shareAddresses: addresses}, made.ID)
}

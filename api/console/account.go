package console

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"ballast/account"
	"ballast/audit"
	"ballast/billing"
)

// Accounts reads accounts.
type Accounts interface {
	Account(ctx context.Context, id string) (*account.Account, error)
}

// Billing reads what accounts may use and have used. billing.Store implements it.
type Billing interface {
	Statement(ctx context.Context, accountID string) (*billing.Statement, error)
	Charges(ctx context.Context, accountID string, f billing.Filter) ([]*billing.Charge, int, error)
	Quotas(ctx context.Context, accountID string) ([]billing.Use, error)
}

// Changes reads the audit log. audit.Store implements it.
type Changes interface {
	Entries(ctx context.Context, f audit.Filter) ([]*audit.Entry, int, error)
}

// accountPage is what an account is and uses.
type accountPage struct {
	*account.Account
	Who       *account.Identity
	Uses      []usedRow
	Statement *billing.Statement // nil while nothing is metered
}

// usedRow is how much of a quota is used.
type usedRow struct{ Name, Used, Limit string }

// quotaNames are the quotas in words.
var quotaNames = map[billing.Quota]string{
	billing.Models: "Models, those in the Trash included", billing.Drafts: "Drafts", billing.Keys: "Keys", billing.Webhooks: "Webhooks", billing.Backfills: "Backfills",
	billing.StoredBytes: "Stored", billing.BuildsADay: "Builds and tests today", billing.ChangesADay: "Changes today",
}

func (c *Console) showAccount(r *request) (view, error) {
	a, err := c.Accounts.Account(r.Context(), r.account())
	if err != nil {
		return view{}, err
	}
	uses, err := c.Billing.Quotas(r.Context(), r.account())
	if err != nil {
		return view{}, err
	}
	page := &accountPage{Account: a, Who: r.who}
	for _, u := range uses {
		page.Uses = append(page.Uses, usedRowOf(u))
	}
	if c.Metered {
		if page.Statement, err = c.Billing.Statement(r.Context(), r.account()); err != nil {
			return view{}, err
		}
	}
	return view{Template: "account.html", Title: "Account", Section: accountRoot, Data: page}, nil
}

func usedRowOf(u billing.Use) usedRow {
	amount := func(n int64) string { return strconv.FormatInt(n, 10) }
	if u.Quota == billing.StoredBytes {
		amount = mebibytes
	}
	row := usedRow{Name: quotaNames[u.Quota], Used: amount(u.Used), Limit: "no limit"}
	if u.Limit > 0 {
		row.Limit = amount(u.Limit)
	}
	return row
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// changeList is the page of what was changed in the account, and by whom.
type changeList struct {
	Rows  []changeRow
	Pager pager
}

type changeRow struct {
	*audit.Entry
	By      string
	Details string // former and new values, as JSON; "" if there are none
}

func (c *Console) listChanges(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	entries, total, err := c.Changes.Entries(r.Context(), audit.Filter{AccountID: r.account(), Limit: pageSize, Offset: (page - 1) * pageSize})
	if err != nil {
		return view{}, err
	}
	list := &changeList{Pager: r.pages(page, total)}
	for _, e := range entries {
		row, err := changeRowOf(e)
		if err != nil {
			return view{}, err
		}
		list.Rows = append(list.Rows, row)
	}
	return view{Template: "changes.html", Title: "Changes", Section: accountRoot, Data: list}, nil
}

func changeRowOf(e *audit.Entry) (changeRow, error) {
	row := changeRow{Entry: e, By: string(e.Actor)}
	if e.ActorID != "" && e.Actor != audit.Operator { // an operator's login name stays private
		row.By = e.ActorID
	}
	if len(e.Before)+len(e.After) == 0 {
		return row, nil
	}
	text, err := json.MarshalIndent(map[string]any{"before": e.Before, "after": e.After}, "", "  ")
	if err != nil {
		return row, fmt.Errorf("encode the change %s: %w", e.ID, err)
	}
	row.Details = string(text)
	return row, nil
}

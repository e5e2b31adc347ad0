package console

import (
	"time"

	"ballast/billing"
	"ballast/internal/fault"
)

// chargeList is the page of what the account has used.
type chargeList struct {
	Rows        []*billing.Charge
	Pager       pager
	Statement   *billing.Statement
	Metered     bool
	First, Last string // days of the filter, both included; "" for no limit
}

func (c *Console) listCharges(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	query := r.URL.Query()
	list := &chargeList{Metered: c.Metered, First: query.Get("first"), Last: query.Get("last")}
	f := billing.Filter{Limit: pageSize, Offset: (page - 1) * pageSize}
	if f.Start, err = dayOf("first", list.First); err != nil {
		return view{}, err
	}
	if f.End, err = dayOf("last", list.Last); err != nil {
		return view{}, err
	}
	if f.End != nil {
		*f.End = f.End.AddDate(0, 0, 1)
	}
	var total int
	if list.Rows, total, err = c.Billing.Charges(r.Context(), r.account(), f); err != nil {
		return view{}, err
	}
	list.Pager = r.pages(page, total)
	if c.Metered {
		if list.Statement, err = c.Billing.Statement(r.Context(), r.account()); err != nil {
			return view{}, err
		}
	}
	return view{Template: "charges.html", Title: "Charges", Section: accountRoot, Data: list}, nil
}

// dayOf returns the start of a day that the address names; nil for "".
func dayOf(field, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // no limit is not an error
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil, fault.New(fault.InvalidParameter, "%q is not a day. Write it as 2026-01-31.", text).With(fault.Detail{Field: field, Message: "must be a day such as 2026-01-31"})
	}
	return &t, nil
}

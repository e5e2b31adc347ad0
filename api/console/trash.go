package console

import (
	"context"
	"math"
	"time"

	"ballast/program"
)

// trashList is the page of the Trash.
type trashList struct {
	Rows    []trashRow
	Pager   pager
	Deleted bool // the reader has just deleted a model
	Back    string
}

type trashRow struct {
	*program.Trashed
	Days int // until it is deleted for good, rounded up
}

func (c *Console) listTrash(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	trashed, total, err := c.Trash.Trash(r.Context(), r.account(), pageSize, (page-1)*pageSize)
	if err != nil {
		return view{}, err
	}
	list := &trashList{Pager: r.pages(page, total), Deleted: r.URL.Query().Has("deleted"), Back: r.URL.Path}
	for _, t := range trashed {
		list.Rows = append(list.Rows, trashRow{t, daysUntil(t.PurgeAt, c.Now())})
	}
	return view{Template: "trash.html", Title: "Trash", Section: Root + "/trash", Data: list}, nil
}

func daysUntil(t, now time.Time) int {
	return max(0, int(math.Ceil(t.Sub(now).Hours()/24)))
}

func (c *Console) restoreModel(r *request) (view, error) {
	err := c.change(r, "restore-model", func(ctx context.Context) error {
		_, err := c.Trash.Restore(ctx, r.account(), r.model())
		return err
	})
	return view{Next: Root}, err
}

func (c *Console) purgeModel(r *request) (view, error) {
	err := c.change(r, "purge-model", func(ctx context.Context) error {
		_, err := c.Trash.Purge(ctx, r.account(), r.model())
		return err
	})
	return view{Next: r.back(Root + "/trash")}, err
}

package console

import (
	"context"
	"math"
	"time"

	"ballast/internal/fault"
	"ballast/program"
)

// trashList is the page of the Trash.
type trashList struct {
	Kind    *Kind // of the programs that are listed
	Kinds   []*Kind
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
	kind := c.Kinds[0]
	if name := r.URL.Query().Get("kind"); name != "" {
		if kind = c.kindNamed(name); kind == nil {
			return view{}, fault.New(fault.InvalidParameter, "There is no kind %q.", name)
		}
	}
	trashed, total, err := kind.Trash.Trash(r.Context(), r.account(), pageSize, (page-1)*pageSize)
	if err != nil {
		return view{}, err
	}
	list := &trashList{Pager: r.pages(page, total), Deleted: r.URL.Query().Has("deleted"), Kind: kind, Kinds: c.Kinds, Back: r.with("deleted", "", "page", "")}
	for _, t := range trashed {
		list.Rows = append(list.Rows, trashRow{t, daysUntil(t.PurgeAt, c.Now())})
	}
	return view{Template: "trash.html", Title: "Trash", Section: Root + "/trash", Data: list}, nil
}

func daysUntil(t, now time.Time) int {
	return max(0, int(math.Ceil(t.Sub(now).Hours()/24)))
}

// trashedKind returns the kind of the program that the path names by its id.
func (c *Console) trashedKind(r *request) (*Kind, error) {
	kind := c.kindNamed(program.KindOf(r.model()))
	if kind == nil {
		return nil, fault.New(fault.NotFound, "Nothing in the Trash has the id %q.", r.model())
	}
	return kind, nil
}

func (c *Console) restoreModel(r *request) (view, error) {
	kind, err := c.trashedKind(r)
	if err != nil {
		return view{}, err
	}
	err = c.change(r, "restore-"+kind.Name, func(ctx context.Context) error {
		_, err := kind.Trash.Restore(ctx, r.account(), r.model())
		return err
	})
	return view{Next: kind.List()}, err
}

func (c *Console) purgeModel(r *request) (view, error) {
	kind, err := c.trashedKind(r)
	if err != nil {
		return view{}, err
	}
	err = c.change(r, "purge-"+kind.Name, func(ctx context.Context) error {
		_, err := kind.Trash.Purge(ctx, r.account(), r.model())
		return err
	})
	return view{Next: r.back(Root + "/trash")}, err
}

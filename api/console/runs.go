package console

import (
	"context"

	"ballast/program"
)

// runList is the page of a model's runs.
type runList struct {
	Base  string // address of the pages of the model
	Rows  []*program.Run
	Pager pager
}

// revisionList is the page of what a model has served, and of tests of its draft.
type revisionList struct {
	Base  string
	Rows  []*program.Revision
	Pager pager
}

func (c *Console) listRuns(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	m, err := c.ownModel(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	runs, total, err := c.Runs.Runs(r.Context(), r.account(), m.ID, program.RunFilter{Limit: pageSize, Offset: (page - 1) * pageSize})
	if err != nil {
		return view{}, err
	}
	return view{Template: "runs.html", Title: "Runs of " + m.Name, Section: Root, Data: &runList{modelAddress(m.Slug), runs, r.pages(page, total)}}, nil
}

func (c *Console) listRevisions(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	m, err := c.ownModel(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	revisions, total, err := c.Revisions.Revisions(r.Context(), r.account(), m.ID, program.RevisionFilter{Limit: pageSize, Offset: (page - 1) * pageSize})
	if err != nil {
		return view{}, err
	}
	return view{Template: "revisions.html", Title: "Revisions of " + m.Name, Section: Root, Data: &revisionList{modelAddress(m.Slug), revisions, r.pages(page, total)}}, nil
}

// changeRun labels a run, or makes its inputs the defaults of the model.
func (c *Console) changeRun(r *request) (view, error) {
	runID := r.PostForm.Get("run")
	next := modelAddress(r.model()) + "/runs"
	if r.PostForm.Get("action") == "promote" {
		err := c.change(r, "promote-run", func(ctx context.Context) error {
			_, err := c.RunChanges.Promote(ctx, r.account(), runID)
			return err
		})
		return view{Next: modelAddress(r.model()) + "?watch=1"}, err
	}
	patch := program.RunPatch{Label: program.Change[string]{Given: true, To: r.PostForm.Get("label")}}
	err := c.change(r, "patch-run", func(ctx context.Context) error {
		_, err := c.RunChanges.PatchRun(ctx, r.account(), runID, patch)
		return err
	})
	return view{Next: next}, err
}

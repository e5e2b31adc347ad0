package console

import (
	"context"
	"net/url"

	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program"
)

// runList is the page of a program's runs.
type runList struct {
	tabs
	Rows  []runRow
	Pager pager
	Most  int // runs that can be compared at once
}

// runRow is a run with the inputs that are not the defaults.
type runRow struct {
	*program.Run
	Changed []inputText
}

// revisionList is the page of what a model has served, and of tests of its draft.
type revisionList struct {
	tabs
	Rows  []*program.Revision
	Pager pager
}

func (c *Console) listRuns(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	m, err := c.own(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	runs, total, err := r.kind.Runs.Runs(r.Context(), r.account(), m.ID, program.RunFilter{Limit: pageSize, Offset: (page - 1) * pageSize})
	if err != nil {
		return view{}, err
	}
	list := &runList{tabs: tabs{r.kind, r.kind.Address(m.Slug), "runs"}, Pager: r.pages(page, total), Most: mostCompared}
	for _, run := range runs {
		inputs, err := inputsOf(run)
		if err != nil {
			return view{}, err
		}
		row := runRow{Run: run}
		for _, in := range inputs {
			if !in.Default {
				row.Changed = append(row.Changed, in)
			}
		}
		list.Rows = append(list.Rows, row)
	}
	return view{Template: "runs.html", Title: "Runs of " + m.Name, Section: r.kind.List(), Data: list}, nil
}

func (c *Console) listRevisions(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	m, err := c.own(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	revisions, total, err := c.Revisions.Revisions(r.Context(), r.account(), m.ID, program.RevisionFilter{Limit: pageSize, Offset: (page - 1) * pageSize})
	if err != nil {
		return view{}, err
	}
	return view{Template: "revisions.html", Title: "Revisions of " + m.Name, Section: Root, Data: &revisionList{tabs{r.kind, r.kind.Address(m.Slug), "revisions"}, revisions, r.pages(page, total)}}, nil
}

// runPage is one run: how far it has come, its inputs, and what can be done with it.
type runPage struct {
	tabs
	*program.Run
	Base     string // of the tabs; the Base of a run is a date
	Progress *progress
	Watch    string // address of its progress
	Inputs   []inputText
	Address  string // of this page
	Share    string // address of the form that shares its result; "" if it cannot be shared
	Shown    string // the label as it was typed
	FormKey  string
}

func (c *Console) showRun(r *request) (view, error) {
	run, err := c.ownRun(r.Context(), r, mux.Vars(r.Request)["run"])
	if err != nil {
		return view{}, err
	}
	return c.runView(r, run)
}

func (c *Console) runView(r *request, run *program.Run) (view, error) {
	base := r.kind.Address(r.model())
	page := &runPage{tabs: tabs{r.kind, base, "runs"}, Base: base, Run: run, Address: base + "/runs/" + run.ID, Shown: run.Label, FormKey: r.formKey()}
	v := view{Template: "run.html", Title: "Run of " + run.ProgramName, Section: r.kind.List(), Data: page}
	if !run.Status.Ended() {
		page.Progress, page.Watch = progressOf(run), base+"/progress?"+url.Values{"run": {run.ID}}.Encode()
		v.Refresh = refreshSeconds
	}
	page.Share = c.shareAddress(page.Address, run.Status == program.RunComplete)
	var err error
	page.Inputs, err = inputsOf(run)
	return v, err
}

// ownRun reads a run of the program that the path names. Others look as if they did not
// exist.
func (c *Console) ownRun(ctx context.Context, r *request, ref string) (*program.Run, error) {
	m, err := c.own(ctx, r)
	if err != nil {
		return nil, err
	}
	run, err := r.kind.Runs.Run(ctx, r.account(), ref)
	if err == nil && run.ProgramID != m.ID {
		return nil, fault.Missing("run", ref)
	}
	return run, err
}

// changeRun labels or shares a run, makes its inputs the defaults of the model, or deletes
// it, as the button says.
func (c *Console) changeRun(r *request) (view, error) {
	run, err := c.ownRun(r.Context(), r, mux.Vars(r.Request)["run"])
	if err != nil {
		return view{}, err
	}
	base := r.kind.Address(r.model())
	next := base + "/runs/" + run.ID
	switch action := r.PostForm.Get("action"); action {
	case "promote":
		next, err = c.once(r, "promote-run", func(ctx context.Context) (string, error) {
			_, err := r.kind.Changes.Promote(ctx, r.account(), run.ID)
			return base + "?watch=1", err
		})
	case "delete":
		next = base + "/runs"
		err = c.change(r, "delete-run", func(ctx context.Context) error {
			_, err := r.kind.Changes.DeleteRun(ctx, r.account(), run.ID)
			return err
		})
	default:
		patch := program.RunPatch{Shared: program.Change[bool]{Given: true, To: action == "share"}}
		if action == "label" {
			patch = program.RunPatch{Label: program.Change[string]{Given: true, To: r.PostForm.Get("label")}}
		}
		err = c.change(r, "patch-run", func(ctx context.Context) error {
			_, err := r.kind.Changes.PatchRun(ctx, r.account(), run.ID, patch)
			return err
		})
	}
	if err == nil {
		return view{Next: next}, nil
	}
	v, failed := c.runView(r, run)
	v.Refusal = c.refusalOf(r, err)
	if page, ok := v.Data.(*runPage); ok && r.PostForm.Has("label") {
		page.Shown = r.PostForm.Get("label")
	}
	return v, failed
}

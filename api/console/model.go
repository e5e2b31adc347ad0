package console

import (
	"context"
	"net/url"
	"strings"

	"ballast/internal/fault"
	"ballast/program"
)

// modelPage shows a model at work: what is in progress, what went wrong, and where to go
// on. Its result is on the page that it shares with others.
type modelPage struct {
	*program.Sheet
	State    string // of its refreshes
	Reasons  []string
	Progress *progress
	Prompt   string // what a failed model is built from again
	Script   string
	Public   string // address of the page of its result
	Base     string // address of the pages of this model
}

// progress is how far a run has come.
type progress struct {
	Step        string
	Done, Total int
}

// modelAddress is the address of the page of a model.
func modelAddress(slug string) string { return Root + "/models/" + url.PathEscape(slug) }

// ownModel reads one of the account's models. Public models of others look as if they did
// not exist, because these pages are for owners.
func (c *Console) ownModel(ctx context.Context, r *request) (*program.Sheet, error) {
	m, err := c.Sheets.Sheet(ctx, r.account(), r.model())
	if err == nil && m.AccountID != r.account() {
		return nil, fault.Missing("model", r.model())
	}
	return m, err
}

func (c *Console) showModel(r *request) (view, error) {
	m, err := c.ownModel(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	watching := r.URL.Query().Has("watch")
	if watching && m.InFlight == nil && m.Live != nil {
		return view{Next: "/model/" + url.PathEscape(m.Slug)}, nil
	}
	return c.modelView(m), nil
}

func (c *Console) modelView(m *program.Sheet) view {
	page := &modelPage{Sheet: m, Progress: progressOf(m.InFlight), Public: "/model/" + url.PathEscape(m.Slug), Base: modelAddress(m.Slug)}
	v := view{Template: "model.html", Title: m.Name, Section: Root, Data: page}
	if m.InFlight != nil {
		v.Refresh = refreshSeconds
	}
	if m.Live != nil {
		state := m.RefreshState(program.Nightly{}.Session(c.Now()))
		page.State = state.State
		for _, b := range state.Blockers {
			page.Reasons = append(page.Reasons, b.Message)
		}
	} else if m.Build != nil {
		page.Prompt, page.Script = m.Build.Prompt, m.Build.Script
	}
	return v
}

func progressOf(run *program.Run) *progress {
	if run == nil {
		return nil
	}
	return &progress{Step: run.Progress.Step, Done: run.Progress.Done, Total: run.Progress.Total}
}

// rebuildModel builds a model again, from other words or another script.
func (c *Console) rebuildModel(r *request) (view, error) {
	request := program.RebuildRequest{Prompt: r.text("prompt"), Script: r.text("script")}
	if strings.TrimSpace(request.Script) != "" && r.PostForm.Get("action") == "script" {
		request.Prompt = ""
	} else {
		request.Script = ""
	}
	err := c.change(r, "rebuild-model", func(ctx context.Context) error {
		_, err := c.Builder.Rebuild(ctx, r.account(), r.model(), request)
		return err
	})
	if err == nil {
		return view{Next: modelAddress(r.model()) + "?watch=1"}, nil
	}
	m, missing := c.ownModel(r.Context(), r)
	if missing != nil {
		return view{}, missing
	}
	v := c.modelView(m)
	v.Refusal = c.refusalOf(r, err)
	if page, ok := v.Data.(*modelPage); ok {
		page.Prompt, page.Script = r.text("prompt"), r.text("script")
	}
	return v, nil
}

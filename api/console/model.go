package console

import (
	"context"
	"slices"
	"strings"

	"ballast/program"
)

// tabs are the links between the pages of one program.
type tabs struct {
	Kind *Kind
	Base string // address of the pages of the program
	Tab  string // the page that is shown: overview, edit, runs or revisions
}

// modelPage shows a model, or another program, at work: what is in progress, what went
// wrong, its settings, and where to go on. Its result is on the page that it shares with
// others.
type modelPage struct {
	tabs
	*program.Sheet
	State    string // of its refreshes
	Reasons  []string
	Progress *progress
	Prompt   string // what a failed model is built from again
	Script   string
	Share    string // address of the form that shares what it serves; "" if it cannot be shared
	Public   string // address of the page of its result; "" if there is none
	Settings settings
	Cents    *int64 // what the next run would hold; nil if nothing is metered
	FormKey  string
}

// settings are what an owner may change without building anything.
type settings struct {
	Name, Symbol, Labels          string
	Public, AutoUpdate, SendEmail bool
}

// progress is how far a run has come.
type progress struct {
	Step        string
	Done, Total int
}

func (c *Console) showModel(r *request) (view, error) {
	m, err := c.own(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	watching := r.URL.Query().Has("watch")
	if watching && m.InFlight == nil && m.Live != nil {
		return view{Next: r.kind.result(m)}, nil
	}
	return c.modelView(r, m), nil
}

func (c *Console) modelView(r *request, m *program.Sheet) view {
	page := &modelPage{
		tabs: tabs{r.kind, r.kind.Address(m.Slug), "overview"}, Sheet: m, Progress: progressOf(m.InFlight), Public: r.kind.result(m), Cents: c.Estimate(m), FormKey: r.formKey(),
		Settings: settings{m.Name, m.Symbol, strings.Join(m.Labels, ", "), m.IsPublic, m.AutoUpdate, m.NotifyEmail},
	}
	v := view{Template: "model.html", Title: m.Name, Section: r.kind.List(), Data: page}
	if m.InFlight != nil {
		v.Refresh = refreshSeconds
	}
	if m.Live != nil {
		page.Share = c.shareAddress(page.Base, r.kind.IsModel())
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

// saveSettings changes the settings that differ from what the form began with.
func (c *Console) saveSettings(r *request) (view, error) {
	m, err := c.own(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	form := r.PostForm
	s := settings{
		strings.TrimSpace(form.Get("name")), strings.TrimSpace(form.Get("symbol")), strings.TrimSpace(form.Get("labels")),
		form.Get("public") != "", form.Get("auto_update") != "", form.Get("notify_email") != "",
	}
	err = c.change(r, "patch-"+r.kind.Name, func(ctx context.Context) error {
		patch, err := c.settingsPatch(ctx, m, s)
		if err == nil && !patch.Empty() {
			_, err = r.kind.Programs.Patch(ctx, r.account(), m.ID, patch)
		}
		return err
	})
	if err == nil {
		return view{Next: r.kind.Address(m.Slug)}, nil
	}
	v := c.modelView(r, m)
	v.Refusal = c.refusalOf(r, err)
	if page, ok := v.Data.(*modelPage); ok {
		page.Settings = s
	}
	return v, nil
}

// settingsPatch is what settings change in a program.
func (c *Console) settingsPatch(ctx context.Context, m *program.Sheet, s settings) (program.ModelPatch, error) {
	labels := labelsOf(s.Labels)
	patch := program.ModelPatch{
		Name: changed(m.Name, s.Name), IsPublic: changed(m.IsPublic, s.Public), AutoUpdate: changed(m.AutoUpdate, s.AutoUpdate), NotifyEmail: changed(m.NotifyEmail, s.SendEmail),
		Labels: program.Change[[]string]{Given: !slices.Equal(labels, m.Labels), To: labels},
	}
	if program.KindOf(m.ID) == program.KindModel {
		patch.Symbol = changed(m.Symbol, s.Symbol)
	}
	if !patch.AutoUpdate.Given || !s.AutoUpdate {
		return patch, nil
	}
	_, err := c.Host.Recurring(ctx, &s.AutoUpdate)
	return patch, err
}

func changed[T comparable](from, to T) program.Change[T] {
	return program.Change[T]{Given: from != to, To: to}
}

// rebuildModel builds a program again, from other words or another script.
func (c *Console) rebuildModel(r *request) (view, error) {
	request := program.RebuildRequest{Prompt: r.text("prompt"), Script: r.text("script")}
	if strings.TrimSpace(request.Script) != "" && r.PostForm.Get("action") == fromScript {
		request.Prompt = ""
	} else {
		request.Script = ""
	}
	watch := r.kind.Address(r.model()) + "?watch=1"
	next, err := c.once(r, "rebuild-"+r.kind.Name, func(ctx context.Context) (string, error) {
		_, err := r.kind.Builder.Rebuild(ctx, r.account(), r.model(), request)
		return watch, err
	})
	if err == nil {
		return view{Next: next}, nil
	}
	m, missing := c.own(r.Context(), r)
	if missing != nil {
		return view{}, missing
	}
	v := c.modelView(r, m)
	v.Refusal = c.refusalOf(r, err)
	if page, ok := v.Data.(*modelPage); ok {
		page.Prompt, page.Script = r.text("prompt"), r.text("script")
	}
	return v, nil
}

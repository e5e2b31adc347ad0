package console

import (
	"context"
	"reflect"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/script"
)

// whatIfPage is the form that runs a program with other inputs.
type whatIfPage struct {
	tabs
	Fields  []inputField
	From    string // the run that the form started from; "" for the defaults
	Text    string // label of the run
	Cents   *int64 // what the run would hold; nil if nothing is metered
	FormKey string
}

func (c *Console) showInputs(r *request) (view, error) {
	m, all, err := c.schema(r)
	if err != nil {
		return view{}, err
	}
	values := map[string]any{}
	from := r.URL.Query().Get("from")
	if from != "" {
		run, err := c.ownRun(r.Context(), r, from)
		if err != nil {
			return view{}, err
		}
		if values, err = valuesOf(run); err != nil {
			return view{}, err
		}
	}
	page := &whatIfPage{Fields: fieldsOfInputs(all, values), From: from}
	return c.whatIfView(r, m, page), nil
}

func (c *Console) whatIfView(r *request, m *program.Sheet, page *whatIfPage) view {
	page.tabs, page.Cents, page.FormKey = tabs{r.kind, r.kind.Address(m.Slug), "runs"}, c.Estimate(m), r.formKey()
	return view{Template: "what_if.html", Title: "What if: " + m.Name, Section: r.kind.List(), Data: page}
}

// schema returns the program that the path names and its inputs.
func (c *Console) schema(r *request) (*program.Sheet, []property, error) {
	m, err := c.own(r.Context(), r)
	if err != nil {
		return nil, nil, err
	}
	if m.Build == nil {
		return nil, nil, fault.New(fault.NotReady, "There is no script to run yet. Wait until the build has ended.")
	}
	all, err := propertiesOf(m.Build.InputsSchema)
	return m, all, err
}

// startRun starts a run: a snapshot with the inputs of the form or, with the button of the
// page of the program, one that publishes the defaults.
func (c *Console) startRun(r *request) (view, error) {
	m, all, err := c.schema(r)
	if err != nil {
		return view{}, err
	}
	refresh := r.PostForm.Get("action") == "refresh"
	request := program.RunRequest{}
	if !refresh {
		if request, err = c.whatIf(r, all); err != nil {
			return view{}, err
		}
	}
	base := r.kind.Address(m.Slug)
	next, err := c.once(r, "start-run", func(ctx context.Context) (string, error) {
		run, err := r.kind.Changes.StartRun(ctx, r.account(), m.ID, request)
		if err != nil {
			return "", err
		}
		return base + "/runs/" + run.ID, nil
	})
	if err == nil {
		return view{Next: next}, nil
	}
	refused := c.refusalOf(r, err)
	if refresh {
		v := c.modelView(r, m)
		v.Refusal = refused
		return v, nil
	}
	fields := fieldsOfInputs(all, nil)
	for i := range fields {
		f := &fields[i]
		f.Value, f.Checked, f.Problem = r.text("input."+f.Name), r.PostForm.Has("input."+f.Name), refused.About("inputs."+f.Name)
	}
	v := c.whatIfView(r, m, &whatIfPage{Fields: fields, From: r.PostForm.Get("from"), Text: r.PostForm.Get("label")})
	v.Refusal = refused
	return v, nil
}

// whatIf reads the form. A field that was left empty takes its default. If the universe is
// still that of the run from which the form started, its members keep the meaning that
// they had there.
func (c *Console) whatIf(r *request, all []property) (program.RunRequest, error) {
	request := program.RunRequest{Inputs: map[string]any{}, Label: r.PostForm.Get("label"), Intent: "test"}
	for i := range all {
		p := &all[i]
		text := r.text("input." + p.Name)
		if text == "" && p.Type != "boolean" {
			continue
		}
		request.Inputs[p.Name] = p.valueOf(text)
	}
	id := r.PostForm.Get("from")
	if id == "" {
		return request, nil
	}
	from, err := c.ownRun(r.Context(), r, id)
	if err != nil {
		return request, err
	}
	values, err := valuesOf(from)
	if err != nil {
		return request, err
	}
	for name, value := range values {
		if _, kept := request.Inputs[name]; !kept && value != nil {
			return request, nil // a run cannot start from another and leave out what that one had
		}
	}
	if reflect.DeepEqual(values[script.UniverseInput], request.Inputs[script.UniverseInput]) {
		delete(request.Inputs, script.UniverseInput)
		request.FromRunID = from.ID
	}
	return request, nil
}

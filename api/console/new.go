package console

import (
	"context"
	"slices"
	"strings"

	"ballast/internal/fault"
	"ballast/program"
)

// Ways to make a program.
const (
	fromWords  = "words"
	fromScript = "script"
	fromForm   = "form"
)

// newPage is the page that makes a model, or another program that its words or script
// describe.
type newPage struct {
	From                  string // words, script, form, or the name of a kind
	Prompt, Script        string
	Name, Symbol, Labels  string
	Shape                 shape
	Call                  *call       // the form of a kind; nil for other ways
	Ways                  []*Kind     // that have a form of their own
	Cost                  string      // what building holds; "" if nothing is metered
	Understood            *understood // what the words or the script mean; nil before there are any
	MostPrompt, MostShape int
	FormKey               string // so that a form that is sent twice makes one program
}

// understood is what was understood of words or of a script, and what was not.
type understood struct {
	Kind        string // model, simulation or analysis; "" if something was not understood
	Words       []span // the words, with marks where something was not understood; nil for a script
	Problems    []problem
	Description string
	Script      string // written from the words
}

// problem is something that was not understood.
type problem struct {
	Line, Column   int // in a script; 0 if not known
	Message, Rule  string
	Accepted       []string
	Nearest, Words string
}

// span is a part of a text.
type span struct {
	Text    string
	Problem int // number of the problem that it has, from 1; 0 if it was understood
}

// mostPrompt is how many characters a description may have, as in the REST interface.
const mostPrompt = 20_000

func (c *Console) showNew(r *request) (view, error) {
	query := r.URL.Query()
	page := c.newPage(r, query.Get("from"))
	page.Prompt, page.Shape = query.Get("prompt"), emptyShape(query.Get("members"))
	return page.view(nil), nil
}

// newPage returns the page for one of the ways to make a program.
func (c *Console) newPage(r *request, from string) *newPage {
	page := &newPage{FormKey: r.formKey(), From: from}
	for _, k := range c.Kinds {
		if k.Call == nil {
			continue
		}
		page.Ways = append(page.Ways, k)
		if k.Name == from {
			page.Call = k.callOf(r)
		}
	}
	if page.Call == nil && page.From != fromScript && page.From != fromForm {
		page.From = fromWords
	}
	if c.Metered {
		page.Cost = cents(c.BuildCents)
	}
	return page
}

func (p *newPage) view(refused *refusal) view {
	p.MostPrompt, p.MostShape = mostPrompt, mostRows
	return view{Template: "new.html", Title: "New model", Section: Root + "/new", Data: p, Refusal: refused}
}

// postNew checks what the form says and, if it was sent to create a program, creates it.
func (c *Console) postNew(r *request) (view, error) {
	form := r.PostForm
	page := c.newPage(r, form.Get("from"))
	page.Prompt, page.Script = r.text("prompt"), r.text("script")
	page.Name, page.Symbol, page.Labels = form.Get("name"), form.Get("symbol"), form.Get("labels")
	switch {
	case page.Call != nil:
		source, err := page.Call.source(r.Context())
		if err != nil {
			if form.Get("action") == "" {
				return page.view(nil), nil
			}
			return page.view(c.refusalOf(r, err)), nil
		}
		page.Script, page.Prompt = source, ""
	case page.From == fromForm:
		page.Shape = shapeOf(form)
		prompt, err := page.Shape.words()
		if err != nil {
			if form.Get("action") == "" { // the form is incomplete while somebody fills it
				return page.view(nil), nil
			}
			return page.view(c.refusalOf(r, err)), nil
		}
		page.Prompt = prompt
	}
	var err error
	if page.Understood, err = c.understand(r.Context(), r.account(), page); err != nil {
		return page.view(c.refusalOf(r, err)), nil
	}
	if form.Get("action") != "create" {
		return page.view(nil), nil
	}
	next, err := c.create(r, page)
	if err != nil {
		return page.view(c.refusalOf(r, err)), nil
	}
	return view{Next: next}, nil
}

// understand reads the words or the script of a page. Nothing is stored.
func (c *Console) understand(ctx context.Context, accountID string, page *newPage) (*understood, error) {
	if page.From == fromScript || page.Call != nil {
		if strings.TrimSpace(page.Script) == "" {
			return nil, nil //nolint:nilnil // there is nothing to read yet
		}
		v, err := c.Reader.Validate(ctx, accountID, page.Script)
		if err != nil {
			return nil, err
		}
		u := &understood{Kind: v.Kind, Problems: scriptProblems(v.Errors)}
		if page.Call != nil {
			u.Script = page.Script
		}
		return u, nil
	}
	if strings.TrimSpace(page.Prompt) == "" {
		return nil, nil //nolint:nilnil // as above
	}
	if n := len([]rune(page.Prompt)); n > mostPrompt {
		return nil, fault.New(fault.InvalidBody, "The description has %d characters. At most %d are accepted.", n, mostPrompt)
	}
	v, err := c.Reader.ValidatePrompt(ctx, accountID, page.Prompt)
	if err != nil {
		return nil, err
	}
	u := &understood{Kind: v.Kind, Description: v.Description, Script: v.Script}
	u.Words, u.Problems = marked(page.Prompt, v.Errors)
	return u, nil
}

func scriptProblems(errors []program.Problem) []problem {
	list := make([]problem, len(errors))
	for i, e := range errors {
		list[i] = problem{Line: e.Line, Column: e.Column, Message: e.Message, Rule: e.Rule, Accepted: e.Accepted, Nearest: e.Suggestion}
	}
	return list
}

// marked divides words at the places that were not understood, and lists the problems in
// the order of the words.
func marked(prompt string, errors []program.PromptProblem) ([]span, []problem) {
	errors = slices.Clone(errors)
	slices.SortStableFunc(errors, func(a, b program.PromptProblem) int { return a.Offset - b.Offset })
	text, at := []rune(prompt), 0
	var spans []span
	list := make([]problem, len(errors))
	for i, e := range errors {
		list[i] = problem{Message: e.Message, Accepted: e.Accepted, Nearest: e.Nearest}
		if strings.Contains(e.Message, "did you mean") { // the whole sentence, which says it already
			list[i].Nearest = ""
		}
		end := min(e.Offset+e.Length, len(text))
		if e.Length == 0 || e.Offset >= end {
			continue
		}
		list[i].Words = string(text[e.Offset:end])
		if e.Offset < at { // it overlaps the one before
			continue
		}
		if e.Offset > at {
			spans = append(spans, span{Text: string(text[at:e.Offset])})
		}
		spans, at = append(spans, span{list[i].Words, i + 1}), end
	}
	if at < len(text) {
		spans = append(spans, span{Text: string(text[at:])})
	}
	return spans, list
}

// create creates the program and returns the page on which its progress is shown.
func (c *Console) create(r *request, page *newPage) (string, error) {
	request := program.CreateRequest{
		Prompt: page.Prompt, Script: page.Script, Name: strings.TrimSpace(page.Name), Symbol: strings.TrimSpace(page.Symbol), Labels: labelsOf(page.Labels),
	}
	if page.Understood == nil {
		return "", fault.New(fault.InvalidBody, "There is nothing to build yet. Describe the model first.")
	}
	if page.From == fromScript || page.Call != nil {
		request.Prompt = ""
	} else {
		request.Script = ""
	}
	kind := page.Understood.Kind
	if kind == "" { // the builder says what is wrong, or a language model writes the script
		kind = program.KindModel
	}
	of := c.kindNamed(kind)
	if of == nil {
		return "", fault.New(fault.InvalidScript, "The script is of the kind %q, which cannot be kept here.", kind)
	}
	var err error
	if request.AutoUpdate, err = c.Host.Recurring(r.Context(), nil); err != nil {
		return "", err
	}
	return c.once(r, "create-"+kind, func(ctx context.Context) (string, error) {
		created, err := of.Builder.Create(ctx, r.account(), request)
		if err != nil {
			return "", err
		}
		return of.Address(created.Slug) + "?watch=1", nil
	})
}

// labelsOf divides labels that are separated by commas.
func labelsOf(text string) []string {
	var labels []string
	for label := range strings.SplitSeq(text, ",") {
		if label = strings.TrimSpace(label); label != "" {
			labels = append(labels, label)
		}
	}
	return labels
}

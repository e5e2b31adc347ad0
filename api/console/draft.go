package console

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

// draftPage is the editor of a model's draft.
type draftPage struct {
	tabs
	Model            *program.Sheet
	Version          int // of the draft that the text started from
	BaseHash         string
	Script           string
	Key              string // of the next test, so that sending it twice starts one
	State            *draftState
	Test             *draftTest // the latest test; nil before the first
	Overwrite        bool       // offers to save over the edit of another tab
	NewVersion       int        // of the draft that would be overwritten
	NewHash, OtherBy string
	Names            string // names to complete, as JSON
}

// draftState is what is shown of a draft beside its text.
type draftState struct {
	Saved, Dirty bool
	Problems     []problem
	JSON         string // the problems, for the editor
	Diff         []diffLine
}

// draftTest is a test of the draft and how its result compares with what is served.
type draftTest struct {
	*program.Revision
	Progress   *progress
	Watch      string // address of its progress; "" when it has ended
	Reason     string // why it cannot be applied; "" if it can
	Compared   []comparedFigure
	Was, Is    string // the windows of both results
	ResultPage string
}

// comparedFigure is a figure of what is served and of a test.
type comparedFigure struct{ Name, Served, Tested string }

func (c *Console) showDraft(r *request) (view, error) {
	m, err := c.own(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	d, err := c.Drafts.Draft(r.Context(), r.account(), m.ID)
	if err != nil {
		return view{}, err
	}
	return c.draftView(r, m, d, nil)
}

// draftView shows a draft. With an error, the text of the form stays as it was sent.
func (c *Console) draftView(r *request, m *program.Sheet, d *program.Draft, failed error) (view, error) {
	page := &draftPage{
		tabs: tabs{r.kind, r.kind.Address(m.Slug), "edit"}, Model: m, Version: d.Version, BaseHash: d.BaseHash, Script: d.Script, Key: rand.Text(),
		State: &draftState{Saved: d.UpdatedAt != nil, Dirty: d.Dirty, Problems: scriptProblems(d.Validation.Errors), Diff: diffOf(m.Build.Script, d.Script)},
	}
	v := view{Template: "draft.html", Title: "Edit " + m.Name, Section: Root, Editor: true, Data: page}
	if failed != nil {
		v.Refusal = c.refusalOf(r, failed)
		page.Version, page.BaseHash, page.Script = atoi(r.PostForm.Get("version")), r.PostForm.Get("base_hash"), r.text("script")
		if fault.TypeOf(failed) == fault.DraftConflict {
			page.Overwrite, page.NewVersion, page.NewHash = true, d.Version, d.BaseHash
			page.State.Diff = diffOf(d.Script, page.Script)
			page.State.Problems = []problem{} // they are those of the other text
		}
	}
	encoded, err := json.Marshal(page.State.Problems)
	if err != nil {
		return view{}, fmt.Errorf("encode the problems of a draft: %w", err)
	}
	page.State.JSON = string(encoded)
	if page.Names, err = completions(); err != nil {
		return view{}, err
	}
	page.Test, err = c.latestTest(r.Context(), r, m)
	if page.Test != nil && page.Test.Watch != "" {
		v.Refresh = refreshSeconds
	}
	return v, err
}

// postDraft saves the text and then tests, applies or resets, as the button says.
// Without a button it only saves, as the editor does by itself.
func (c *Console) postDraft(r *request) (view, error) {
	m, err := c.own(r.Context(), r)
	if err != nil {
		return view{}, err
	}
	action := r.PostForm.Get("action")
	var next string
	if action == "apply" {
		next, err = c.applyTest(r, m)
	} else {
		next, err = c.saveDraft(r, m, action)
	}
	if err == nil && next != "" {
		return view{Next: next}, nil
	}
	d, missing := c.Drafts.Draft(r.Context(), r.account(), m.ID)
	if missing != nil {
		return view{}, missing
	}
	return c.draftView(r, m, d, err)
}

// saveDraft saves what the form says, unless it is what is saved already, and starts a
// test if the button says so.
func (c *Console) saveDraft(r *request, m *program.Sheet, action string) (next string, err error) {
	form, script := r.PostForm, r.text("script")
	edit := program.DraftEdit{ExpectedVersion: atoi(form.Get("version")), BaseHash: form.Get("base_hash"), Script: &script}
	switch action {
	case "reset":
		edit.Reset, edit.Script = true, nil
	case "overwrite":
		edit.ExpectedVersion, edit.BaseHash = atoi(form.Get("new_version")), form.Get("new_hash")
	}
	d, err := c.Drafts.Draft(r.Context(), r.account(), m.ID)
	if err != nil {
		return "", err
	}
	if edit.Reset || d.Script != script || d.Version != edit.ExpectedVersion || d.BaseHash != edit.BaseHash {
		err = c.change(r, "save-draft", func(ctx context.Context) error {
			_, err := c.Drafts.SaveDraft(ctx, r.account(), m.ID, edit)
			return err
		})
	}
	if err != nil || action == "" {
		return "", err
	}
	if action == "test" {
		err = c.change(r, "test-draft", func(ctx context.Context) error {
			_, err := c.Drafts.TestDraft(ctx, r.account(), m.ID, form.Get("key"))
			return err
		})
	}
	return r.kind.Address(m.Slug) + "/edit", err
}

// applyTest makes the model serve a test.
func (c *Console) applyTest(r *request, m *program.Sheet) (next string, err error) {
	err = c.change(r, "apply-revision", func(ctx context.Context) error {
		_, _, err := c.Revisions.ApplyRevision(ctx, r.account(), m.ID, r.PostForm.Get("revision"))
		return err
	})
	return r.kind.Address(m.Slug) + "?watch=1", err
}

// latestTest returns the latest test of a model's draft; nil if there is none.
func (c *Console) latestTest(ctx context.Context, r *request, m *program.Sheet) (*draftTest, error) {
	accountID := r.account()
	tests, _, err := c.Revisions.Revisions(ctx, accountID, m.ID, program.RevisionFilter{Event: "tests", Limit: 1})
	if err != nil || len(tests) == 0 {
		return nil, err
	}
	v := tests[0]
	t := &draftTest{Revision: v}
	if !v.Status.Ended() {
		t.Progress = &progress{Step: v.Progress.Step, Done: v.Progress.Done, Total: v.Progress.Total}
		t.Watch = r.kind.Address(m.Slug) + "/progress?revision=" + v.ID
		return t, nil
	}
	if reason := v.Unappliable(); reason != nil {
		t.Reason = reason.Message
	}
	if v.Status != program.RunComplete || v.RunID == "" {
		return t, nil
	}
	t.ResultPage = "/run/" + v.RunID
	q := history.Query{Metrics: true, Full: true, Start: timeseries.NoDate, End: timeseries.NoDate}
	served, err := c.Histories.History(ctx, accountID, m.ID, q)
	if err != nil {
		return t, err
	}
	tested, err := c.Histories.RunHistory(ctx, accountID, v.RunID, q)
	if err != nil {
		return t, err
	}
	t.Was, t.Is, t.Compared = windowOf(served), windowOf(tested), compare(served.Metrics, tested.Metrics)
	return t, nil
}

func windowOf(h *history.History) string {
	if len(h.Dates) == 0 {
		return "no returns"
	}
	return fmt.Sprintf("%s to %s", h.Dates[0], h.Dates[len(h.Dates)-1])
}

// comparedFigures are the figures by which a test is compared with what is served.
var comparedFigures = []struct {
	title, name string
	format      func(float64) string
}{
	{"CAGR", "cagr", percent}, {"Volatility", "annual_volatility", percent}, {"Sharpe ratio", "sharpe", decimal}, {"Max drawdown", "max_drawdown", percent},
}

func compare(served, tested *metrics.Block) []comparedFigure {
	if served == nil || tested == nil {
		return nil
	}
	was, is := metrics.FiguresOf(served), metrics.FiguresOf(tested)
	rows := make([]comparedFigure, len(comparedFigures))
	for i, f := range comparedFigures {
		rows[i] = comparedFigure{f.title, f.format(was.Figure(f.name)), f.format(is.Figure(f.name))}
	}
	return rows
}

// text returns a text of the form with the line ends of scripts.
func (r *request) text(name string) string {
	return strings.ReplaceAll(r.PostForm.Get(name), "\r\n", "\n")
}

// atoi returns a number of a form, or -1, which no version is, if it is not one.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

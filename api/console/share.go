package console

import (
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program/shares"
	"ballast/script/simulation"
)

// shareForm is the page on which a share of a model, or of a run, is made.
type shareForm struct {
	tabs
	Of         string // name of the model or other program
	Address    string // of this page
	Back       string // where the reader came from
	Run        string // "" for a share that follows the model
	Simulation bool
	FormKey    string

	Name    string
	Panels  []panelField
	Script  bool
	Amounts bool
	Last    string // the last day on which it is shown, as it was typed; "": no end
}

// panelField is a check box for a part of the page.
type panelField struct {
	Name, Words string
	Checked     bool
}

// panelWords say what each part of a page is.
var panelWords = map[string]string{
	"growth": "Growth", "figures": "Figures", "months": "Returns by month", "rolling": "Annual return over 1, 3 and 5 years", "drawdowns": "Deepest drawdowns",
	"allocation": "Allocation over time", "parts": "What it is made of", "trades": "Latest trades", "contributions": "Where the return came from",
	"costs": "After costs", "compare": "Comparison", "answer": "The result", "downloads": "Downloads of each day", "inputs": "Inputs, if the script is shown", "run": "About the run",
}

// panelsOf are the parts that the pages of a kind's results can have.
func panelsOf(k *Kind) []string {
	if k.IsModel() {
		return slices.DeleteFunc(slices.Clone(shares.Panels), func(p string) bool { return p == "answer" })
	}
	return []string{"answer", "inputs", "run"}
}

func (c *Console) showShareOfModel(r *request) (view, error) {
	form, _, err := c.shareOfModel(r)
	if err != nil {
		return view{}, err
	}
	return form.view(r), nil
}

func (c *Console) postShareOfModel(r *request) (view, error) {
	form, of, err := c.shareOfModel(r)
	if err != nil {
		return view{}, err
	}
	form.read(r)
	return c.createShare(r, form, of)
}

func (c *Console) showShareOfRun(r *request) (view, error) {
	form, _, err := c.shareOfRun(r)
	if err != nil {
		return view{}, err
	}
	return form.view(r), nil
}

func (c *Console) postShareOfRun(r *request) (view, error) {
	form, of, err := c.shareOfRun(r)
	if err != nil {
		return view{}, err
	}
	form.read(r)
	return c.createShare(r, form, of)
}

// shareOfModel is a new form for the model that the path names.
func (c *Console) shareOfModel(r *request) (*shareForm, shares.Request, error) {
	m, err := c.own(r.Context(), r)
	if err != nil {
		return nil, shares.Request{}, err
	}
	return newShareForm(r.kind, m.Name, r.kind.Address(m.Slug), "overview", ""), shares.Request{Model: m.ID}, nil
}

// shareOfRun is a new form for the run that the path names.
func (c *Console) shareOfRun(r *request) (*shareForm, shares.Request, error) {
	run, err := c.ownRun(r.Context(), r, mux.Vars(r.Request)["run"])
	if err != nil {
		return nil, shares.Request{}, err
	}
	return newShareForm(r.kind, run.ProgramName, r.kind.Address(r.model()), "runs", run.ID), shares.Request{Run: run.ID}, nil
}

func newShareForm(k *Kind, of, base, tab, runID string) *shareForm {
	f := &shareForm{tabs: tabs{k, base, tab}, Of: of, Back: base, Run: runID, Simulation: k.Name == simulation.Kind.Name}
	if runID != "" {
		f.Back += "/runs/" + runID
	}
	f.Address = f.Back + "/share"
	f.Amounts = f.Simulation // without them nothing is left to show
	for _, p := range panelsOf(k) {
		f.Panels = append(f.Panels, panelField{p, panelWords[p], true})
	}
	return f
}

// shareAddress is the form that shares what a page is about; "" if that cannot be shared.
func (c *Console) shareAddress(page string, possible bool) string {
	if c.Shares == nil || !possible {
		return ""
	}
	return page + "/share"
}

func (f *shareForm) view(r *request) view {
	f.FormKey = r.formKey()
	return view{Template: "share.html", Title: "Share " + f.Of, Section: f.Kind.List(), Data: f}
}

// read takes over what was posted.
func (f *shareForm) read(r *request) {
	f.Name, f.Last = strings.TrimSpace(r.PostForm.Get("name")), strings.TrimSpace(r.PostForm.Get("last_day"))
	f.Script, f.Amounts = r.PostForm.Get("show_script") != "", r.PostForm.Get("show_amounts") != ""
	for i, p := range f.Panels {
		f.Panels[i].Checked = slices.Contains(r.PostForm["panel"], p.Name)
	}
}

// share is what the form asks for. A share of all parts also shows those that pages get
// later; a share of none is refused, because an empty list means all.
func (f *shareForm) share() (shares.Share, error) {
	s := shares.Share{Name: f.Name, ShowScript: f.Script, ShowAmounts: f.Amounts}
	for _, p := range f.Panels {
		if p.Checked {
			s.Panels = append(s.Panels, p.Name)
		}
	}
	var details []fault.Detail
	switch {
	case len(s.Panels) == 0:
		details = append(details, fault.Detail{Field: "panels", Message: "tick at least one part of the page"})
	case len(s.Panels) == len(f.Panels):
		s.Panels = nil
	case len(s.Panels) == 1 && s.Panels[0] == "inputs" && !f.Script:
		details = append(details, fault.Detail{Field: "panels", Message: "the inputs are shown only with the script: tick another part, or show the script"})
	}
	if f.Last != "" {
		day, err := time.Parse(time.DateOnly, f.Last)
		if err != nil {
			details = append(details, fault.Detail{Field: "expires_at", Message: "the last day is a date such as 2030-12-31, or empty for a share without an end"})
		}
		s.ExpiresAt = new(day.AddDate(0, 0, 1)) // the day is shown to its end
	}
	if len(details) > 0 {
		return s, fault.New(fault.InvalidBody, "The share was not made. Nothing is shown to anybody.").With(details...)
	}
	return s, nil
}

package doctor

import (
	"context"
	"fmt"
)

// Finding is one thing that is not as it should be.
type Finding struct {
	Check   string `json:"check"`
	Subject string `json:"subject"` // what it is about: an id, a key, a setting
	Message string `json:"message"` // what is wrong
	Advice  string `json:"advice"`  // what to do
	Notice  bool   `json:"notice"`  // worth knowing, and nothing that has to be mended
	Fixable bool   `json:"fixable"`
	Fixed   bool   `json:"fixed"`
}

// Check is one thing to look at.
type Check struct {
	Name string
	// Look returns what is wrong, none where all is well. Check and Fixable of
	// its findings are set by Examine.
	Look func(ctx context.Context) ([]Finding, error)
	// Mend puts what was found right. It looks again itself, since what was found
	// may have moved on; nil where only a person can decide.
	Mend func(ctx context.Context) error
	// Vital checks have to pass for the later ones to mean anything.
	Vital bool
}

// Outcome is how one check went.
type Outcome struct {
	Check    string `json:"check"`
	Findings int    `json:"findings"` // before mending
	Failed   string `json:"failed"`   // why it could not be carried out, "" where it was
	Skipped  bool   `json:"skipped"`  // a vital check before it has not passed
}

// Report is what an examination has found.
type Report struct {
	Checks   []Outcome `json:"checks"`
	Findings []Finding `json:"findings"`
}

// Sound reports whether every check was carried out, and left nothing that has
// to be mended.
func (r *Report) Sound() bool {
	for _, o := range r.Checks {
		if o.Failed != "" || o.Skipped {
			return false
		}
	}
	for _, f := range r.Findings {
		if !f.Fixed && !f.Notice {
			return false
		}
	}
	return true
}

// Examine carries the checks out in order. With fix, what can be mended without
// loss is, and looked at again: what is then gone counts as fixed.
func Examine(ctx context.Context, checks []Check, fix bool) *Report {
	r := &Report{Checks: []Outcome{}, Findings: []Finding{}}
	halted := false
	for _, c := range checks {
		if halted {
			r.Checks = append(r.Checks, Outcome{Check: c.Name, Skipped: true})
			continue
		}
		findings, err := c.examine(ctx, fix)
		o := Outcome{Check: c.Name, Findings: len(findings)}
		if err != nil {
			o.Failed = err.Error()
		}
		r.Checks, r.Findings = append(r.Checks, o), append(r.Findings, findings...)
		halted = c.Vital && (err != nil || len(findings) > 0)
	}
	return r
}

func (c *Check) examine(ctx context.Context, fix bool) ([]Finding, error) {
	findings, err := c.Look(ctx)
	for i := range findings {
		findings[i].Check, findings[i].Fixable = c.Name, c.Mend != nil
	}
	if err != nil || !fix || c.Mend == nil || len(findings) == 0 {
		return findings, err
	}
	if err := c.Mend(ctx); err != nil {
		return findings, fmt.Errorf("mend: %w", err)
	}
	left, err := c.Look(ctx)
	if err != nil {
		return findings, fmt.Errorf("look again: %w", err)
	}
	still := map[string]bool{}
	for _, f := range left {
		still[f.Subject] = true
	}
	for i := range findings {
		findings[i].Fixed = !still[findings[i].Subject]
	}
	return findings, nil
}

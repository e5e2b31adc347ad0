package doctor

import (
	"context"
	"fmt"
	"slices"
)

// Finding is one problem.
type Finding struct {
	Check   string `json:"check"`
	Subject string `json:"subject"` // what it is about: an id, a key, a setting
	Message string `json:"message"` // what is wrong
	Advice  string `json:"advice"`  // what to do
	Notice  bool   `json:"notice"`  // worth knowing, but nothing must be fixed
	Fixable bool   `json:"fixable"`
	Fixed   bool   `json:"fixed"`
}

// Check is one thing to look at.
type Check struct {
	Name string
	// Look returns the problems that it finds. Examine sets Check and Fixable of its
	// findings.
	Look func(ctx context.Context) ([]Finding, error)
	// Repair repairs what Look finds. It looks again itself, because the state may have
	// changed since. It is nil if only a person can decide what to do.
	Repair func(ctx context.Context) error
	// If a vital check finds a problem, the later checks are skipped, because they
	// depend on it.
	Vital bool
}

// Outcome is the result of one check.
type Outcome struct {
	Check    string `json:"check"`
	Findings int    `json:"findings"` // number of findings before repairs
	Failed   string `json:"failed"`   // why the check could not run, or ""
	Skipped  bool   `json:"skipped"`  // an earlier vital check has not passed
}

// Report is the result of an examination.
type Report struct {
	Checks   []Outcome `json:"checks"`
	Findings []Finding `json:"findings"`
}

// Sound reports whether every check has run and nothing is left that must be fixed.
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

// Examine runs the checks in order. With fix, it repairs what can be repaired without
// loss and looks again; a finding that is gone then counts as fixed.
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
		halted = c.Vital && (err != nil || slices.ContainsFunc(findings, func(f Finding) bool { return !f.Notice }))
	}
	return r
}

func (c *Check) examine(ctx context.Context, fix bool) ([]Finding, error) {
	findings, err := c.Look(ctx)
	for i := range findings {
		findings[i].Check, findings[i].Fixable = c.Name, c.Repair != nil
	}
	if err != nil || !fix || c.Repair == nil || len(findings) == 0 {
		return findings, err
	}
	if err := c.Repair(ctx); err != nil {
		return findings, fmt.Errorf("repair: %w", err)
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

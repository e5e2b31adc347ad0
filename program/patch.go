package program

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/internal/fault"
	"ballast/script"
	"ballast/timeseries"
)

// Change is a field of a patch, which is unchanged unless Given.
type Change[T any] struct {
	Given bool
	To    T
}

// apply writes the new value.
func (c Change[T]) apply(field *T) {
	if c.Given {
		*field = c.To
	}
}

// ModelPatch changes what a model's owner may change without computing anything.
type ModelPatch struct {
	Name        Change[string]
	Symbol      Change[string]
	IsFavorite  Change[*bool]
	Labels      Change[[]string] // nil: no labels
	IsPublic    Change[bool]
	AutoUpdate  Change[bool]
	NotifyEmail Change[bool]
	StartDate   Change[timeseries.Date] // NoDate: none
	StartRule   Change[string]
}

const (
	longestLabel = 50 // characters
	mostLabels   = 100
)

// startDateRule makes the default view start at the model's start date.
const startDateRule = "date"

// Empty reports whether the patch changes nothing.
func (p ModelPatch) Empty() bool {
	some := p.Name.Given || p.Symbol.Given || p.IsFavorite.Given || p.Labels.Given || p.IsPublic.Given ||
		p.AutoUpdate.Given || p.NotifyEmail.Given || p.StartDate.Given || p.StartRule.Given
	return !some
}

// Patch changes one of the caller's models.
func (s *Models) Patch(ctx context.Context, accountID, ref string, p ModelPatch) (*Sheet, error) {
	m, err := s.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	p, details := p.checked()
	if len(details) > 0 {
		return nil, fault.New(fault.InvalidBody, "The model cannot be changed like this; details name each problem. Nothing has changed.").With(details...)
	}
	if p.Symbol.Given {
		if err := unlisted(ctx, s.assets, p.Symbol.To, m.Symbol); err != nil {
			return nil, err
		}
	}
	if m.Live != nil && p.StartDate.Given && p.StartDate.To > m.Live.Last {
		return nil, fault.New(fault.InvalidBody, "The view would start after the model's last bar and be empty. Send an earlier start_date. Nothing has changed.").
			With(fault.Detail{Field: "start_date", Message: fmt.Sprintf("%s is after the last bar, which is on %s", p.StartDate.To, m.Live.Last)})
	}
	if err := s.store.PatchModel(ctx, m.ID, p); err != nil {
		return nil, err
	}
	return s.sheet(ctx, m.ID)
}

// checked returns the patch in the form in which it is applied, with a detail for
// each value that a model cannot have.
func (p ModelPatch) checked() (ModelPatch, []fault.Detail) {
	var details []fault.Detail
	refuse := func(field, message string, accepted ...string) {
		details = append(details, fault.Detail{Field: field, Message: message, Accepted: accepted})
	}
	if p.Name.Given {
		p.Name.To = strings.TrimSpace(p.Name.To)
		if !script.ValidName(p.Name.To) {
			refuse("name", fmt.Sprintf("must be 1 to %d characters on one line, and not a reserved word (%s)", script.MaxName, strings.Join(script.AddressWords, ", ")))
		}
	}
	if p.Symbol.Given && !script.ValidSymbol(p.Symbol.To) {
		refuse("symbol", "must be a capital letter and up to 11 capitals, digits, dots and hyphens, and neither CASH nor a reserved word ("+strings.ToUpper(strings.Join(script.AddressWords, ", "))+")")
	}
	if p.Labels.Given {
		p.Labels.To = labels(p.Labels.To, refuse)
	}
	return p, details
}

// labels trims labels and removes duplicates that differ only in case.
func labels(given []string, refuse func(field, message string, accepted ...string)) []string {
	if len(given) > mostLabels {
		refuse("labels", fmt.Sprintf("has more than %d entries", mostLabels))
	}
	var kept []string
	for i, l := range given {
		l = strings.TrimSpace(l)
		field := fmt.Sprintf("labels[%d]", i)
		switch n := utf8.RuneCountInString(l); {
		case n == 0 || n > longestLabel || strings.ContainsFunc(l, unicode.IsControl):
			refuse(field, fmt.Sprintf("must be 1 to %d characters on one line", longestLabel))
		case strings.Contains(l, ","):
			refuse(field, "contains a comma, which separates labels in a filter")
		}
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, l) }) {
			kept = append(kept, l)
		}
	}
	return kept
}

// Apply changes a model and reports whether recurring work resumes. It returns
// fault.NotReady if the patch sets recurring work of a model without a result, and
// fault.InvalidBody if the view would start at a date that is not set.
func (p ModelPatch) Apply(m *Model) (resumed bool, err error) {
	if (p.AutoUpdate.Given || p.NotifyEmail.Given) && m.LiveRunID == "" {
		return false, fault.New(fault.NotReady, "The model has no result yet, so nothing recurs. Set auto_update and notify_email when its build has succeeded.")
	}
	resumed = p.AutoUpdate.Given && p.AutoUpdate.To && !m.AutoUpdate
	p.Name.apply(&m.Name)
	p.Symbol.apply(&m.Symbol)
	p.IsFavorite.apply(&m.IsFavorite)
	p.Labels.apply(&m.Labels)
	p.IsPublic.apply(&m.IsPublic)
	p.AutoUpdate.apply(&m.AutoUpdate)
	p.NotifyEmail.apply(&m.NotifyEmail)
	p.StartDate.apply(&m.StartDate)
	p.StartRule.apply(&m.StartRule)
	if (p.StartDate.Given || p.StartRule.Given) && m.StartRule == startDateRule && m.StartDate == timeseries.NoDate {
		return false, fault.New(fault.InvalidBody, "With start_rule date, the view needs a start_date. Nothing has changed.").
			With(fault.Detail{Field: "start_date", Message: "is required with start_rule date; send it, or another start_rule"})
	}
	if resumed {
		m.Failures, m.NextRetry = 0, nil
		if m.Status == StatusPaused {
			m.Status = StatusActive
		}
	}
	return resumed, nil
}

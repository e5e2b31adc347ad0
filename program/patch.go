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

// Change is a field of a patch: left as it is unless it is given.
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

// ModelPatch changes what a model's owner may change of it. Nothing is computed
// anew by it.
type ModelPatch struct {
	Name        Change[string]
	Symbol      Change[string]
	IsFavorite  Change[*bool]
	Labels      Change[[]string] // nil for none
	IsPublic    Change[bool]
	AutoUpdate  Change[bool]
	NotifyEmail Change[bool]
	StartDate   Change[timeseries.Date] // NoDate for none
	StartRule   Change[string]
}

const (
	longestLabel = 50 // characters
	mostLabels   = 100
)

// startDateRule begins the default view at the model's start date.
const startDateRule = "date"

// Empty reports whether nothing is changed.
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
		return nil, fault.New(fault.InvalidBody, "The model cannot be changed so; details name each problem. Nothing has changed.").With(details...)
	}
	if p.Symbol.Given {
		if err := unlisted(ctx, s.assets, p.Symbol.To, m.Symbol); err != nil {
			return nil, err
		}
	}
	if m.Live != nil && p.StartDate.Given && p.StartDate.To > m.Live.Last {
		return nil, fault.New(fault.InvalidBody, "The view would begin after the model's last bar, and be empty. Nothing has changed.").
			With(fault.Detail{Field: "start_date", Message: fmt.Sprintf("%s is past the last bar, which is of %s", p.StartDate.To, m.Live.Last)})
	}
	if err := s.store.PatchModel(ctx, m.ID, p); err != nil {
		return nil, err
	}
	return s.sheet(ctx, m.ID)
}

// checked returns the patch as it is applied, with a detail for each thing that no
// model may have.
func (p ModelPatch) checked() (ModelPatch, []fault.Detail) {
	var details []fault.Detail
	refuse := func(field, message string, accepted ...string) {
		details = append(details, fault.Detail{Field: "" + field, Message: message, Accepted: accepted})
	}
	if p.Name.Given {
		p.Name.To = strings.TrimSpace(p.Name.To)
		if !script.ValidName(p.Name.To) {
			refuse("name", fmt.Sprintf("must be 1 to %d characters on one line, and no word of the addresses (%s)", script.MaxName, strings.Join(script.AddressWords, ", ")))
		}
	}
	if p.Symbol.Given && !script.ValidSymbol(p.Symbol.To) {
		refuse("symbol", "must be a capital letter and up to 11 capitals, digits, dots and hyphens, and neither CASH nor a word of the addresses ("+strings.ToUpper(strings.Join(script.AddressWords, ", "))+")")
	}
	if p.Labels.Given {
		p.Labels.To = labels(p.Labels.To, refuse)
	}
	return p, details
}

// labels are trimmed, and each is there once, in whatever case.
func labels(given []string, refuse func(field, message string, accepted ...string)) []string {
	if len(given) > mostLabels {
		refuse("labels", fmt.Sprintf("are more than %d", mostLabels))
	}
	var kept []string
	for i, l := range given {
		l = strings.TrimSpace(l)
		field := fmt.Sprintf("labels[%d]", i)
		switch n := utf8.RuneCountInString(l); {
		case n == 0 || n > longestLabel || strings.ContainsFunc(l, unicode.IsControl):
			refuse(field, fmt.Sprintf("must be 1 to %d characters on one line", longestLabel))
		case strings.Contains(l, ","):
			refuse(field, "holds a comma, which parts the labels of a filter")
		}
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, l) }) {
			kept = append(kept, l)
		}
	}
	return kept
}

// Apply changes a model; it reports whether recurring work is taken up again.
// fault.NotReady for recurring work of a model without a result,
// fault.InvalidBody where a view would begin at a date that is not given.
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
		return false, fault.New(fault.InvalidBody, "The view would begin at a date, and there is none.").
			With(fault.Detail{Field: "start_date", Message: "is needed with start_rule date; give it, or another start_rule"})
	}
	if resumed {
		m.Failures, m.NextRetry = 0, nil
		if m.Status == StatusPaused {
			m.Status = StatusActive
		}
	}
	return resumed, nil
}

package billing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"ballast/account"
)

// policyFile is the layout of a file of plans. What it leaves out keeps its default.
type policyFile struct {
	Prices *priceLines                 `yaml:"prices"`
	Plans  map[account.Plan]*planLines `yaml:"plans"`
	// Machine has the quotas of every account while nothing is metered.
	Machine *quotaLines `yaml:"machine"`
}

type priceLines struct {
	UnitCents          *int64 `yaml:"unit_cents"`
	ThousandTokenUnits *int   `yaml:"thousand_token_units"`
	RunHoldUnits       *int   `yaml:"run_hold_units"`
	BuildHoldUnits     *int   `yaml:"build_hold_units"`
	LowCents           *int64 `yaml:"low_cents"`
}

type planLines struct {
	SignupGrantCents *int64 `yaml:"signup_grant_cents"`
	Concurrency      *int   `yaml:"concurrency"`
	Fees             *bool  `yaml:"fees"`
	NightlyRefresh   *bool  `yaml:"nightly_refresh"`
	RetentionDays    *int   `yaml:"retention_days"`

	quotaLines `yaml:",inline"`
}

type quotaLines struct {
	Models      *int `yaml:"models"`
	Drafts      *int `yaml:"drafts"`
	Keys        *int `yaml:"keys"`
	Webhooks    *int `yaml:"webhooks"`
	Backfills   *int `yaml:"backfills"`
	StoredMiB   *int `yaml:"stored_mib"`
	BuildsADay  *int `yaml:"builds_a_day"`
	ChangesADay *int `yaml:"changes_a_day"`
}

// Parse reads a policy from YAML. What the text leaves out is as in Default. The
// error names every field that is unknown or out of bounds.
func Parse(text []byte) (Policy, error) {
	p := Default()
	var f policyFile
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return p, err
	}
	if err := decoder.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return p, errors.New("has more than one YAML document")
	}
	var problems []error
	if f.Prices != nil {
		problems = append(problems, f.Prices.apply(&p.Prices)...)
	}
	if f.Machine != nil {
		problems = append(problems, f.Machine.apply("machine", &p.Machine)...)
	}
	for plan, lines := range f.Plans {
		if !slices.Contains(account.Plans, plan) {
			problems = append(problems, fmt.Errorf("plans.%s: unknown plan; accepted are free, pro and business", plan))
			continue
		}
		if lines == nil {
			continue
		}
		terms := p.Plans[plan]
		problems = append(problems, lines.apply("plans."+string(plan), &terms)...)
		p.Plans[plan] = terms
	}
	slices.SortFunc(problems, func(a, b error) int { return bytes.Compare([]byte(a.Error()), []byte(b.Error())) })
	return p, errors.Join(problems...)
}

// The bounds keep every product far from overflow.
const (
	mostCents = 1_000_000_000_000
	mostUnits = 1_000_000
	mostMiB   = 1_000_000_000
)

func (l *priceLines) apply(p *Prices) []error {
	return slices.DeleteFunc([]error{
		within("prices.unit_cents", l.UnitCents, &p.UnitCents, 1, mostUnits),
		within("prices.thousand_token_units", l.ThousandTokenUnits, &p.ThousandTokenUnits, 0, mostUnits),
		within("prices.run_hold_units", l.RunHoldUnits, &p.RunHoldUnits, 1, mostUnits),
		within("prices.build_hold_units", l.BuildHoldUnits, &p.BuildHoldUnits, 1, mostUnits),
		within("prices.low_cents", l.LowCents, &p.LowCents, 0, mostCents),
	}, isNil)
}

func (l *planLines) apply(name string, t *Terms) []error {
	if l.Fees != nil {
		t.Fees = *l.Fees
	}
	if l.NightlyRefresh != nil {
		t.NightlyRefresh = *l.NightlyRefresh
	}
	return append(slices.DeleteFunc([]error{
		within(name+".signup_grant_cents", l.SignupGrantCents, &t.SignupGrantCents, 0, mostCents),
		within(name+".concurrency", l.Concurrency, &t.Concurrency, 1, mostUnits),
		within(name+".retention_days", l.RetentionDays, &t.RetentionDays, 0, mostUnits),
	}, isNil), l.quotaLines.apply(name, &t.Quotas)...)
}

func (l *quotaLines) apply(name string, q *Quotas) []error {
	return slices.DeleteFunc([]error{
		within(name+".models", l.Models, &q.Models, 0, mostUnits),
		within(name+".drafts", l.Drafts, &q.Drafts, 0, mostUnits),
		within(name+".keys", l.Keys, &q.Keys, 0, mostUnits),
		within(name+".webhooks", l.Webhooks, &q.Webhooks, 0, mostUnits),
		within(name+".backfills", l.Backfills, &q.Backfills, 0, mostUnits),
		within(name+".stored_mib", l.StoredMiB, &q.StoredMiB, 0, mostMiB),
		within(name+".builds_a_day", l.BuildsADay, &q.BuildsADay, 0, mostUnits),
		within(name+".changes_a_day", l.ChangesADay, &q.ChangesADay, 0, mostUnits),
	}, isNil)
}

func isNil(err error) bool { return err == nil }

// within sets to, if the file gives a number, and returns an error if the number is
// out of bounds.
func within[T int | int64](name string, given, to *T, least, most T) error {
	if given == nil {
		return nil
	}
	if *given < least || *given > most {
		return fmt.Errorf("%s: %d is not between %d and %d", name, *given, least, most)
	}
	*to = *given
	return nil
}

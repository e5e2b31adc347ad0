package billing

import (
	"strings"

	"ballast/account"
)

// Policy is what the operator has set: prices and what each plan includes.
type Policy struct {
	Metered bool // false holds and charges nothing, and refuses nobody
	Prices  Prices
	Plans   map[account.Plan]Terms
}

// Prices turn usage into cents.
type Prices struct {
	UnitCents          int64 // cents a unit
	ThousandTokenUnits int   // units a thousand tokens
	RunHoldUnits       int   // the least that a run holds
	BuildHoldUnits     int   // the least that a build holds
	LowCents           int64 // remaining cents under which billing.low is told of
}

// Terms are what a plan includes.
type Terms struct {
	SignupGrantCents int64 // given once, when the account's balance is opened
	Concurrency      int   // runs of an account that are worked on at the same time
	Fees             bool  // the fees block of histories
	NightlyRefresh   bool  // recurring refreshes
	RetentionDays    int   // how long finished snapshots are kept, 0 for ever
}

// Default is the built-in policy, metered.
func Default() Policy {
	return Policy{
		Metered: true,
		Prices:  Prices{UnitCents: 1, ThousandTokenUnits: 1, RunHoldUnits: 5, BuildHoldUnits: 20, LowCents: 100},
		Plans: map[account.Plan]Terms{
			account.PlanFree:     {SignupGrantCents: 1_000, Concurrency: 1, NightlyRefresh: true},
			account.PlanPro:      {SignupGrantCents: 10_000, Concurrency: 4, NightlyRefresh: true},
			account.PlanBusiness: {SignupGrantCents: 100_000, Concurrency: 16, Fees: true, NightlyRefresh: true},
		},
	}
}

// Including names the plans whose terms satisfy has, the smallest first, as
// prose: "the Pro or Business plan". "no plan" where none does.
func (p Policy) Including(has func(Terms) bool) string {
	var names []string
	for _, plan := range account.Plans {
		if has(p.Plans[plan]) {
			names = append(names, strings.ToUpper(string(plan[:1]))+string(plan[1:]))
		}
	}
	if len(names) == 0 {
		return "a plan that this service does not offer"
	}
	return "the " + strings.Join(names, " or ") + " plan"
}

// TokenUnits are the units of so many tokens, rounded up.
func (p Prices) TokenUnits(tokens int) int { return (tokens*p.ThousandTokenUnits + 999) / 1000 }

// Cents are the cents of so many units.
func (p Prices) Cents(units int) int64 { return int64(units) * p.UnitCents }

// RunHold is what a run of a model holds whose live run took so many sandbox
// seconds, 0 where there is none: twice as much as that one cost, so that what
// has grown since still fits.
func (p Prices) RunHold(lastSeconds int) int64 {
	return p.Cents(max(p.RunHoldUnits, 1+2*lastSeconds))
}

// BuildHold is what a build holds, with the seconds of RunHold.
func (p Prices) BuildHold(lastSeconds int) int64 {
	return p.Cents(max(p.BuildHoldUnits, 1+2*lastSeconds))
}

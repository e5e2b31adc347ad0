package billing

import (
	"strings"

	"ballast/account"
)

// Policy is what the operator has set: prices and what each plan includes.
type Policy struct {
	Metered bool // false holds and charges nothing, and every account has every feature
	Prices  Prices
	Plans   map[account.Plan]Terms
	Machine Quotas // of every account where nothing is metered
}

// Terms are what an account of a plan may use. Where nothing is metered, plans
// make no difference, and the quotas that protect the machine are left.
func (p Policy) Terms(plan account.Plan) Terms {
	if !p.Metered {
		return Terms{SignupGrantCents: p.Plans[plan].SignupGrantCents, Fees: true, NightlyRefresh: true, Quotas: p.Machine}
	}
	return p.Plans[plan]
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
	Concurrency      int   // runs of an account that are worked on at the same time, 0 as many as there are
	Fees             bool  // the fees block of histories
	NightlyRefresh   bool  // recurring refreshes
	RetentionDays    int   // how long finished snapshots are kept, 0 for ever
	Quotas
}

// Unbounded reports whether nobody has a quota.
func (p Policy) Unbounded() bool {
	if !p.Metered {
		return p.Machine == Quotas{}
	}
	for _, t := range p.Plans {
		if t.Quotas != (Quotas{}) {
			return false
		}
	}
	return true
}

// Default is the built-in policy, metered.
func Default() Policy {
	return Policy{
		Metered: true,
		Prices:  Prices{UnitCents: 1, ThousandTokenUnits: 1, RunHoldUnits: 5, BuildHoldUnits: 20, LowCents: 100},
		Plans: map[account.Plan]Terms{
			account.PlanFree: {SignupGrantCents: 1_000, Concurrency: 1, NightlyRefresh: true, Quotas: Quotas{
				Models: 50, Drafts: 50, Keys: 20, Webhooks: 5, Backfills: 50, StoredMiB: 500, BuildsADay: 100, ChangesADay: 2_000,
			}},
			account.PlanPro: {SignupGrantCents: 10_000, Concurrency: 4, NightlyRefresh: true, Quotas: Quotas{
				Models: 1_000, Drafts: 1_000, Keys: 100, Webhooks: 20, Backfills: 1_000, StoredMiB: 10_000, BuildsADay: 2_000, ChangesADay: 20_000,
			}},
			account.PlanBusiness: {SignupGrantCents: 100_000, Concurrency: 16, Fees: true, NightlyRefresh: true, Quotas: Quotas{
				Models: 20_000, Drafts: 20_000, Keys: 500, Webhooks: 50, Backfills: 20_000, StoredMiB: 100_000, BuildsADay: 20_000, ChangesADay: 200_000,
			}},
		},
		Machine: Quotas{
			Models: 50_000, Drafts: 50_000, Keys: 1_000, Webhooks: 100, Backfills: 50_000, StoredMiB: 100_000, BuildsADay: 50_000, ChangesADay: 500_000,
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

// TokenUnits are the units of a number of tokens, rounded up.
func (p Prices) TokenUnits(tokens int) int { return (tokens*p.ThousandTokenUnits + 999) / 1000 }

// Cents are the cents of a number of units.
func (p Prices) Cents(units int) int64 { return int64(units) * p.UnitCents }

// RunHold is what a run of a model holds, if its live run took that many sandbox
// seconds, 0 where there is none: twice as much as that one cost, so that what
// has grown since still fits.
func (p Prices) RunHold(lastSeconds int) int64 {
	return p.Cents(max(p.RunHoldUnits, 1+2*lastSeconds))
}

// BuildHold is what a build holds, with the seconds of RunHold.
func (p Prices) BuildHold(lastSeconds int) int64 {
	return p.Cents(max(p.BuildHoldUnits, 1+2*lastSeconds))
}

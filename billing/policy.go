package billing

import (
	"strings"

	"ballast/account"
)

// Policy is what the operator decides: prices, and what each plan includes.
type Policy struct {
	Metered bool // if false, nothing is held or charged, and every account has every feature
	Prices  Prices
	Plans   map[account.Plan]Terms
	Machine Quotas // the quotas of every account while nothing is metered
}

// Terms returns what an account with a plan may use. While nothing is metered, plans
// make no difference, and only the quotas that protect the machine apply.
func (p Policy) Terms(plan account.Plan) Terms {
	if !p.Metered {
		return Terms{SignupGrantCents: p.Plans[plan].SignupGrantCents, Fees: true, NightlyRefresh: true, Quotas: p.Machine}
	}
	return p.Plans[plan]
}

// Prices turn usage into cents.
type Prices struct {
	UnitCents          int64 // cents per unit
	ThousandTokenUnits int   // units per thousand tokens
	RunHoldUnits       int   // minimum that a run holds
	BuildHoldUnits     int   // minimum that a build holds
	LowCents           int64 // the event billing.low is sent when fewer cents remain
}

// Terms are what a plan includes.
type Terms struct {
	SignupGrantCents int64 // given once, when the account's balance is opened
	Concurrency      int   // runs of an account that execute at the same time, 0 for no limit
	Fees             bool  // the fees block of histories
	NightlyRefresh   bool  // recurring refreshes
	RetentionDays    int   // how long finished snapshots are kept, 0 for no limit
	Quotas
}

// Unbounded reports whether no account has a quota.
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

// Including names the plans whose terms satisfy has, smallest first, as part of a
// sentence: "the Pro or Business plan". If no plan does, it returns "a plan that
// this service does not offer".
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

// TokenUnits returns the units that a number of tokens costs, rounded up.
func (p Prices) TokenUnits(tokens int) int { return (tokens*p.ThousandTokenUnits + 999) / 1000 }

// Cents returns the price of a number of units.
func (p Prices) Cents(units int) int64 { return int64(units) * p.UnitCents }

// RunHold returns the cents that a run of a model holds. lastSeconds is the sandbox
// time of the model's live run, or 0 if it has none. The hold covers twice that
// time, so that a model that has grown since still fits.
func (p Prices) RunHold(lastSeconds int) int64 {
	return p.Cents(max(p.RunHoldUnits, 1+2*lastSeconds))
}

// BuildHold returns the cents that a build holds, computed as in RunHold.
func (p Prices) BuildHold(lastSeconds int) int64 {
	return p.Cents(max(p.BuildHoldUnits, 1+2*lastSeconds))
}

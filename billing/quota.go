package billing

import (
	"fmt"
	"time"

	"ballast/account"
	"ballast/internal/fault"
)

// Quota names something that is limited per account, in total or per day.
type Quota string

// The quotas. Those that count a day's work start again at midnight UTC.
const (
	Models      Quota = "models" // including those in the Trash
	Drafts      Quota = "drafts"
	Keys        Quota = "keys" // those that are not revoked
	Webhooks    Quota = "webhooks"
	Backfills   Quota = "backfills"
	StoredBytes Quota = "stored_bytes"
	BuildsADay  Quota = "builds_a_day" // new models, rebuilds, promotions and tests of drafts
	ChangesADay Quota = "changes_a_day"
	bytesPerMiB       = 1 << 20
)

// AllQuotas lists the quotas in the order in which they are shown.
var AllQuotas = []Quota{Models, Drafts, Keys, Webhooks, Backfills, StoredBytes, BuildsADay, ChangesADay}

// Quotas are the limits of an account; 0 is no limit.
type Quotas struct {
	Models      int
	Drafts      int
	Keys        int
	Webhooks    int
	Backfills   int
	StoredMiB   int
	BuildsADay  int
	ChangesADay int
}

// Limit returns the limit of a quota, 0 for no limit.
func (q Quotas) Limit(of Quota) int64 {
	switch of {
	case Models:
		return int64(q.Models)
	case Drafts:
		return int64(q.Drafts)
	case Keys:
		return int64(q.Keys)
	case Webhooks:
		return int64(q.Webhooks)
	case Backfills:
		return int64(q.Backfills)
	case StoredBytes:
		return int64(q.StoredMiB) * bytesPerMiB
	case BuildsADay:
		return int64(q.BuildsADay)
	case ChangesADay:
		return int64(q.ChangesADay)
	}
	return 0
}

// Use is how much of a quota an account has used.
type Use struct {
	Quota Quota
	Used  int64
	Limit int64 // 0 for no limit
}

// Over returns the error for an account that has used up a quota of its plan:
// fault.RateLimited for a daily quota, which is free again at midnight, and
// fault.PlanRequired for the others. used is what the account has used already.
func (p Policy) Over(plan account.Plan, quota Quota, used int64, now time.Time) *fault.Error {
	limit := p.Terms(plan).Limit(quota)
	allows := fmt.Sprintf("the %s plan allows", plan)
	advice := "or ask the operator for " + p.Including(func(t Terms) bool { l := t.Limit(quota); return l == 0 || l > limit })
	if !p.Metered {
		allows = "this service allows an account"
		advice = "or ask the operator to raise the limit"
	}
	detail := fault.Detail{Of: "account", Field: "quotas." + string(quota), Message: fmt.Sprintf("%d of %d are used", used, limit)}
	refuse := func(format string, args ...any) *fault.Error {
		return fault.New(fault.PlanRequired, format, args...).With(detail)
	}
	switch quota {
	case Models:
		return refuse("The account has %d models, those in the Trash included, and %s %d. Delete models for good from the Trash, %s.", used, allows, limit, advice)
	case Drafts:
		return refuse("The account has %d drafts, and %s %d. Delete models with drafts, %s.", used, allows, limit, advice)
	case Keys:
		return refuse("The account has %d keys, and %s %d. Revoke an unused key, %s.", used, allows, limit, advice)
	case Webhooks:
		return refuse("The account has %d webhooks, and %s %d. Delete one, %s.", used, allows, limit, advice)
	case Backfills:
		return refuse("The account has %d backfills, and %s %d. Delete one, %s.", used, allows, limit, advice)
	case StoredBytes:
		return refuse("The account stores %d bytes, and %s %d MiB. Delete runs, or models for good from the Trash, %s.", used, allows, limit/bytesPerMiB, advice)
	}
	what := "builds and tests"
	if quota == ChangesADay {
		what = "changes"
	}
	midnight := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return fault.New(fault.RateLimited, "The account has used its %d %s for today. Wait until midnight UTC, %s.", limit, what, advice).
		With(detail).After(midnight.Sub(now))
}

package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/notify/webhook"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// An account's balance is one row. A transaction locks it last, after models (members
// before holders) and after runs. A transaction that has this lock waits for no other,
// so the work of one account cannot deadlock. Each piece of work changes the row
// twice: when its hold is taken, and when it ends.

// work is what a hold is taken for.
type work struct {
	accountID string
	runID     string
	source    program.Source
	seconds   int32 // of the model's live run
}

// hold reserves the projected cost of a run from what its account can spend,
// in one statement, or fails with fault.InsufficientFunds. The row of the
// run must exist. Call it at the end of the transaction that starts the run.
func (db *DB) hold(ctx context.Context, q *dbsqlc.Queries, w work) error {
	if !db.policy.Metered {
		return nil
	}
	params := db.holding(w)
	if s, capped := billing.SpenderOf(ctx); capped {
		params.KeyID = &s.KeyID
	}
	_, err := q.HoldFunds(ctx, params)
	if err == nil {
		return db.spend(ctx, q, params.Cents)
	}
	if !absent(err) {
		return err
	}
	if err = db.openBalance(ctx, q, w.accountID); err != nil {
		return err
	}
	// The balance may have been opened after this statement's snapshot, so try again.
	if _, err = q.HoldFunds(ctx, params); err == nil {
		return db.spend(ctx, q, params.Cents)
	}
	if !absent(err) {
		return err
	}
	b, err := q.Balance(ctx, w.accountID)
	if err != nil {
		return err
	}
	return insufficient(b, params.Cents)
}

// affordable rejects work that the account cannot pay for, before any of it is
// written. It accepts an account whose balance is not open yet.
func (db *DB) affordable(ctx context.Context, q *dbsqlc.Queries, w work) error {
	if !db.policy.Metered {
		return nil
	}
	b, err := q.Balance(ctx, w.accountID)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	needed := db.projection(w)
	if b.Spendable < needed {
		return insufficient(b, needed)
	}
	s, capped := billing.SpenderOf(ctx)
	if !capped {
		return nil
	}
	spent, err := q.KeySpending(ctx, dbsqlc.KeySpendingParams{KeyID: s.KeyID, Day: spendingDay(db.now())})
	if err == nil && spent+needed > s.CapCents {
		err = beyondCap(s, spent, needed)
	}
	return err
}

// admitBuild rejects a build that the account cannot pay for or that would exceed one
// of its quotas, before anything is written. The build adds its own bytes, more bytes,
// and one to each of kinds.
func (db *DB) admitBuild(ctx context.Context, q *dbsqlc.Queries, w work, b *program.Build, more int, kinds ...billing.Quota) error {
	if err := db.affordable(ctx, q, w); err != nil {
		return err
	}
	return db.checkQuotas(ctx, q, w.accountID, buildBytes(b)+more, append(kinds, billing.BuildsADay)...)
}

func (db *DB) holding(w work) dbsqlc.HoldFundsParams {
	return dbsqlc.HoldFundsParams{AccountID: w.accountID, RunID: w.runID, Cents: db.projection(w), Now: stamp(db.now())}
}

// projection returns the hold for a piece of work, in cents.
func (db *DB) projection(w work) int64 {
	if chargeKind(w.source) != billing.KindRun { // a test builds what it runs
		return db.policy.Prices.BuildHold(int(w.seconds))
	}
	return db.policy.Prices.RunHold(int(w.seconds))
}

// insufficient describes what remains, what was needed and what to do.
func insufficient(b dbsqlc.Balance, needed int64) error {
	advice := "Ask the operator for credit."
	if b.Spendable+b.Held >= needed {
		advice = "Work in progress holds the rest: wait until it has finished, or ask the operator for credit."
	}
	return fault.New(fault.InsufficientFunds, "The work needs a hold of %d cents, but only %d cents remain, so nothing was started. %s", needed, b.Spendable, advice).
		With(fault.Detail{Of: "account", Field: "remaining_cents", Message: "is less than the hold that the work needs"})
}

// charge turns a run's hold into its charge when the run ends, or releases it, in one
// statement. Call it at the end of the transaction that ends the run.
func (db *DB) charge(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, ended *dbsqlc.UnendedRow, usage program.Usage, outcome billing.Outcome) error {
	model, run := &ended.WholeProgram, &ended.Run
	s := db.policy.Prices.Settle(outcome, usage.Units, run.HoldCents)
	if !s.Listed {
		if run.HoldCents == nil {
			return nil
		}
		if err := q.ReleaseRuns(ctx, dbsqlc.ReleaseRunsParams{Ids: []string{run.ID}, Now: stamp(db.now())}); err != nil {
			return err
		}
		return returnToKeys(ctx, q, run.AccountID, run.ID)
	}
	source := program.Source(run.Source)
	return db.postEnd(ctx, tx, q, s, ended.Listened, dbsqlc.SettleRunParams{
		AccountID: run.AccountID, WorkID: run.ID, RunID: run.ID, ProgramID: run.ProgramID, BuildID: run.BuildID,
		Kind: string(chargeKind(source)), Activity: storable(activity(source, model.Name)), ChargeID: id.New(id.Charge),
		Units: int32(usage.Units), Base: int32(usage.Base), Tokens: int32(usage.Tokens), Seconds: int32(usage.Seconds),
	})
}

// postEnd posts the end of a piece of work, and emits an event if credit has become
// low. params describes the work, without the amounts.
func (db *DB) postEnd(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, s billing.Settlement, listened bool, params dbsqlc.SettleRunParams) error {
	params.Now = stamp(db.now())
	params.Released, params.Hold, params.Charged, params.Billed = s.Released, s.Released+s.Charged, s.Charged, s.Billed
	if s.Cap != nil {
		params.CapRule, params.CapCents = &s.Cap.Rule, &s.Cap.Cents
	}
	left, err := q.SettleRun(ctx, params)
	if absent(err) {
		return nil // nothing was held
	}
	if err != nil {
		return err
	}
	if left.Capped && s.Released > 0 {
		if err := returnToKeys(ctx, q, params.AccountID, params.WorkID); err != nil {
			return err
		}
	}
	if total := left.Spendable + left.Held; total < db.policy.Prices.LowCents && total+s.Charged >= db.policy.Prices.LowCents {
		return db.low(ctx, tx, q, params.AccountID, total, listened)
	}
	return nil
}

// low emits billing.low when a charge takes an account's credit, holds included, below
// the policy's threshold. It is in the charge's transaction, unless nobody listened
// when that began: then the charge is committed already.
func (db *DB) low(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, accountID string, remaining int64, listened bool) error {
	db.log.InfoContext(ctx, "credit is low", "account_id", accountID, "remaining_cents", remaining)
	if !listened {
		return nil
	}
	return db.emit(ctx, tx, q, webhook.NewEvent(accountID, webhook.BillingLow, "", db.now(), webhook.Low{
		RemainingCents: remaining, ThresholdCents: db.policy.Prices.LowCents,
	}))
}

// chargeKind returns the kind of charge for a run.
func chargeKind(s program.Source) billing.Kind {
	switch s {
	case program.SourceCreate, program.SourceRebuild:
		return billing.KindBuild
	case program.SourceDraftTest:
		return billing.KindTest
	default:
		return billing.KindRun
	}
}

// activity describes a run, with the current name of its model.
func activity(s program.Source, name string) string {
	switch s {
	case program.SourceCreate:
		return "Build of " + name
	case program.SourceRebuild:
		return "Rebuild of " + name
	case program.SourceRefresh:
		return "Refresh of " + name
	case program.SourceCascade:
		return "Refresh of " + name + " after its members"
	case program.SourcePromote:
		return "Promotion of new defaults of " + name
	case program.SourceDraftTest:
		return "Test of a draft of " + name
	default:
		return "Run of " + name
	}
}

// openBalance opens an account's balance, unless it is open, with the grants for its
// plan and its sign-up.
func (db *DB) openBalance(ctx context.Context, q *dbsqlc.Queries, accountID string) error {
	a, err := q.Account(ctx, accountID)
	if absent(err) {
		return fault.Missing("account", accountID)
	}
	if err != nil {
		return err
	}
	now, grant := stamp(db.now()), db.policy.Terms(account.Plan(a.Plan)).SignupGrantCents
	// A concurrent transaction waits here until the first has committed.
	_, err = q.OpenBalance(ctx, dbsqlc.OpenBalanceParams{AccountID: a.ID, SignupGrant: grant, Now: now})
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, c := range []struct {
		event, activity string
		cents           int64
	}{{"signup", "Signup grant", grant}, {"credit:account", "Credit given with the account", a.GrantCents}} {
		if c.cents == 0 {
			continue
		}
		if _, err := q.CreditBalance(ctx, dbsqlc.CreditBalanceParams{
			AccountID: a.ID, Event: c.event, Kind: string(billing.KindCredit), Now: now, Cents: c.cents,
			ChargeID: id.New(id.Charge), Activity: c.activity,
		}); err != nil {
			return err
		}
	}
	return nil
}

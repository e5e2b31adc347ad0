package postgres_test

import (
	"testing"
	"time"

	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
)

func reportOf(d draft, seconds int) *program.Report {
	run := *d.run
	run.ProgramName = d.model.Name
	return &program.Report{ID: id.New(id.Report), AccountID: d.model.AccountID, Run: &run, Seconds: seconds}
}

func TestReportsArePaidFor(t *testing.T) {
	t.Parallel()
	db := metered(t, 40)
	ctx := t.Context()
	d := active(t, db, newAccount(t, db, "a").ID, "M")
	a := d.model.AccountID
	before, err := db.Statement(ctx, a)
	must(t, err)

	r := reportOf(d, 10)
	must(t, db.BeginReport(ctx, r, 0))
	wantSound(t, db)
	s, err := db.Statement(ctx, a)
	must(t, err)
	if s.HeldCents != 21 || s.RemainingCents != before.RemainingCents-21 {
		t.Errorf("a report of ten seconds holds %+v of %+v", s, before)
	}
	wantFault(t, db.BeginReport(ctx, reportOf(d, 10), 0), fault.InsufficientFunds)
	used := program.Usage{Units: 4, Base: 1, Seconds: 3}
	must(t, db.EndReport(ctx, r.ID, used))
	must(t, db.EndReport(ctx, r.ID, used)) // counts once
	wantSound(t, db)
	s, err = db.Statement(ctx, a)
	must(t, err)
	if s.HeldCents != 0 || s.RemainingCents != before.RemainingCents-4 {
		t.Errorf("a report of four units leaves %+v of %+v", s, before)
	}
	broken := reportOf(d, 1)
	must(t, db.BeginReport(ctx, broken, 0))
	must(t, db.EndReport(ctx, broken.ID, program.Usage{})) // nothing was used, so the history has no item
	wantSound(t, db)
	charges, _, err := db.Charges(ctx, a, billing.Filter{Limit: 1})
	must(t, err)
	if c := charges[0]; c.Activity != "Timing report of "+d.model.Name || c.RunID != d.run.ID || c.AmountCents != 4 || !c.Billed || c.Kind != billing.KindRun {
		t.Errorf("%+v", c)
	}
}

func TestReportsCountAsManualRuns(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "M")
	must(t, db.BeginReport(t.Context(), reportOf(d, 1), 1))
	wantFault(t, db.BeginReport(t.Context(), reportOf(d, 1), 1), fault.DailyRunLimit)
	wantFault(t, db.CreateRun(t.Context(), snapshotOf(d), 1), fault.DailyRunLimit)
}

// Holds of a report that nobody ends are released.
func TestReportsThatNobodyEnds(t *testing.T) {
	t.Parallel()
	db := metered(t, 100)
	ctx := t.Context()
	one, other := active(t, db, newAccount(t, db, "a").ID, "M"), active(t, db, newAccount(t, db, "b").ID, "M")
	crashed, closed := reportOf(one, 1), reportOf(other, 1)
	must(t, db.BeginReport(ctx, crashed, 0))
	must(t, db.BeginReport(ctx, closed, 0))

	must(t, postgres.StaleReports{DB: db, Age: time.Hour}.Sweep(ctx)) // neither is that old
	for _, d := range []draft{one, other} {
		if s, err := db.Statement(ctx, d.model.AccountID); err != nil || s.HeldCents == 0 {
			t.Errorf("%+v, %v", s, err)
		}
	}
	must(t, db.CloseAccount(ctx, other.model.AccountID, trashed))
	wantSound(t, db)
	must(t, postgres.StaleReports{DB: db, Age: -time.Hour}.Sweep(ctx))
	wantSound(t, db)
	for _, d := range []draft{one, other} {
		if s, err := db.Statement(ctx, d.model.AccountID); err != nil || s.HeldCents != 0 {
			t.Errorf("%+v, %v", s, err)
		}
	}
	must(t, db.EndReport(ctx, crashed.ID, program.Usage{Units: 3, Base: 1, Seconds: 2})) // comes too late
	wantSound(t, db)
}

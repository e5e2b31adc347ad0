package postgres_test

import (
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program/shares"
)

// newShare stores a share of a model or, with a run, of that run, and returns the hash of
// its token.
func newShare(t *testing.T, db *postgres.DB, d draft, runID string) (s *shares.Share, hash []byte) {
	t.Helper()
	s = &shares.Share{
		ID: id.New(id.Share), AccountID: d.model.AccountID, ProgramID: d.model.ID, ProgramName: d.model.Name, Kind: d.model.Kind, RunID: runID,
		Name: "For Carol", Panels: []string{"growth", "figures"}, ShowScript: true, CreatedAt: morning,
	}
	sum := sha256.Sum256([]byte(s.ID))
	must(t, db.CreateShare(t.Context(), s, sum[:]))
	return s, sum[:]
}

func TestShares(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	d := active(t, db, a, "X", assetMember("SPY"))
	snapshot := snapshotOf(d)
	must(t, db.CreateRun(t.Context(), snapshot, 10))
	publish(t, db, snapshot.ID, assetMember("SPY"))
	ofModel, hash := newShare(t, db, d, "")
	ofRun, runHash := newShare(t, db, d, snapshot.ID)

	opened, err := db.OpenShare(t.Context(), hash, morning)
	must(t, err)
	if diff := cmp.Diff(ofModel, opened); diff != "" {
		t.Error(diff)
	}
	list, total, err := db.Shares(t.Context(), shares.Filter{AccountID: a, Limit: 1})
	must(t, err)
	if total != 2 || len(list) != 1 {
		t.Errorf("%d of %d shares", len(list), total)
	}
	if _, total, err = db.Shares(t.Context(), shares.Filter{AccountID: a, RunID: snapshot.ID, Limit: 10}); err != nil || total != 1 {
		t.Errorf("%d shares of the run, %v", total, err)
	}

	// Another account has none of them.
	if list, total, err = db.Shares(t.Context(), shares.Filter{AccountID: b, ProgramID: d.model.ID, Limit: 10}); err != nil || total != 0 || len(list) != 0 {
		t.Errorf("%d shares of another account, %v", total, err)
	}
	_, err = db.Share(t.Context(), b, ofModel.ID)
	wantFault(t, err, fault.NotFound)
	_, err = db.PatchShare(t.Context(), b, ofModel.ID, func(*shares.Share) error { return nil })
	wantFault(t, err, fault.NotFound)
	wantFault(t, db.DeleteShare(t.Context(), b, ofModel.ID), fault.NotFound)
	stolen := *ofModel
	stolen.ID, stolen.AccountID = id.New(id.Share), b
	wantFault(t, db.CreateShare(t.Context(), &stolen, make([]byte, 32)), fault.NotFound)

	// It ends by itself, and a change that fails changes nothing.
	end := morning.Add(time.Hour)
	_, err = db.PatchShare(t.Context(), a, ofModel.ID, func(s *shares.Share) error {
		s.ExpiresAt, s.UpdatedAt = &end, morning.Add(time.Minute)
		return nil
	})
	must(t, err)
	_, err = db.OpenShare(t.Context(), hash, end.Add(-time.Second))
	must(t, err)
	_, err = db.OpenShare(t.Context(), hash, end)
	wantFault(t, err, fault.NotFound)
	failed := errors.New("no")
	if _, err = db.PatchShare(t.Context(), a, ofModel.ID, func(s *shares.Share) error { s.Name = "x"; return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}

	// Views add up.
	for range 2 {
		must(t, db.CountViews(t.Context(), map[string]int64{ofModel.ID: 3, ofRun.ID: 1, "share_unknown": 5}, morning))
	}
	s, err := db.Share(t.Context(), a, ofModel.ID)
	must(t, err)
	if s.Views != 6 || s.LastViewed == nil || s.Name != "For Carol" {
		t.Errorf("%+v", s)
	}

	// A run takes its shares with it.
	must(t, db.DeleteRun(t.Context(), snapshot.ID))
	_, err = db.OpenShare(t.Context(), runHash, morning)
	wantFault(t, err, fault.NotFound)
	_, err = db.Share(t.Context(), a, ofRun.ID)
	wantFault(t, err, fault.NotFound)
	late := *ofRun
	late.ID = id.New(id.Share)
	wantFault(t, db.CreateShare(t.Context(), &late, make([]byte, 32)), fault.NotFound)
}

// TestTheTrashClosesShares also closes those of a closed account.
func TestTheTrashClosesShares(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "X", assetMember("SPY"))
	s, hash := newShare(t, db, d, "")
	resume := func() error {
		_, err := db.PatchShare(t.Context(), a, s.ID, func(s *shares.Share) error { s.Paused = false; return nil })
		return err
	}
	closed := func(when string) {
		t.Helper()
		if _, err := db.OpenShare(t.Context(), hash, morning); fault.TypeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", when, err)
		}
	}
	trash(t, db, d)
	closed("in the Trash")
	wantFault(t, resume(), fault.NotReady)
	late := *s
	late.ID = id.New(id.Share)
	wantFault(t, db.CreateShare(t.Context(), &late, make([]byte, 32)), fault.NotFound)
	must(t, db.RestoreModel(t.Context(), a, d.model.ID, trashed))
	closed("restored")
	must(t, resume())
	if _, err := db.OpenShare(t.Context(), hash, morning); err != nil {
		t.Error(err)
	}
	trash(t, db, d)
	must(t, db.PurgeModel(t.Context(), deletion(a, d.model.ID)))
	_, err := db.Share(t.Context(), a, s.ID)
	wantFault(t, err, fault.NotFound)

	other := active(t, db, a, "Y", assetMember("SPY"))
	_, hash = newShare(t, db, other, "")
	must(t, db.CloseAccount(t.Context(), a, purged))
	closed("the account is closed")
}

func TestMostShares(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "X", assetMember("SPY"))
	_, err := db.Pool().Exec(t.Context(), `insert into shares (id, account_id, program_id, name, hash, panels, show_script, show_amounts, paused, created_at, updated_at)
		select 'share_' || n, $1, $2, '', sha256(n::text::bytea), '{}', false, false, false, now(), now() from generate_series(1, $3) n`, a, d.model.ID, shares.MostShares)
	must(t, err)
	s := &shares.Share{ID: id.New(id.Share), AccountID: a, ProgramID: d.model.ID, CreatedAt: morning}
	err = db.CreateShare(t.Context(), s, make([]byte, 32))
	wantFault(t, err, fault.InvalidBody)
	if !containsText(err, "1000 shares") {
		t.Error(err)
	}
}

package postgres_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/notify/webhook"
	"ballast/postgres"
	"ballast/program"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

func newWebhook(t testing.TB, db *postgres.DB, accountID string, events ...webhook.Kind) *webhook.Webhook {
	t.Helper()
	w := &webhook.Webhook{
		ID: id.New(id.Webhook), AccountID: accountID, URL: "https://example.com/", Events: events, Enabled: true,
		Secret: webhook.NewSecret(), CreatedAt: morning, UpdatedAt: morning,
	}
	must(t, db.CreateWebhook(t.Context(), w))
	return w
}

func deliveries(t testing.TB, db *postgres.DB, w *webhook.Webhook) []*webhook.Delivery {
	t.Helper()
	all, total, err := db.Deliveries(t.Context(), w.AccountID, w.ID, "", 200, 0)
	must(t, err)
	if total != len(all) {
		t.Errorf("a total of %d with %d listed", total, len(all))
	}
	return all
}

// kinds lists the deliveries to an endpoint, the oldest first.
func kinds(t testing.TB, db *postgres.DB, w *webhook.Webhook) []webhook.Kind {
	t.Helper()
	all := deliveries(t, db, w)
	out := make([]webhook.Kind, len(all))
	for i, d := range all {
		out[len(all)-1-i] = d.Kind
	}
	return out
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	first := newWebhook(t, db, a, webhook.RunFailed)
	second := newWebhook(t, db, a, webhook.ModelActive, webhook.RunComplete)
	newWebhook(t, db, b, webhook.RunFailed)

	list, total, err := db.Webhooks(t.Context(), a, 1, 1)
	must(t, err)
	if total != 2 || len(list) != 1 {
		t.Errorf("%d of %d", len(list), total)
	}
	got, err := db.Webhook(t.Context(), a, second.ID)
	must(t, err)
	if diff := cmp.Diff(second, got); diff != "" {
		t.Error(diff)
	}
	for _, w := range []*webhook.Webhook{first, second} {
		_, err := db.Webhook(t.Context(), b, w.ID)
		wantFault(t, err, fault.NotFound)
		_, err = db.PatchWebhook(t.Context(), b, w.ID, func(*webhook.Webhook) error { return nil })
		wantFault(t, err, fault.NotFound)
		wantFault(t, db.DeleteWebhook(t.Context(), b, w.ID), fault.NotFound)
		_, _, err = db.Deliveries(t.Context(), b, w.ID, "", 50, 0)
		wantFault(t, err, fault.NotFound)
	}
	must(t, db.DeleteWebhook(t.Context(), a, first.ID))
	wantFault(t, db.DeleteWebhook(t.Context(), a, first.ID), fault.NotFound)
}

func TestEventsOfARunsLife(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	all := newWebhook(t, db, a, webhook.Kinds...)
	failures := newWebhook(t, db, a, webhook.RunFailed)
	stranger := newWebhook(t, db, newAccount(t, db, "b").ID, webhook.Kinds...)

	d := active(t, db, a, "RMOM", assetMember("SPY"))
	again := newRun(d.model, d.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), again, 0))
	publish(t, db, again.ID, assetMember("SPY"))
	publish(t, db, again.ID, assetMember("SPY")) // nothing is announced twice
	broken := newRun(d.model, d.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), broken, 0))
	must(t, db.FailRun(t.Context(), broken.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "division by zero"}}))
	never := create(t, db, a, "NEVER")
	must(t, db.FailRun(t.Context(), never.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no\x00"}}))

	want := []webhook.Kind{
		webhook.RunComplete, webhook.ModelActive, webhook.RunComplete, webhook.AllocationChanged, webhook.RunFailed, webhook.RunFailed, webhook.ModelFailed,
	}
	if diff := cmp.Diff(want, kinds(t, db, all)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]webhook.Kind{webhook.RunFailed, webhook.RunFailed}, kinds(t, db, failures)); diff != "" {
		t.Error(diff)
	}
	if got := kinds(t, db, stranger); len(got) != 0 {
		t.Errorf("another account got the events %v", got)
	}
	changed := deliveries(t, db, all)[3]
	if changed.Payload != nil || changed.RunID != again.ID || changed.FormerRunID != d.run.ID || changed.ProgramID != d.model.ID {
		t.Errorf("%+v", changed)
	}
	var told struct {
		Type string
		Data webhook.RunEnded
	}
	must(t, json.Unmarshal(deliveries(t, db, failures)[1].Payload, &told))
	if told.Type != "run.failed" || told.Data.RunID != broken.ID || told.Data.Error.Message != "division by zero" || told.Data.Model.Symbol != "RMOM" {
		t.Errorf("%+v", told)
	}
}

func TestDeliveriesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	w := newWebhook(t, db, a, webhook.RunComplete)
	d := active(t, db, a, "ONE", assetMember("SPY"))
	active(t, db, a, "TWO", assetMember("SPY"))
	r := newRun(d.model, d.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), r, 0))
	publish(t, db, r.ID, assetMember("SPY"))
	all := deliveries(t, db, w)
	later, other, first := all[0], all[1], all[2]

	// The first claimant gets the head of the line, and nobody else gets anything.
	head, hook, _, err := db.ClaimDelivery(t.Context(), later.ID, time.Minute)
	must(t, err)
	if head == nil || head.ID != first.ID || hook.ID != w.ID {
		t.Fatalf("%+v", head)
	}
	if again, _, wait, err := db.ClaimDelivery(t.Context(), first.ID, time.Minute); err != nil || again != nil || wait <= 0 || wait > time.Minute {
		t.Errorf("%+v %s %v", again, wait, err)
	}
	// A failed attempt delays later deliveries of its model, and of no other.
	must(t, db.RetryDelivery(t.Context(), first.ID, webhook.Outcome{Error: "the endpoint responded with 500", Finished: morning}, morning.Add(time.Hour)))
	if again, _, wait, err := db.ClaimDelivery(t.Context(), later.ID, time.Minute); err != nil || again != nil || wait <= time.Minute || wait > time.Hour {
		t.Errorf("%+v %s %v", again, wait, err)
	}
	if head, _, _, err := db.ClaimDelivery(t.Context(), other.ID, time.Minute); err != nil || head == nil || head.ID != other.ID {
		t.Errorf("%+v %v", head, err)
	}
	// A redelivery is tried at once; when it is delivered, the next one follows.
	_, err = db.Redeliver(t.Context(), a, w.ID, first.ID, webhook.AMinute)
	must(t, err)
	head, _, _, err = db.ClaimDelivery(t.Context(), first.ID, time.Minute)
	must(t, err)
	if head == nil || head.ID != first.ID || head.Attempts != 1 {
		t.Fatalf("%+v", head)
	}
	ok := 200
	must(t, db.EndDelivery(t.Context(), first.ID, webhook.Outcome{Status: &ok, Finished: morning}))
	if head, _, _, err := db.ClaimDelivery(t.Context(), first.ID, time.Minute); err != nil || head == nil || head.ID != later.ID {
		t.Errorf("%+v %v", head, err)
	}
}

func TestClaimsAreExclusive(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	w := newWebhook(t, db, a, webhook.RunComplete)
	active(t, db, a, "ONE", assetMember("SPY"))
	only := deliveries(t, db, w)[0]
	var mu sync.Mutex
	claimed := 0
	var together sync.WaitGroup
	for range 20 {
		together.Go(func() {
			head, _, _, err := db.ClaimDelivery(context.Background(), only.ID, time.Minute)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if head != nil {
				claimed++
			}
		})
	}
	together.Wait()
	if claimed != 1 {
		t.Errorf("claimed %d times", claimed)
	}
}

func TestGiveUp(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	w := newWebhook(t, db, a, webhook.RunComplete)
	active(t, db, a, "ONE", assetMember("SPY"))
	active(t, db, a, "TWO", assetMember("SPY"))
	all := deliveries(t, db, w)
	must(t, db.GiveUp(t.Context(), all[1].ID, webhook.Outcome{Error: "the endpoint responded with 500", Finished: morning}, "It failed for three days."))

	hook, err := db.Webhook(t.Context(), a, w.ID)
	must(t, err)
	if hook.Enabled || hook.Disabled != "It failed for three days." {
		t.Errorf("%+v", hook)
	}
	// Waiting deliveries keep waiting; events that happen meanwhile are not for this
	// endpoint.
	if head, _, wait, err := db.ClaimDelivery(t.Context(), all[0].ID, time.Minute); err != nil || head != nil || wait != 0 {
		t.Errorf("%+v %s %v", head, wait, err)
	}
	active(t, db, a, "THREE", assetMember("SPY"))
	if n := len(deliveries(t, db, w)); n != 2 {
		t.Errorf("%d deliveries", n)
	}
	queuedBefore := queuedDeliveries(t, db)
	_, err = db.PatchWebhook(t.Context(), a, w.ID, func(w *webhook.Webhook) error {
		w.Enabled, w.Disabled = true, ""
		return nil
	})
	must(t, err)
	if n := queuedDeliveries(t, db) - queuedBefore; n != 1 {
		t.Errorf("%d lines were queued", n)
	}
	if head, _, _, err := db.ClaimDelivery(t.Context(), all[0].ID, time.Minute); err != nil || head == nil {
		t.Errorf("%+v %v", head, err)
	}

	// A delivery that was given up is sent again as the same event.
	again, err := db.Redeliver(t.Context(), a, w.ID, all[1].ID, webhook.AMinute)
	must(t, err)
	want := *all[1]
	want.Status, want.LastError = webhook.Pending, ""
	if diff := cmp.Diff(&want, again, cmpopts.IgnoreFields(webhook.Delivery{}, "ID", "CreatedAt", "NextAttempt")); diff != "" {
		t.Error(diff)
	}
	if again.ID == all[1].ID {
		t.Error("the ended delivery was changed")
	}
}

func queuedDeliveries(t testing.TB, db *postgres.DB) int {
	t.Helper()
	var n int
	must(t, db.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'deliver'").Scan(&n))
	return n
}

func TestSweepForgetsOldDeliveries(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	w := newWebhook(t, db, a, webhook.RunComplete, webhook.ModelActive)
	active(t, db, a, "ONE", assetMember("SPY"))
	ended := deliveries(t, db, w)[0]
	must(t, db.EndDelivery(t.Context(), ended.ID, webhook.Outcome{Finished: morning}))
	must(t, db.Sweep(t.Context()))
	if n := len(deliveries(t, db, w)); n != 2 {
		t.Errorf("%d deliveries of today", n)
	}
	_, err := db.Pool().Exec(t.Context(), "update deliveries set created_at = created_at - interval '31 days'")
	must(t, err)
	must(t, db.Sweep(t.Context()))
	left := deliveries(t, db, w)
	if len(left) != 1 || left[0].Status != webhook.Pending {
		t.Errorf("%d deliveries are left", len(left))
	}
}

func TestRestatementsAreToldToHolders(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	told, silent := newWebhook(t, db, a, webhook.AssetRestated), newWebhook(t, db, b, webhook.AssetRestated)
	spy, agg := assetMember("SPY"), assetMember("AGG")
	one := active(t, db, a, "ONE", spy)
	active(t, db, a, "TWO", agg)
	active(t, db, b, "THREE", assetMember("QQQ"))
	change := bars.Change{
		Record:   bars.Record{Kind: bars.ImportKind, SHA256: strings.Repeat("0", 64), At: morning},
		Restated: []bars.Restatement{{AssetID: spy.ID, Symbol: "SPY", From: 150}, {AssetID: id.New(id.Asset), Symbol: "GLD", From: 1}},
	}
	version, err := db.Commit(t.Context(), change)
	must(t, err)
	var got struct{ Data webhook.Restated }
	all := deliveries(t, db, told)
	if len(all) != 1 {
		t.Fatalf("%d deliveries", len(all))
	}
	must(t, json.Unmarshal(all[0].Payload, &got))
	want := webhook.Restated{
		AssetID: spy.ID, Symbol: "SPY", From: timeseries.Date(150).String(), DataVersion: version,
		Models: []webhook.Model{{ID: one.model.ID, Name: one.model.Name, Symbol: "ONE"}},
	}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Error(diff)
	}
	if n := len(deliveries(t, db, silent)); n != 0 {
		t.Errorf("an account without the asset got %d events", n)
	}
}

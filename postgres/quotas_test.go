package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/account"
	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/notify/webhook"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
	"ballast/program"
)

// bounded returns a database on which accounts of the Business plan have quotas.
func bounded(t testing.TB, q billing.Quotas) *postgres.DB {
	t.Helper()
	policy := billing.Default()
	terms := policy.Plans[account.PlanBusiness]
	terms.Quotas = q
	policy.Plans[account.PlanBusiness] = terms
	return openWith(t, policy)
}

// stopped is a clock that shows the time it is set to.
type stopped struct {
	mu  sync.Mutex
	now time.Time
}

func (c *stopped) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stopped) set(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = to
}

// openAt returns a database with a policy and a clock.
func openAt(t testing.TB, policy billing.Policy, c *stopped) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgrestest.NewFrom(t, "migrated", migrate), postgres.Config{MaxConns: 8, Now: c.Now, Billing: policy})
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

// used reads how much of a quota an account has used.
func used(t testing.TB, db *postgres.DB, accountID string, quota billing.Quota) int64 {
	t.Helper()
	uses, err := db.Quotas(t.Context(), accountID)
	must(t, err)
	for _, u := range uses {
		if u.Quota == quota {
			return u.Used
		}
	}
	t.Fatalf("%s is not among %v", quota, uses)
	return 0
}

// wantCounted compares the stored counts of each account with its rows.
func wantCounted(t testing.TB, db *postgres.DB) {
	t.Helper()
	for _, c := range db.Checks() {
		if c.Name != "stored" {
			continue
		}
		found, err := c.Look(t.Context())
		must(t, err)
		for _, f := range found {
			t.Errorf("%s %s", f.Subject, f.Message)
		}
		return
	}
	t.Error("nothing looks at what is stored")
}

// wantOver fails unless err is a refusal that names the quota and how much of it is used.
func wantOver(t testing.TB, err error, want fault.Type, quota billing.Quota, detail string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Type != want || len(f.Details) != 1 || f.Details[0].Name() != "account.quotas."+string(quota) ||
		!strings.Contains(f.Details[0].Message, detail) {
		t.Errorf("%v, want %s of %s: %s", err, want, quota, detail)
	}
	if want == fault.RateLimited && (f.Wait <= 0 || f.Wait > 24*time.Hour) {
		t.Errorf("wait %v", f.Wait)
	}
}

func TestQuotaOfModels(t *testing.T) {
	t.Parallel()
	db := bounded(t, billing.Quotas{Models: 2})
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	first := active(t, db, a, "A")
	create(t, db, a, "B")
	wantOver(t, store(t.Context(), db, newDraft(a, "C")), fault.PlanRequired, billing.Models, "2 of 2 are used")
	create(t, db, b, "A") // other accounts do not count

	must(t, db.DeleteModel(t.Context(), deletion(a, first.model.ID), unbegun))
	wantOver(t, store(t.Context(), db, newDraft(a, "C")), fault.PlanRequired, billing.Models, "2 of 2 are used")
	must(t, db.PurgeModel(t.Context(), deletion(a, first.model.ID)))
	create(t, db, a, "C")
	if n := used(t, db, a, billing.Models); n != 2 {
		t.Errorf("%d models are used", n)
	}
	wantCounted(t, db)
}

// Concurrent requests never create more than the quota allows.
func TestQuotasHoldTogether(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]billing.Quotas{"models": {Models: 5}, "builds": {BuildsADay: 5}, "bytes": {StoredMiB: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := bounded(t, q)
			a := newAccount(t, db, "a").ID
			var all sync.WaitGroup
			var mu sync.Mutex
			made := 0
			for i := range 24 {
				all.Go(func() {
					d := newDraft(a, fmt.Sprint("M", i))
					d.build.Script = strings.Repeat("x", 200_000)
					err := store(t.Context(), db, d)
					mu.Lock()
					defer mu.Unlock()
					switch got := fault.TypeOf(err); {
					case err == nil:
						made++
					case got != fault.PlanRequired && got != fault.RateLimited:
						t.Error(err)
					}
				})
			}
			all.Wait()
			if made != 5 {
				t.Errorf("%d were made", made)
			}
			wantCounted(t, db)
		})
	}
}

func TestQuotaOfBytes(t *testing.T) {
	t.Parallel()
	db := bounded(t, billing.Quotas{StoredMiB: 1})
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "A")
	before := used(t, db, a, billing.StoredBytes)
	if before < 2_000 || before > 20_000 {
		t.Errorf("a small model takes %d bytes", before)
	}
	edit := func(version, size int) error {
		text := strings.Repeat("x", size)
		return db.SaveDraft(t.Context(), program.DraftEdit{ModelID: d.model.ID, ExpectedVersion: version, BaseHash: "abc", Script: &text})
	}
	must(t, edit(0, 600_000))
	wantOver(t, edit(1, 1_100_000), fault.PlanRequired, billing.StoredBytes, "of 1048576 are used")
	must(t, edit(1, 700_000))
	if got := used(t, db, a, billing.StoredBytes) - before; got < 700_000 || got > 702_000 {
		t.Errorf("a draft of 700,000 bytes takes %d", got)
	}
	// A result's size counts once it is stored; from then on no more work can begin.
	r := snapshotOf(d)
	must(t, db.CreateRun(t.Context(), r, 0))
	p := publication(r.ID)
	p.Tables["daily"] = program.Object{Key: p.Tables["daily"].Key, Bytes: 400_000}
	must(t, db.Publish(t.Context(), p))
	wantOver(t, db.CreateRun(t.Context(), snapshotOf(d), 0), fault.PlanRequired, billing.StoredBytes, "of 1048576 are used")
	wantOver(t, store(t.Context(), db, newDraft(a, "B")), fault.PlanRequired, billing.StoredBytes, "are used")
	wantOver(t, db.CreateWebhook(t.Context(), &webhook.Webhook{
		ID: id.New(id.Webhook), AccountID: a, URL: "https://example.com/", Events: []webhook.Kind{webhook.RunFailed}, CreatedAt: morning, UpdatedAt: morning,
	}), fault.PlanRequired, billing.StoredBytes, "are used")
	// Operations that free space are always allowed.
	must(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: d.model.ID, ExpectedVersion: 2, BaseHash: "abc", Reset: true}))
	must(t, db.CreateRun(t.Context(), snapshotOf(d), 0))
	must(t, db.DeleteRun(t.Context(), r.ID))
	if got := used(t, db, a, billing.StoredBytes) - before; got > 10_000 {
		t.Errorf("%d bytes more than before are left", got)
	}
	wantCounted(t, db)
}

func TestQuotasOfADay(t *testing.T) {
	t.Parallel()
	now := &stopped{now: morning}
	policy := billing.Default()
	policy.Metered, policy.Machine = false, billing.Quotas{BuildsADay: 2, ChangesADay: 3}
	db := openAt(t, policy, now)
	a := newAccount(t, db, "a").ID
	active(t, db, a, "A")
	create(t, db, a, "B")
	wantOver(t, store(t.Context(), db, newDraft(a, "C")), fault.RateLimited, billing.BuildsADay, "2 of 2 are used")

	patch := func(actor audit.Actor) error {
		ctx, _ := audit.With(t.Context(), audit.Entry{AccountID: a, Actor: actor, Operation: "create-key"})
		secret := account.NewKey()
		return db.CreateKey(ctx, &account.Key{ID: id.New(id.Key), AccountID: a, Prefix: account.Prefix(secret), CreatedAt: morning}, account.Hash(secret))
	}
	for range 3 {
		must(t, patch(audit.Key))
	}
	wantOver(t, patch(audit.Session), fault.RateLimited, billing.ChangesADay, "3 of 3 are used")
	must(t, patch(audit.Operator))
	if n := used(t, db, a, billing.ChangesADay); n != 3 {
		t.Errorf("%d changes are counted", n)
	}
	now.set(morning.Add(24 * time.Hour))
	must(t, patch(audit.Key))
	create(t, db, a, "C")
}

func TestQuotasOfKeysWebhooksAndDrafts(t *testing.T) {
	t.Parallel()
	db := bounded(t, billing.Quotas{Keys: 1, Webhooks: 1, Drafts: 1})
	a := newAccount(t, db, "a").ID
	key := func() (string, error) {
		k := &account.Key{ID: id.New(id.Key), AccountID: a, CreatedAt: morning}
		return k.ID, db.CreateKey(t.Context(), k, account.Hash(account.NewKey()))
	}
	first, err := key()
	must(t, err)
	_, err = key()
	wantOver(t, err, fault.PlanRequired, billing.Keys, "1 of 1 are used")
	_, err = db.RevokeKey(t.Context(), a, first)
	must(t, err)
	_, err = key()
	must(t, err)

	w := newWebhook(t, db, a, webhook.RunFailed)
	wantOver(t, db.CreateWebhook(t.Context(), &webhook.Webhook{
		ID: id.New(id.Webhook), AccountID: a, URL: w.URL, Events: w.Events, CreatedAt: morning, UpdatedAt: morning,
	}), fault.PlanRequired, billing.Webhooks, "1 of 1 are used")

	text := "x"
	one, two := active(t, db, a, "A"), active(t, db, a, "B")
	must(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: one.model.ID, BaseHash: "abc", Script: &text}))
	must(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: one.model.ID, ExpectedVersion: 1, BaseHash: "abc", Script: &text}))
	wantOver(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: two.model.ID, BaseHash: "abc", Script: &text}), fault.PlanRequired, billing.Drafts, "1 of 1 are used")
	wantCounted(t, db)
}

func TestTestEventsAreLimited(t *testing.T) {
	t.Parallel()
	now := &stopped{now: morning}
	db := openAt(t, billing.Default(), now)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	hooks := []*webhook.Webhook{newWebhook(t, db, a, webhook.RunFailed), newWebhook(t, db, a, webhook.RunFailed)}
	service := webhook.NewService(db, db, webhook.Rules{}, now.Now)
	test := func(accountID string, w *webhook.Webhook) error {
		_, err := service.Test(t.Context(), accountID, w.ID)
		return err
	}
	for i := range webhook.AMinute {
		must(t, test(a, hooks[i%2]))
	}
	err := test(a, hooks[0])
	wantFault(t, err, fault.RateLimited)
	if f := new(fault.Error); !errors.As(err, &f) || f.Wait <= 0 || f.Wait > time.Minute {
		t.Errorf("wait %v", f.Wait)
	}
	_, err = service.Redeliver(t.Context(), a, hooks[0].ID, deliveries(t, db, hooks[0])[0].ID)
	wantFault(t, err, fault.RateLimited)
	must(t, test(b, newWebhook(t, db, b, webhook.RunFailed)))
	now.set(morning.Add(time.Minute))
	must(t, test(a, hooks[0]))
}

func TestAccountsHaveSoManySessions(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	k := &account.Key{ID: id.New(id.Key), AccountID: a, CreatedAt: morning}
	must(t, db.CreateKey(t.Context(), k, account.Hash(account.NewKey())))
	var secrets []string
	for range 103 {
		secret := account.NewSession()
		must(t, db.CreateSession(t.Context(), &account.Session{
			ID: id.New(id.Session), AccountID: a, KeyID: k.ID, Idle: time.Hour, Most: time.Hour,
		}, account.Hash(secret)))
		secrets = append(secrets, secret)
	}
	for i, secret := range secrets {
		_, err := db.AuthenticateSession(t.Context(), account.Hash(secret))
		if (err == nil) != (i >= 3) {
			t.Errorf("session %d of 103: %v", i, err)
		}
	}
}

// After any changes and deletions the count equals the sum of the rows, and a wrong count
// is corrected.
func TestStoredIsRecounted(t *testing.T) {
	t.Parallel()
	db := bounded(t, billing.Quotas{StoredMiB: 100})
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "A")
	newWebhook(t, db, a, webhook.RunComplete, webhook.ModelActive)
	must(t, db.CreateRun(t.Context(), snapshotOf(d), 0))
	failed := create(t, db, a, "B")
	must(t, db.FailRun(t.Context(), failed.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: strings.Repeat("x", 5_000)}}))
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{Name: given("Another name"), Labels: given([]string{"one", "two"})}))
	wantCounted(t, db)
	before := used(t, db, a, billing.StoredBytes)
	if _, err := db.Pool().Exec(t.Context(), "update stored set bytes = bytes + 7"); err != nil {
		t.Fatal(err)
	}
	must(t, db.RecountStored(t.Context()))
	wantCounted(t, db)
	if got := used(t, db, a, billing.StoredBytes); got != before {
		t.Errorf("%d bytes, %d before", got, before)
	}
}

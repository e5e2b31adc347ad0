package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
)

func newKey(t *testing.T, db *postgres.DB, accountID, name string) (*account.Key, string) {
	t.Helper()
	secret := account.NewKey()
	k := &account.Key{ID: id.New(id.Key), AccountID: accountID, Name: name, Prefix: account.Prefix(secret), CreatedAt: morning}
	must(t, db.CreateKey(t.Context(), k, account.Hash(secret)))
	return k, secret
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	db := open(t)
	first := newAccount(t, db, "first")
	second := newAccount(t, db, "second")

	got, err := db.Account(t.Context(), first.ID)
	must(t, err)
	if diff := cmp.Diff(first, got); diff != "" {
		t.Error(diff)
	}
	got, err = db.AccountByName(t.Context(), "second")
	must(t, err)
	if diff := cmp.Diff(second, got); diff != "" {
		t.Error(diff)
	}
	all, err := db.Accounts(t.Context())
	must(t, err)
	if diff := cmp.Diff([]*account.Account{second, first}, all); diff != "" {
		t.Error(diff)
	}

	_, err = db.Account(t.Context(), id.New(id.Account))
	wantFault(t, err, fault.NotFound)
	_, err = db.AccountByName(t.Context(), "First")
	wantFault(t, err, fault.NotFound)
	again := *first
	again.ID = id.New(id.Account)
	wantFault(t, db.CreateAccount(t.Context(), &again), fault.InvalidBody)
	again.Name = "a\x00b"
	wantFault(t, db.CreateAccount(t.Context(), &again), fault.InvalidBody)
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a")
	k, secret := newKey(t, db, a.ID, "laptop")

	got, err := db.Authenticate(t.Context(), account.Hash(secret))
	must(t, err)
	want := &account.Identity{
		AccountID: a.ID, AccountName: "a", Email: a.Email, Plan: account.PlanBusiness, Role: account.RoleMember,
		KeyID: k.ID, KeyName: "laptop", Scopes: account.Scopes,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	keys, err := db.Keys(t.Context(), a.ID, "")
	must(t, err)
	if used := keys[0].LastUsedAt; used == nil || !used.Equal(morning.Truncate(time.Minute)) {
		t.Errorf("last used at %v, want the minute of %v", used, morning)
	}

	_, err = db.Authenticate(t.Context(), account.Hash(account.NewKey()))
	wantFault(t, err, fault.Unauthenticated)
	revoked, err := db.RevokeKey(t.Context(), a.ID, k.ID)
	must(t, err)
	_, err = db.Authenticate(t.Context(), account.Hash(secret))
	wantFault(t, err, fault.Unauthenticated)
	again, err := db.RevokeKey(t.Context(), a.ID, k.ID)
	must(t, err)
	if diff := cmp.Diff(revoked, again); diff != "" {
		t.Error("revoked twice: " + diff)
	}
}

func TestKeysOfAccountsAreApart(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a"), newAccount(t, db, "b")
	older, _ := newKey(t, db, a.ID, "older")
	newer, _ := newKey(t, db, a.ID, "newer")
	foreign, _ := newKey(t, db, b.ID, "foreign")

	keys, err := db.Keys(t.Context(), a.ID, "")
	must(t, err)
	if diff := cmp.Diff([]*account.Key{newer, older}, keys); diff != "" {
		t.Error(diff)
	}
	_, err = db.RevokeKey(t.Context(), a.ID, foreign.ID)
	wantFault(t, err, fault.NotFound)
}

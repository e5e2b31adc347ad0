package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
)

// CreateAccount adds an account, with times to the microsecond. It returns
// fault.InvalidBody if the name is taken.
func (db *DB) CreateAccount(ctx context.Context, a *account.Account) error {
	a.CreatedAt = stamp(a.CreatedAt)
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, a.ID, a.ID)
		audit.Change(ctx, "plan", nil, a.Plan)
		return insertAccount(ctx, q, a)
	})
	if violates(err, "accounts_name_key") {
		return fault.New(fault.InvalidBody, "There is already an account named %q. Choose another name.", a.Name).
			With(fault.Detail{Field: "name", Message: "is taken"}).Wrap(err)
	}
	return wrap(err, "create account %q", a.Name)
}

func insertAccount(ctx context.Context, q *dbsqlc.Queries, a *account.Account) error {
	return q.InsertAccount(ctx, dbsqlc.InsertAccountParams{
		ID: a.ID, Name: a.Name, Email: a.Email, Plan: string(a.Plan), Role: string(a.Role),
		GrantCents: a.GrantCents, CreatedAt: a.CreatedAt,
	})
}

// Account returns an account with the sizes of its collections, or fault.NotFound.
func (db *DB) Account(ctx context.Context, id string) (*account.Account, error) {
	var a *account.Account
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		row, err := q.Account(ctx, id)
		if absent(err) {
			return fault.Missing("account", id)
		}
		if err != nil {
			return err
		}
		counts, err := q.CountCollections(ctx, dbsqlc.CountCollectionsParams{AccountID: id, Now: stamp(db.now())})
		if err != nil {
			return err
		}
		a = accountOf(row)
		a.Collections = account.Collections{
			Models: int(counts.Models), Simulations: int(counts.Simulations), Analyses: int(counts.Analyses), Runs: int(counts.Runs), Backfills: int(counts.Backfills), Optimizers: int(counts.Optimizers), Webhooks: int(counts.Webhooks), Shares: int(counts.Shares), Trash: int(counts.Trash),
		}
		return nil
	})
	return a, wrap(err, "read account %s", id)
}

// AccountByName finds an open account by its exact name. It returns fault.NotFound if
// there is no such account.
func (db *DB) AccountByName(ctx context.Context, name string) (*account.Account, error) {
	row, err := db.queries.AccountByName(ctx, name)
	if absent(err) {
		return nil, fault.Missing("account", name)
	}
	if err != nil {
		return nil, wrap(err, "read account %q", name)
	}
	return accountOf(row), nil
}

// Accounts lists all accounts, including closed ones, newest first.
func (db *DB) Accounts(ctx context.Context) ([]*account.Account, error) {
	rows, err := db.queries.Accounts(ctx)
	if err != nil {
		return nil, wrap(err, "list accounts")
	}
	out := make([]*account.Account, len(rows))
	for i, row := range rows {
		out[i] = accountOf(row)
	}
	return out, nil
}

func accountOf(r dbsqlc.Account) *account.Account {
	return &account.Account{
		ID: r.ID, Name: r.Name, Email: r.Email, Plan: account.Plan(r.Plan), Role: account.Role(r.Role),
		GrantCents: r.GrantCents, CreatedAt: r.CreatedAt.UTC(), ClosedAt: utc(r.ClosedAt),
	}
}

// CreateKey adds a key under the hash of its secret. A key without scopes gets all.
func (db *DB) CreateKey(ctx context.Context, k *account.Key, hash [32]byte) error {
	k.CreatedAt = stamp(k.CreatedAt)
	if len(k.Scopes) == 0 {
		k.Scopes = account.Scopes
	}
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, k.AccountID, k.ID)
		if err := db.checkQuotas(ctx, q, k.AccountID, rowBytes, billing.Keys); err != nil {
			return err
		}
		return q.InsertKey(ctx, dbsqlc.InsertKeyParams{
			ID: k.ID, AccountID: k.AccountID, Name: k.Name, Prefix: k.Prefix, Hash: hash[:], CreatedAt: k.CreatedAt,
			Scopes: texts(k.Scopes), DailyCapCents: k.DailyCapCents,
		})
	})
	return wrap(err, "create key %s", k.ID)
}

// Keys lists an account's keys with the given prefix, newest first.
func (db *DB) Keys(ctx context.Context, accountID, prefix string) ([]*account.Key, error) {
	rows, err := db.queries.Keys(ctx, dbsqlc.KeysParams{AccountID: accountID, Prefix: prefix})
	if err != nil {
		return nil, wrap(err, "list keys of %s", accountID)
	}
	out := make([]*account.Key, len(rows))
	for i, row := range rows {
		out[i] = keyOf(row)
	}
	return out, nil
}

// RevokeKey revokes a key with immediate effect.
func (db *DB) RevokeKey(ctx context.Context, accountID, keyID string) (*account.Key, error) {
	now := stamp(db.now())
	var row dbsqlc.Key
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, accountID, keyID)
		var err error
		row, err = q.RevokeKey(ctx, dbsqlc.RevokeKeyParams{ID: keyID, AccountID: accountID, Now: &now})
		return err
	})
	if absent(err) {
		return nil, fault.Missing("key", keyID)
	}
	if err != nil {
		return nil, wrap(err, "revoke key %s", keyID)
	}
	return keyOf(row), nil
}

func keyOf(r dbsqlc.Key) *account.Key {
	return &account.Key{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, Prefix: r.Prefix, Scopes: scopesOf(r.Scopes), DailyCapCents: r.DailyCapCents,
		CreatedAt: r.CreatedAt.UTC(), LastUsedAt: utc(r.LastUsedAt), RevokedAt: utc(r.RevokedAt),
	}
}

// Authenticate returns the identity behind a key's hash. Only the first request
// of a minute records the use, so that the others do not have to write.
func (db *DB) Authenticate(ctx context.Context, hash [32]byte) (*account.Identity, error) {
	r, known, err := db.identities.of(ctx, hash)
	if err != nil {
		return nil, wrap(err, "authenticate")
	}
	if !known {
		return nil, fault.New(fault.Unauthenticated, "The API key is unknown or revoked. Create one with: ballast keys create.")
	}
	minute := db.now().UTC().Truncate(time.Minute)
	if r.LastUsedAt == nil || r.LastUsedAt.Before(minute) {
		if err := db.queries.NoteKeyUse(ctx, dbsqlc.NoteKeyUseParams{ID: r.KeyID, Now: &minute}); err != nil {
			return nil, wrap(err, "note use of key %s", r.KeyID)
		}
	}
	return &account.Identity{
		AccountID: r.AccountID, AccountName: r.AccountName, Email: r.Email, Plan: account.Plan(r.Plan),
		Role: account.Role(r.Role), KeyID: r.KeyID, KeyName: r.KeyName, Backfills: r.Backfills,
		Scopes: scopesOf(r.Scopes), DailyCapCents: r.DailyCapCents,
	}, nil
}

func scopesOf(stored []string) []account.Scope {
	out := make([]account.Scope, len(stored))
	for i, s := range stored {
		out[i] = account.Scope(s)
	}
	return out
}

func texts(scopes []account.Scope) []string {
	out := make([]string, len(scopes))
	for i, s := range scopes {
		out[i] = string(s)
	}
	return out
}

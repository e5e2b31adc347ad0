package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
)

// Statement reads an account's balance, and opens it if it is not open yet.
func (db *DB) Statement(ctx context.Context, accountID string) (*billing.Statement, error) {
	b, err := db.queries.Balance(ctx, accountID)
	if absent(err) {
		err = db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
			if err := db.openBalance(ctx, q, accountID); err != nil {
				return err
			}
			var err error
			b, err = q.Balance(ctx, accountID)
			return err
		})
	}
	if err != nil {
		return nil, wrap(err, "read the balance of %s", accountID)
	}
	return statementOf(b), nil
}

// Balances reads all open balances, by account id.
func (db *DB) Balances(ctx context.Context) (map[string]billing.Statement, error) {
	rows, err := db.queries.Balances(ctx)
	if err != nil {
		return nil, wrap(err, "read balances")
	}
	out := make(map[string]billing.Statement, len(rows))
	for _, r := range rows {
		out[r.AccountID] = *statementOf(r)
	}
	return out, nil
}

func statementOf(b dbsqlc.Balance) *billing.Statement {
	return &billing.Statement{
		RemainingCents: b.Spendable, HeldCents: b.Held, SpentCents: b.Spent, SignupGrantCents: b.SignupGrant,
	}
}

// Charges lists an account's charges, the newest first.
func (db *DB) Charges(ctx context.Context, accountID string, f billing.Filter) ([]*billing.Charge, int, error) {
	var out []*billing.Charge
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountCharges(ctx, dbsqlc.CountChargesParams{AccountID: accountID, Since: utc(f.Start), Until: utc(f.End)}); err != nil {
			return err
		}
		rows, err := q.Charges(ctx, dbsqlc.ChargesParams{
			AccountID: accountID, Since: utc(f.Start), Until: utc(f.End), Most: int32(f.Limit), Skip: skip(f.Offset),
		})
		if err != nil {
			return err
		}
		out = make([]*billing.Charge, len(rows))
		for i, r := range rows {
			out[i] = chargeOf(r)
		}
		return nil
	})
	return out, int(total), wrap(err, "list charges of %s", accountID)
}

func chargeOf(r dbsqlc.Ledger) *billing.Charge {
	c := &billing.Charge{
		ID: orEmpty(r.ChargeID), At: r.At.UTC(), Kind: billing.Kind(r.Kind), Activity: r.Activity,
		ProgramID: r.ProgramID, RunID: r.RunID, BuildID: r.BuildID,
		Units: int(r.Units), Base: int(r.Base), Tokens: int(r.Tokens), Seconds: int(r.Seconds),
		AmountCents: r.Spent + r.Granted, Billed: r.Billed, Identified: r.Identified,
	}
	if r.CapRule != nil && r.CapCents != nil {
		c.Cap = &billing.Cap{Rule: *r.CapRule, Cents: *r.CapCents}
	}
	return c
}

// Credit adds credit to an account, or takes some back.
func (db *DB) Credit(ctx context.Context, accountID string, c billing.Credit) (*billing.Statement, error) {
	charge := id.New(id.Charge)
	params := dbsqlc.CreditBalanceParams{
		AccountID: accountID, Event: "credit:" + charge, Kind: string(billing.KindCredit), Cents: c.Cents,
		ChargeID: charge, Activity: storable(c.Note),
	}
	if c.Key != "" {
		params.Event = "credit:key:" + storable(c.Key)
	}
	word := "Credit"
	if c.Cents < 0 {
		params.Kind, word = string(billing.KindAdjustment), "Adjustment"
	}
	if params.Activity == "" {
		params.Activity = word
	}
	var b dbsqlc.Balance
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, accountID, accountID)
		if err := db.openBalance(ctx, q, accountID); err != nil {
			return err
		}
		params.Now = stamp(db.now())
		n, err := q.CreditBalance(ctx, params)
		if err != nil {
			return err
		}
		if b, err = q.Balance(ctx, accountID); err != nil || n == 1 || c.Cents >= 0 || b.Spendable+c.Cents >= 0 {
			return err
		}
		return fault.New(fault.InvalidBody, "Only %d cents remain, so %d cannot be taken back.", b.Spendable, -c.Cents)
	})
	if violates(err, "ledger_pkey") { // a concurrent request has used the key
		return db.Statement(ctx, accountID)
	}
	if err != nil {
		return nil, wrap(err, "credit %s", accountID)
	}
	return statementOf(b), nil
}

package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/notify/webhook"
	"ballast/postgres/internal/dbsqlc"
)

// Claim takes an idempotency key for a request. It returns the saved response if the same
// request has been answered. The error is fault.IdempotencyMismatch if the key belongs to
// another request, fault.IdempotencyProgress while the same request is in progress, and
// fault.PlanRequired if the account cannot store more.
func (db *DB) Claim(ctx context.Context, accountID, key string, request [32]byte) (*account.SavedResponse, error) {
	var taken int64
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		var err error
		taken, err = q.ClaimIdempotencyKey(ctx, dbsqlc.ClaimIdempotencyKeyParams{AccountID: accountID, Key: key, Request: request[:]})
		if err != nil || taken == 0 {
			return err
		}
		return db.checkQuotas(ctx, q, accountID, rowBytes)
	})
	if err != nil {
		return nil, wrap(err, "claim idempotency key")
	}
	if taken == 1 {
		return nil, nil
	}
	row, err := db.queries.IdempotencyKey(ctx, dbsqlc.IdempotencyKeyParams{AccountID: accountID, Key: key})
	switch {
	case absent(err), err == nil && row.Status == nil && string(row.Request) == string(request[:]):
		return nil, fault.New(fault.IdempotencyProgress, "The first request with this idempotency key is still in progress. Send the same request again after the seconds in Retry-After.")
	case err != nil:
		return nil, wrap(err, "read idempotency key")
	case string(row.Request) != string(request[:]):
		return nil, fault.New(fault.IdempotencyMismatch, "The idempotency key was used for another request within 24 hours. Use a new key for a new request.")
	}
	answer := &account.SavedResponse{Status: int(*row.Status), Body: row.Body}
	if row.ContentType != nil {
		answer.ContentType = *row.ContentType
	}
	return answer, nil
}

// Keep saves the response for a claimed key.
func (db *DB) Keep(ctx context.Context, accountID, key string, a account.SavedResponse) error {
	return wrap(db.queries.KeepIdempotencyKey(ctx, dbsqlc.KeepIdempotencyKeyParams{
		AccountID: accountID, Key: key, Status: int32(a.Status), ContentType: a.ContentType, Body: a.Body,
	}), "save the response of an idempotency key")
}

// Drop releases a claimed key.
func (db *DB) Drop(ctx context.Context, accountID, key string) error {
	return wrap(db.queries.DropIdempotencyKey(ctx, dbsqlc.DropIdempotencyKeyParams{AccountID: accountID, Key: key}), "drop idempotency key")
}

// Sweep deletes idempotency keys older than a day, deliveries and notices that are no
// longer listed, expired sessions and sign-ins, and what keys spent before yesterday.
func (db *DB) Sweep(ctx context.Context) error {
	before := stamp(db.now().Add(-webhook.Keep))
	_, err := db.queries.DeleteOldIdempotencyKeys(ctx)
	return errors.Join(
		wrap(err, "delete old idempotency keys"),
		wrap(db.queries.DeleteOldDeliveries(ctx, before), "delete old deliveries"),
		wrap(db.queries.DeleteOldNotices(ctx, before), "delete old notices"),
		wrap(db.queries.DeleteOldSessions(ctx), "delete old sessions"),
		wrap(db.queries.DeleteOldSignins(ctx), "delete old sign-ins"),
		wrap(db.queries.DeleteOldKeySpending(ctx, spendingDay(db.now().AddDate(0, 0, -2))), "delete old spending of keys"),
	)
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
)

// Record writes the entry of a note if no transaction has written it yet.
func (db *DB) Record(ctx context.Context, n *audit.Note) error {
	if err := db.record(ctx, db.queries, n); err != nil {
		return wrap(err, "record a change")
	}
	n.Wrote()
	return nil
}

// record writes a note's entry if one is due, and counts it as a change of its
// account.
func (db *DB) record(ctx context.Context, q *dbsqlc.Queries, n *audit.Note) error {
	e, due := n.Entry()
	if !due {
		return nil
	}
	p := dbsqlc.InsertAuditParams{
		ID: id.New(id.Audit), AccountID: e.AccountID, Actor: string(e.Actor), ActorID: e.ActorID, Address: e.Address,
		RequestID: e.RequestID, Operation: e.Operation, Targets: make([]string, len(e.Targets)),
	}
	for i, target := range e.Targets {
		p.Targets[i] = storable(target)
	}
	if e.Before != nil {
		var err error
		if p.Before, err = encode(&e.Before); err != nil {
			return err
		}
		if p.After, err = encode(&e.After); err != nil {
			return err
		}
	}
	if err := q.InsertAudit(ctx, p); err != nil || e.AccountID == "" || e.Actor == audit.Operator {
		return err
	}
	return db.changed(ctx, q, e.AccountID)
}

// Entries lists entries, the newest first.
func (db *DB) Entries(ctx context.Context, f audit.Filter) ([]*audit.Entry, int, error) {
	var entries []*audit.Entry
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		total, err = q.CountAuditEntries(ctx, dbsqlc.CountAuditEntriesParams{
			Anybody: f.AccountID == "", AccountID: f.AccountID, Since: f.Since, Until: f.Until,
		})
		if err != nil {
			return err
		}
		rows, err := q.AuditEntries(ctx, dbsqlc.AuditEntriesParams{
			Anybody: f.AccountID == "", AccountID: f.AccountID, Since: f.Since, Until: f.Until,
			Most: int32(f.Limit), Skip: int32(min(f.Offset, 1<<31-1)),
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			e := &audit.Entry{
				ID: r.ID, At: r.At.UTC(), AccountID: r.AccountID, Actor: audit.Actor(r.Actor), ActorID: r.ActorID, Address: r.Address,
				RequestID: r.RequestID, Operation: r.Operation, Targets: r.Targets,
			}
			for document, into := range map[*map[string]any][]byte{&e.Before: r.Before, &e.After: r.After} {
				values, err := decode[map[string]any](into)
				if err != nil {
					return err
				}
				if values != nil {
					*document = *values
				}
			}
			entries = append(entries, e)
		}
		return nil
	})
	return entries, int(total), wrap(err, "list the audit log")
}

// AuditRetention is a sweeper that deletes entries older than Keep.
type AuditRetention struct {
	DB   *DB
	Keep time.Duration // 0 keeps them for ever
}

// Sweep deletes old entries, by the database's clock.
func (r AuditRetention) Sweep(ctx context.Context) error {
	if r.Keep <= 0 {
		return nil
	}
	err := r.DB.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if err := q.AllowAuditRetention(ctx); err != nil {
			return err
		}
		return q.DeleteOldAudit(ctx, r.Keep.Seconds())
	})
	return wrap(err, "delete old entries of the audit log")
}

package postgres

import (
	"context"

	"ballast/billing"
	"ballast/postgres/internal/dbsqlc"
)

// CheckLedger checks the ledger on one snapshot: entries add up to zero and to the
// balances, the held amounts are those of unfinished runs, and finished work holds
// nothing. It returns what breaks these rules; a sound ledger gives no findings.
func (db *DB) CheckLedger(ctx context.Context) ([]billing.Finding, error) {
	findings := []billing.Finding{}
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		rows, err := q.LedgerFaults(ctx)
		if err != nil {
			return err
		}
		for _, r := range rows {
			findings = append(findings, billing.Finding{AccountID: r.AccountID, Message: r.Message})
		}
		return nil
	})
	return findings, wrap(err, "check the ledger")
}

package postgres

import (
	"context"

	"ballast/billing"
	"ballast/postgres/internal/dbsqlc"
)

// CheckLedger holds the ledger to its own rules on one snapshot: entries add up
// to zero and to the balances, what is held is what unended runs hold, and
// whatever has ended holds nothing. It returns what breaks them, none in a sound
// ledger.
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

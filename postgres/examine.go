package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"ballast/operate/doctor"
)

// Checks returns the checks of a database: first whether it is usable, then the queue,
// the data that models depend on, and the ledger.
func (db *DB) Checks() []doctor.Check {
	checks := []doctor.Check{
		{Name: "schema", Vital: true, Look: db.examineSchema},
		{Name: "clock", Look: db.examineClock},
	}
	for _, e := range examinations {
		c := doctor.Check{Name: e.name, Look: func(ctx context.Context) ([]doctor.Finding, error) { return db.examine(ctx, e) }}
		if e.repair != nil {
			c.Repair = func(ctx context.Context) error { return e.repair(ctx, db) }
		}
		checks = append(checks, c)
	}
	return append(checks,
		doctor.Check{Name: "waiting", Look: db.examineWaiting, Repair: db.wake},
		doctor.Check{Name: "lives", Look: db.examineLives},
		doctor.Check{Name: "ledger", Look: db.examineLedger},
		doctor.Check{Name: "stored", Look: db.examineStored, Repair: db.RecountStored},
	)
}

// oldestServer is the oldest supported major version of PostgreSQL.
const oldestServer = 13

func (db *DB) examineSchema(ctx context.Context) ([]doctor.Finding, error) {
	var server int
	if err := db.pool.QueryRow(ctx, "select current_setting('server_version_num')::integer / 10000").Scan(&server); err != nil {
		return nil, wrap(err, "read the server's version")
	}
	if err := db.checkFinished(ctx); err != nil {
		return nil, err
	}
	var findings []doctor.Finding
	if server < oldestServer {
		findings = append(findings, doctor.Finding{
			Subject: "PostgreSQL " + strconv.Itoa(server), Message: fmt.Sprintf("is older than %d", oldestServer), Advice: "move the database to a newer PostgreSQL",
		})
	}
	s, err := db.schema(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case s.tooNew():
		findings = append(findings, doctor.Finding{
			Subject: "migrations", Message: fmt.Sprintf("the schema has version %d, too new for this program, which knows versions up to %d", s.newest, s.known),
			Advice: "use the version of ballast that migrated the database, or a newer one",
		})
	case s.missing > 0:
		findings = append(findings, doctor.Finding{
			Subject: "migrations", Message: fmt.Sprintf("the schema has version %d and lacks migration %d, which this program needs", s.newest, s.missing),
			Advice: "run ballast migrate, or start the service, which migrates by itself",
		})
	case s.newest > s.known:
		findings = append(findings, doctor.Finding{
			Subject: "migrations", Message: fmt.Sprintf("the schema has version %d, newer than this program's version %d, which still works with it", s.newest, s.known),
			Advice: "upgrade this program to the version that migrated the database", Notice: true,
		})
	}
	return append(findings, db.examineQueueSchema(ctx)...), nil
}

func (db *DB) examineQueueSchema(ctx context.Context) []doctor.Finding {
	migrator, err := rivermigrate.New(riverpgxv5.New(db.pool), nil)
	var valid *rivermigrate.ValidateResult
	if err == nil {
		valid, err = migrator.Validate(ctx, nil)
	}
	switch {
	case err != nil:
		return []doctor.Finding{{Subject: "queue", Message: err.Error(), Advice: "run ballast migrate"}}
	case !valid.OK:
		return []doctor.Finding{{Subject: "queue", Message: strings.Join(valid.Messages, "; "), Advice: "run ballast migrate"}}
	}
	return nil
}

// clockTolerance is how far this machine's clock may be from the database's. Leases
// use the database's clock, the times in rows use this machine's.
const clockTolerance = 2 * time.Second

func (db *DB) examineClock(ctx context.Context) ([]doctor.Finding, error) {
	before := time.Now()
	var theirs time.Time
	if err := db.pool.QueryRow(ctx, "select clock_timestamp()").Scan(&theirs); err != nil {
		return nil, wrap(err, "read the database's time")
	}
	took := time.Since(before)
	apart := theirs.Sub(before.Add(took / 2)).Abs()
	if apart <= clockTolerance+took/2 {
		return nil, nil
	}
	return []doctor.Finding{{
		Subject: "clock", Message: fmt.Sprintf("this machine's clock and the database's are %s apart", apart.Round(time.Millisecond)),
		Advice: "synchronize both machines' clocks with NTP (chronyd, systemd-timesyncd)",
	}}, nil
}

func (db *DB) examineLedger(ctx context.Context) ([]doctor.Finding, error) {
	faults, err := db.CheckLedger(ctx)
	if err != nil {
		return nil, err
	}
	var findings []doctor.Finding
	for _, f := range faults {
		findings = append(findings, doctor.Finding{
			Subject: f.AccountID, Message: f.Message,
			Advice: "check the account's rows in ledger, balances and runs; correct the difference with ballast account grant, which records the reason",
		})
	}
	return findings, nil
}

func (db *DB) examineLives(ctx context.Context) ([]doctor.Finding, error) {
	faults, err := db.CheckLives(ctx)
	if err != nil {
		return nil, err
	}
	var findings []doctor.Finding
	for _, f := range faults {
		findings = append(findings, doctor.Finding{
			Subject: f.ID, Message: f.Message,
			Advice: "run the model at its defaults, or rebuild it, which writes these rows again; if that does not help, restore a backup",
		})
	}
	return findings, nil
}

// NamedObjects returns the objects that runs and bars name, with their sizes. The
// manifest of bars does not record the sizes.
func (db *DB) NamedObjects(ctx context.Context) (map[string]int64, error) {
	named := map[string]int64{}
	rows, err := db.pool.Query(ctx, namedObjects)
	if err != nil {
		return nil, wrap(err, "list the objects that the database names")
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var size int64
		if err := rows.Scan(&key, &size); err != nil {
			return nil, err
		}
		named[key] = size
	}
	return named, wrap(rows.Err(), "list the objects that the database names")
}

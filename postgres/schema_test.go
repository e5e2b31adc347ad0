package postgres_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ballast/operate/doctor"
	"ballast/postgres"
)

// A program runs with the schema of a newer one until a migration says otherwise, and
// names what is wrong with a schema that does not suit it.
func TestSchemaSuitsTheProgram(t *testing.T) {
	t.Parallel()
	const newer = `insert into goose_db_version (version_id, is_applied) values (99999, true);`
	for name, c := range map[string]struct {
		sql      string
		says     string // part of the error; "" if the program starts
		migrates bool
	}{
		"the program's own":   {migrates: true},
		"newer, compatible":   {sql: newer, migrates: true},
		"newer, incompatible": {sql: newer + `create or replace function oldest_program() returns bigint language sql as 'select 99999::bigint'`, says: "too new"},
		"older":               {sql: `drop function oldest_program(); delete from goose_db_version where version_id = 110`, says: "lacks migration 110", migrates: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			_, err := db.Pool().Exec(t.Context(), "select 1;"+c.sql)
			must(t, err)
			err = db.CheckSchema(t.Context())
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("CheckSchema: %v, want %q", err, c.says)
			}
			if err := db.Migrate(t.Context()); (err == nil) != c.migrates {
				t.Errorf("Migrate: %v", err)
			}
			if err := db.CheckSchema(t.Context()); (err == nil) != c.migrates {
				t.Errorf("CheckSchema after Migrate: %v", err)
			}
			if r := doctor.Examine(t.Context(), db.Checks(), false); r.Sound() != c.migrates {
				t.Errorf("the doctor found %+v", r.Findings)
			}
		})
	}
}

// While another transaction keeps a table, migrations give way again and again, so that
// readers of the table hardly notice, and succeed once it has ended.
func TestMigrationGivesWay(t *testing.T) {
	t.Parallel()
	former := loadFormer(t)
	tries := &waits{seen: make(chan struct{}, 100)}
	db, err := postgres.Open(t.Context(), former.Pool().Config().ConnString(), postgres.Config{Logger: slog.New(tries)})
	must(t, err)
	defer db.Close()
	tx, err := former.Pool().Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), "select from models limit 1")
	must(t, err)

	migrated := make(chan error, 1)
	go func() { migrated <- db.Migrate(t.Context()) }()
	var longest atomic.Int64
	reading, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for reading.Err() == nil {
			began := time.Now()
			if _, err := former.Pool().Exec(t.Context(), "select from models limit 1"); err != nil {
				t.Error(err)
			}
			longest.Store(max(longest.Load(), int64(time.Since(began))))
		}
	}()
	for range 3 {
		<-tries.seen
	}
	stop()
	<-ended
	must(t, tx.Commit(t.Context()))
	must(t, <-migrated)
	must(t, db.CheckSchema(t.Context()))
	// Half a second, and time for a machine that is busy with other tests.
	if waited := time.Duration(longest.Load()); waited > 2*time.Second {
		t.Errorf("a query waited %s for the migration", waited)
	}
}

// waits is a log handler that reports each pause of a migration.
type waits struct {
	slog.Handler
	seen chan struct{}
}

func (w *waits) Enabled(context.Context, slog.Level) bool { return true }

func (w *waits) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "waits for a table") {
		w.seen <- struct{}{}
	}
	return nil
}

func (w *waits) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w *waits) WithGroup(string) slog.Handler      { return w }

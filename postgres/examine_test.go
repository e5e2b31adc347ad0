package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/operate/doctor"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
)

// breaking is one way to break a database, and the check that must find it.
type breaking struct {
	name, check string
	sql         string // $1 is the model, $2 the model that holds it
	repaired    bool
}

var breakings = []breaking{
	{"a run without a job", "runs", `with r as (insert into runs (id, account_id, program_id, build_id, status, publishes, source, inputs, script_hash, harness_version, created_at)
		select 'run_' || repeat('a', 32), account_id, program_id, build_id, 'queued', false, 'manual', '{}', '', '', now() from runs where program_id = $1 limit 1 returning id) select $2::text from r`, true},
	{"a run whose job has ended", "runs", `with r as (insert into runs (id, account_id, program_id, build_id, status, publishes, source, inputs, script_hash, harness_version, created_at)
		select 'run_' || repeat('b', 32), account_id, program_id, build_id, 'queued', false, 'manual', '{}', '', '', now() from runs where program_id = $1 limit 1 returning id)
		insert into river_job (kind, args, state, queue, priority, max_attempts, finalized_at, scheduled_at)
		select 'run', jsonb_build_object('run_id', id), 'discarded', 'default', 1, 5, now(), now() from r where $2 <> ''`, true},
	{"a job without a run", "jobs", `insert into river_job (kind, args, state, queue, priority, max_attempts, scheduled_at)
		select 'run', '{"run_id": "run_gone"}', 'available', 'default', 1, 5, now() where $1 <> $2`, true},
	{"a job of a dead worker", "leases", `insert into river_job (kind, args, state, queue, priority, max_attempts, scheduled_at, attempted_at, attempt, attempted_by)
		select 'sweep', '{}', 'running', 'default', 1, 5, now(), now(), 1, array['ghost'] where $1 <> $2`, true},
	{"a model that updates for ever", "models", `update programs set status = 'updating' where id = $1 and $2 <> ''`, true},
	{"a model that waits for ever", "waiting", `update programs set refresh = 'waiting' where id = $2 and $1 <> ''`, true},
	{"a delivery without a job", "deliveries", `with w as (insert into webhooks (id, account_id, url, events, enabled, secret, created_at, updated_at)
		select 'webhook_' || repeat('c', 32), account_id, 'https://example.com', array['run.complete'], true, 's', now(), now() from programs where id = $1 returning id, account_id)
		insert into deliveries (id, webhook_id, account_id, event_id, kind, program_id, status, created_at)
		select 'delivery_' || repeat('c', 32), id, account_id, 'e', 'run.complete', $2, 'pending', now() from w`, true},
	{"a live run of another model", "lives", `update programs set live_run_id = (select live_run_id from programs where id = $2) where id = $1`, false},
	{"an active model that serves nothing", "lives", `update programs set live_run_id = null where id = $2 and $1 <> ''`, false},
	{"a membership that is not recorded", "lives", `delete from memberships where holder_id = $2 and member_id = $1`, false},
	{"a membership of another run", "lives", `update memberships set run_id = 'run_other' where holder_id = $2 and member_id = $1`, false},
	{"a depth that is too small", "depths", `update programs set depth = 0 where id = $2 and $1 <> ''`, false},
	{"a build of another model", "lives", `update programs set build_id = (select build_id from programs where id = $2) where id = $1`, false},
	{"a balance that the ledger does not have", "ledger", `insert into balances (account_id, spendable, held, spent, granted, signup_grant, opened_at)
		select account_id, 5, 0, 0, -5, 0, now() from programs where id = $1 and $2 <> ''`, false},
	{"a migration that is missing", "schema", `delete from goose_db_version where version_id = (select max(version_id) from goose_db_version) and $1 <> $2::text`, false},
}

func TestDoctorFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	for _, b := range breakings {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			db := openNow(t)
			a := newAccount(t, db, "a").ID
			child := active(t, db, a, "CHILD", assetMember("SPY")).model.ID
			parent := active(t, db, a, "PARENT", modelMember(t, db, child)).model.ID
			if r := doctor.Examine(t.Context(), db.Checks(), false); !r.Sound() || len(r.Findings) > 0 {
				t.Fatalf("a sound database: %+v", r)
			}
			if _, err := db.Pool().Exec(t.Context(), b.sql, child, parent); err != nil {
				t.Fatal(err)
			}
			r := doctor.Examine(t.Context(), db.Checks(), false)
			if r.Sound() || !slices.ContainsFunc(r.Findings, func(f doctor.Finding) bool { return f.Check == b.check && f.Advice != "" && f.Fixable == b.repaired }) {
				t.Fatalf("not found: %+v", r)
			}
			r = doctor.Examine(t.Context(), db.Checks(), true)
			if r.Sound() != b.repaired {
				t.Errorf("repaired %t, want %t: %+v", r.Sound(), b.repaired, r)
			}
			if b.repaired {
				if r = doctor.Examine(t.Context(), db.Checks(), false); len(r.Findings) > 0 {
					t.Errorf("left after repairing: %+v", r.Findings)
				}
			}
		})
	}
}

func TestDoctorSeesTransactionsThatHang(t *testing.T) {
	t.Parallel()
	db := openNow(t)
	tx, err := db.Pool().BeginTx(t.Context(), pgx.TxOptions{})
	must(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "select 1")
	must(t, err)
	if r := doctor.Examine(t.Context(), db.Checks(), false); !r.Sound() {
		t.Errorf("a young transaction: %+v", r.Findings)
	}
}

func TestDoctorWithoutTables(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), postgrestest.New(t), postgres.Config{})
	must(t, err)
	defer db.Close()
	r := doctor.Examine(t.Context(), db.Checks(), true)
	if r.Sound() || len(r.Findings) == 0 || !r.Checks[1].Skipped {
		t.Errorf("%+v", r)
	}
}

// openNow is open with the machine's clock.
func openNow(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgrestest.NewFrom(t, "migrated", migrate), postgres.Config{MaxConns: 4, Now: time.Now})
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
)

// clock is the clock of the tests' databases; each reading is a second later than the
// last.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

var morning = time.Date(2025, 9, 26, 8, 0, 0, 123456000, time.UTC)

// migrate creates the template of the tests' databases.
func migrate(ctx context.Context, dsn string) error {
	db, err := postgres.Open(ctx, dsn, postgres.Config{MaxConns: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Migrate(ctx)
}

// open returns a migrated database for this test alone.
func open(t testing.TB) *postgres.DB {
	t.Helper()
	dsn := postgrestest.NewFrom(t, "migrated", migrate)
	db, err := postgres.Open(t.Context(), dsn, postgres.Config{MaxConns: 8, Now: (&clock{now: morning}).Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// newAccount adds an account.
func newAccount(t testing.TB, db *postgres.DB, name string) *account.Account {
	t.Helper()
	a := &account.Account{
		ID: id.New(id.Account), Name: name, Email: name + "@example.com",
		Plan: account.PlanBusiness, Role: account.RoleMember, CreatedAt: morning,
	}
	if err := db.CreateAccount(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	return a
}

// wantFault fails unless err is a fault of the given type.
func wantFault(t testing.TB, err error, want fault.Type) {
	t.Helper()
	if err == nil || fault.TypeOf(err) != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// must fails on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestMigrateTogether(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.New(t)
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() { errs <- migrate(t.Context(), dsn) }()
	}
	for range cap(errs) {
		must(t, <-errs)
	}
	db, err := postgres.Open(t.Context(), dsn, postgres.Config{})
	must(t, err)
	defer db.Close()
	must(t, db.Ping(t.Context()))
	var tables int
	must(t, db.Pool().QueryRow(t.Context(),
		"select count(*) from pg_tables where tablename in ('models', 'runs', 'assets', 'river_job')").Scan(&tables))
	if tables != 4 {
		t.Errorf("%d tables, want 4", tables)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]string{
		"malformed":    "postgres://%zz",
		"nobody there": "postgres://ballast@/ballast?host=" + t.TempDir(),
	} {
		t.Run(name, func(t *testing.T) {
			if db, err := postgres.Open(t.Context(), dsn, postgres.Config{}); err == nil {
				db.Close()
				t.Error("opened")
			}
		})
	}
}

func TestPoolRecovers(t *testing.T) {
	t.Parallel()
	db := open(t)
	_, err := db.Pool().Exec(t.Context(), "select pg_terminate_backend(pg_backend_pid())")
	if err == nil {
		t.Fatal("survived its own end")
	}
	if _, err := db.Accounts(t.Context()); err != nil {
		t.Errorf("the pool did not recover: %v", err)
	}
}

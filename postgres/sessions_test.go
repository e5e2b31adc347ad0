package postgres_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/account"
	"ballast/audit"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
)

func newSession(t *testing.T, db *postgres.DB, s account.Session) [32]byte {
	t.Helper()
	s.ID = id.New(id.Session)
	if s.Idle == 0 {
		s.Idle, s.Most = time.Hour, 2*time.Hour
	}
	hash := account.Hash(account.NewSession())
	must(t, db.CreateSession(t.Context(), &s, hash))
	return hash
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a")
	k, _ := newKey(t, db, a.ID, "laptop")
	for _, end := range map[string]func(hash [32]byte){
		"signed out": func(hash [32]byte) { must(t, db.EndSession(t.Context(), hash)) },
		"idle": func(hash [32]byte) {
			exec(t, db, "update sessions set expires_at = now() where hash = $1", hash[:])
		},
	} {
		hash := newSession(t, db, account.Session{AccountID: a.ID, KeyID: k.ID})
		got, err := db.AuthenticateSession(t.Context(), hash)
		must(t, err)
		if got.AccountID != a.ID || got.KeyID != k.ID || got.SessionID == "" {
			t.Errorf("%+v", got)
		}
		end(hash)
		_, err = db.AuthenticateSession(t.Context(), hash)
		wantFault(t, err, fault.Unauthenticated)
	}
	hash := newSession(t, db, account.Session{AccountID: a.ID, KeyID: k.ID})
	_, err := db.RevokeKey(t.Context(), a.ID, k.ID)
	must(t, err)
	_, err = db.AuthenticateSession(t.Context(), hash)
	wantFault(t, err, fault.Unauthenticated)

	other, _ := newKey(t, db, a.ID, "other")
	hash = newSession(t, db, account.Session{AccountID: a.ID, KeyID: other.ID})
	must(t, db.CloseAccount(t.Context(), a.ID, morning))
	_, err = db.AuthenticateSession(t.Context(), hash)
	wantFault(t, err, fault.Unauthenticated)
}

// The expiry of a session moves with its use, but never past its end. A clock that was
// set back or forward meanwhile does not stop it from moving.
func TestSessionsMove(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a")
	k, _ := newKey(t, db, a.ID, "laptop")
	for _, seen := range []string{"now() - interval '50 minutes'", "now() + interval '3 days'"} {
		hash := newSession(t, db, account.Session{AccountID: a.ID, KeyID: k.ID})
		exec(t, db, "update sessions set expires_at = now() + interval '10 minutes', seen_at = "+seen+" where hash = $1", hash[:])
		_, err := db.AuthenticateSession(t.Context(), hash)
		must(t, err)
		if !holds(t, db, "select expires_at > now() + interval '50 minutes' and seen_at <= now() from sessions where hash = $1", hash[:]) {
			t.Errorf("seen at %s: not moved", seen)
		}
	}
	hash := newSession(t, db, account.Session{AccountID: a.ID, KeyID: k.ID})
	exec(t, db, "update sessions set ends_at = now() + interval '5 minutes', seen_at = now() - interval '1 hour' where hash = $1", hash[:])
	_, err := db.AuthenticateSession(t.Context(), hash)
	must(t, err)
	if !holds(t, db, "select expires_at = ends_at from sessions where hash = $1", hash[:]) {
		t.Error("moved past its end")
	}
	must(t, db.Sweep(t.Context()))
	_, err = db.AuthenticateSession(t.Context(), hash)
	must(t, err)
}

func TestSigninsAreTakenOnce(t *testing.T) {
	t.Parallel()
	db := open(t)
	s := account.Signin{State: account.Hash("state"), Browser: account.Hash("browser"), ReturnTo: "/docs"}
	must(t, db.BeginSignin(t.Context(), s))
	got, err := db.TakeSignin(t.Context(), s.State)
	must(t, err)
	if *got != s {
		t.Errorf("%+v", got)
	}
	_, err = db.TakeSignin(t.Context(), s.State)
	wantFault(t, err, fault.Unauthenticated)
	must(t, db.BeginSignin(t.Context(), s))
	exec(t, db, "update signins set created_at = now() - interval '11 minutes'") //nolint:misspell // the table's name
	_, err = db.TakeSignin(t.Context(), s.State)
	wantFault(t, err, fault.Unauthenticated)
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx := t.Context()
	ann := account.Person{Issuer: "https://id.example", Subject: "1", Email: "ann@example.com", Name: "Ann"}
	_, err := db.Admit(ctx, ann, "")
	wantFault(t, err, fault.Forbidden)
	accountID, err := db.Admit(ctx, ann, account.PlanPro)
	must(t, err)
	a, err := db.Account(ctx, accountID)
	must(t, err)
	if a.Plan != account.PlanPro || a.Email != ann.Email || a.Role != account.RoleMember {
		t.Errorf("%+v", a)
	}
	ann.Name, ann.Email = "Ann B.", "ann.b@example.com"
	again, err := db.Admit(ctx, ann, "")
	must(t, err)
	if again != accountID {
		t.Errorf("under another name and address: %s, not %s", again, accountID)
	}
	hash := newSession(t, db, account.Session{AccountID: accountID, Person: &ann})
	i, err := db.AuthenticateSession(ctx, hash)
	must(t, err)
	if i.PersonName != "Ann B." || i.PersonEmail != ann.Email || i.AccountID != accountID {
		t.Errorf("%+v", i)
	}

	thief := account.Person{Issuer: ann.Issuer, Subject: "2", Email: "ANN@example.com"}
	_, err = db.Admit(ctx, thief, account.PlanPro)
	wantFault(t, err, fault.Forbidden)
	must(t, db.CloseAccount(ctx, accountID, morning))
	_, err = db.Admit(ctx, ann, account.PlanPro)
	wantFault(t, err, fault.Forbidden)

	known := newAccount(t, db, "known")
	exec(t, db, "update accounts set email = 'ann.b@example.com' where id = $1", known.ID)
	got, err := db.Admit(ctx, ann, "")
	must(t, err)
	if got != known.ID {
		t.Errorf("by its address: %s", got)
	}
}

func TestOneAccountForFirstSigninsAtOnce(t *testing.T) {
	t.Parallel()
	db := open(t)
	bob := account.Person{Issuer: "https://id.example", Subject: "1", Email: "bob@example.com"}
	var mu sync.Mutex
	ids := map[string]bool{}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			accountID, err := db.Admit(t.Context(), bob, account.PlanFree)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			ids[accountID] = true
			mu.Unlock()
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Errorf("%d accounts", len(ids))
	}
}

func TestAudit(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a")
	ctx, note := audit.With(t.Context(), audit.Entry{Actor: audit.Operator, ActorID: "root", Operation: "ballast account plan"})
	must(t, db.SetPlan(ctx, a.ID, account.PlanFree))
	if !note.Written() {
		t.Fatal("not written with the change")
	}
	must(t, db.SetPlan(ctx, a.ID, account.PlanPro)) // one entry in the audit
	refused, _ := audit.With(t.Context(), audit.Entry{Actor: audit.Operator, Operation: "ballast account plan"})
	wantFault(t, db.SetPlan(refused, id.New(id.Account), account.PlanPro), fault.NotFound)

	entries, total, err := db.Entries(t.Context(), audit.Filter{AccountID: a.ID, Limit: 10})
	must(t, err)
	if total != 1 || entries[0].Before["plan"] != "business" || entries[0].After["plan"] != "free" || entries[0].Targets[0] != a.ID {
		t.Fatalf("%d entries: %+v", total, entries)
	}
	for _, statement := range []string{"update audit set actor_id = ''", "delete from audit", "truncate audit"} {
		if _, err := db.Pool().Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	must(t, postgres.AuditRetention{DB: db, Keep: time.Hour}.Sweep(t.Context()))
	if _, total, _ = db.Entries(t.Context(), audit.Filter{Limit: 10}); total != 1 {
		t.Errorf("%d entries after a sweep", total)
	}
	time.Sleep(2 * time.Millisecond)
	must(t, postgres.AuditRetention{DB: db, Keep: time.Millisecond}.Sweep(t.Context()))
	if _, total, _ = db.Entries(t.Context(), audit.Filter{Limit: 10}); total != 0 {
		t.Errorf("%d entries after their time", total)
	}
}

func TestKeysByPrefix(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a"), newAccount(t, db, "b")
	k, secret := newKey(t, db, a.ID, "one")
	newKey(t, db, a.ID, "two")
	newKey(t, db, b.ID, "three")
	for _, test := range []struct {
		accountID, prefix string
		want              int
	}{{a.ID, "", 2}, {a.ID, account.Prefix(secret), 1}, {"", account.Prefix(secret), 1}, {b.ID, account.Prefix(secret), 0}, {"", "bk_", 3}, {a.ID, "%", 0}} {
		keys, err := db.Keys(t.Context(), test.accountID, test.prefix)
		must(t, err)
		if len(keys) != test.want || (test.want == 1 && keys[0].ID != k.ID) {
			t.Errorf("%q: %d keys", test.prefix, len(keys))
		}
	}
}

func exec(t *testing.T, db *postgres.DB, sql string, args ...any) {
	t.Helper()
	if _, err := db.Pool().Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, db *postgres.DB, sql string, args ...any) (yes bool) {
	t.Helper()
	if err := db.Pool().QueryRow(t.Context(), sql, args...).Scan(&yes); err != nil {
		t.Fatal(err)
	}
	return yes
}

package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/audit"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
)

// mostSessions is how many sessions an account may have. A further one ends the least
// recently used.
const mostSessions = 100

// CreateSession adds a session. Its times are by the database's clock.
func (db *DB) CreateSession(ctx context.Context, s *account.Session, hash [32]byte) error {
	p := dbsqlc.InsertSessionParams{
		ID: s.ID, AccountID: s.AccountID, KeyID: orNil(s.KeyID), Hash: hash[:],
		IdleSeconds: int32(s.Idle.Seconds()), MostSeconds: int32(s.Most.Seconds()),
	}
	if s.Person != nil {
		p.Issuer, p.Subject = &s.Person.Issuer, &s.Person.Subject
	}
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, s.AccountID, s.ID)
		ends, err := q.InsertSession(ctx, p)
		if err != nil {
			return err
		}
		s.EndsAt = ends.UTC()
		return q.EndOldestSessions(ctx, dbsqlc.EndOldestSessionsParams{AccountID: s.AccountID, Most: mostSessions})
	})
	return wrap(err, "create session %s", s.ID)
}

// AuthenticateSession returns the identity behind a session's hash. Only the first
// request of a minute extends the session, so that the others do not have to write.
func (db *DB) AuthenticateSession(ctx context.Context, hash [32]byte) (*account.Identity, error) {
	r, err := db.queries.SessionIdentity(ctx, hash[:])
	if absent(err) {
		return nil, fault.New(fault.Unauthenticated, "The session is unknown or has ended. Sign in again.")
	}
	if err != nil {
		return nil, wrap(err, "authenticate a session")
	}
	if r.Stale {
		if err := db.queries.RenewSession(ctx, r.SessionID); err != nil {
			return nil, wrap(err, "renew session %s", r.SessionID)
		}
	}
	scopes := account.Scopes // of a person
	if r.KeyID != nil {
		scopes = scopesOf(r.Scopes)
	}
	return &account.Identity{
		Scopes: scopes, DailyCapCents: r.DailyCapCents,
		AccountID: r.AccountID, AccountName: r.AccountName, Email: r.AccountEmail, Plan: account.Plan(r.Plan), Role: account.Role(r.Role),
		KeyID: orEmpty(r.KeyID), SessionID: r.SessionID, PersonName: orEmpty(r.PersonName), PersonEmail: orEmpty(r.PersonEmail),
		Backfills: r.Backfills,
	}, nil
}

// EndSession ends a session.
func (db *DB) EndSession(ctx context.Context, hash [32]byte) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		ended, err := q.DeleteSession(ctx, hash[:])
		for _, s := range ended {
			audit.Concern(ctx, s.AccountID, s.ID)
		}
		return err
	})
	return wrap(err, "end a session")
}

// BeginSignin stores a sign-in until TakeSignin.
func (db *DB) BeginSignin(ctx context.Context, s account.Signin) error {
	return wrap(db.queries.InsertSignin(ctx, dbsqlc.InsertSigninParams{
		State: s.State[:], Browser: s.Browser[:], ReturnTo: storable(s.ReturnTo),
	}), "start a sign-in")
}

// TakeSignin returns the sign-in of a state and deletes it.
func (db *DB) TakeSignin(ctx context.Context, state [32]byte) (*account.Signin, error) {
	row, err := db.queries.TakeSignin(ctx, state[:])
	if absent(err) || (err == nil && !row.Fresh) {
		return nil, fault.New(fault.Unauthenticated, "This sign-in has expired or was already used. Start again.")
	}
	if err != nil {
		return nil, wrap(err, "take a sign-in")
	}
	return &account.Signin{State: state, Browser: [32]byte(row.Browser), ReturnTo: row.ReturnTo}, nil
}

// Admit returns a person's account, and creates one if there is none.
func (db *DB) Admit(ctx context.Context, p account.Person, plan account.Plan) (accountID string, err error) {
	err = db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		// Without this lock, two concurrent first sign-ins would create two accounts.
		if err := q.LockIdentity(ctx, dbsqlc.LockIdentityParams{Issuer: p.Issuer, Subject: p.Subject}); err != nil {
			return err
		}
		if accountID, err = admitted(ctx, q, p, plan); err != nil {
			return err
		}
		if accountID == "" {
			a := &account.Account{
				ID: id.New(id.Account), Name: p.Email, Email: p.Email, Plan: plan, Role: account.RoleMember, CreatedAt: stamp(db.now()),
			}
			accountID = a.ID
			audit.Change(ctx, "plan", nil, string(plan))
			if err := insertAccount(ctx, q, a); err != nil {
				return err
			}
		}
		audit.Concern(ctx, accountID, accountID)
		return q.PutIdentity(ctx, dbsqlc.PutIdentityParams{
			Issuer: p.Issuer, Subject: p.Subject, AccountID: accountID, Email: storable(p.Email), Name: storable(p.Name),
		})
	})
	switch {
	case violates(err, "identities_of_account"), violates(err, "accounts_name_key"):
		return "", fault.New(fault.Forbidden, "Someone else has already signed in to the account with this address. Ask the operator.").Wrap(err)
	case err != nil:
		return "", wrap(err, "find or create the account of a person")
	}
	return accountID, nil
}

// admitted returns the account that a person may enter, or "" if one should be
// created. A person whose account was closed does not get a new one automatically.
func admitted(ctx context.Context, q *dbsqlc.Queries, p account.Person, plan account.Plan) (string, error) {
	known, err := q.IdentityOf(ctx, dbsqlc.IdentityOfParams{Issuer: p.Issuer, Subject: p.Subject})
	switch {
	case err == nil && !known.Closed:
		return known.AccountID, nil
	case err != nil && !absent(err):
		return "", err
	}
	closed := err == nil
	found, err := q.AccountsByEmail(ctx, p.Email)
	switch {
	case err != nil:
		return "", err
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fault.New(fault.Forbidden, "Several accounts have this address. Ask the operator.")
	case closed || plan == "":
		return "", fault.New(fault.Forbidden, "There is no account for this address. Ask the operator for one.")
	}
	return "", nil
}

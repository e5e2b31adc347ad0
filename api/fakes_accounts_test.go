package api

import (
	"context"
	"strings"
	"sync"

	"ballast/account"
	"ballast/internal/fault"
)

type fakeAccounts struct {
	fakeSessions
	keys []*account.Key
	fail error

	scopes   []account.Scope // of the key; nil for all
	dailyCap *int64
}

func (f *fakeAccounts) Authenticate(_ context.Context, hash [32]byte) (*account.Identity, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	for secret, id := range map[string]string{aliceKey: alice, bobKey: bob} {
		if account.Hash(secret) == hash {
			scopes := f.scopes
			if scopes == nil {
				scopes = account.Scopes
			}
			return &account.Identity{
				AccountID: id, AccountName: "Alice", Plan: account.PlanBusiness, KeyID: "key_00000000000070008000000000000001",
				Scopes: scopes, DailyCapCents: f.dailyCap,
			}, nil
		}
	}
	return nil, fault.New(fault.Unauthenticated, "This text is not the one that callers get.")
}

func (f *fakeAccounts) Account(_ context.Context, id string) (*account.Account, error) {
	return &account.Account{ID: id, Name: "Alice", Plan: account.PlanBusiness, Role: account.RoleMember, CreatedAt: epoch, Collections: account.Collections{Models: 1}}, nil
}

func (f *fakeAccounts) Keys(_ context.Context, _, prefix string) ([]*account.Key, error) {
	var found []*account.Key
	for _, k := range f.keys {
		if strings.HasPrefix(k.Prefix, prefix) {
			found = append(found, k)
		}
	}
	return found, nil
}

func (f *fakeAccounts) CreateKey(_ context.Context, k *account.Key, _ [32]byte) error {
	if len(k.Scopes) == 0 {
		k.Scopes = account.Scopes
	}
	f.keys = append([]*account.Key{k}, f.keys...)
	return nil
}

func (f *fakeAccounts) RevokeKey(_ context.Context, accountID, keyID string) (*account.Key, error) {
	for _, k := range f.keys {
		if k.ID == keyID && k.AccountID == accountID {
			now := epoch
			k.RevokedAt = &now
			return k, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no key %q.", keyID)
}

// fakeSessions keeps sessions and sign-ins in memory.
type fakeSessions struct {
	mu       sync.Mutex
	sessions map[[32]byte]*account.Session
	attempts map[[32]byte]account.Signin
	admitted []account.Person
}

func (f *fakeSessions) CreateSession(_ context.Context, s *account.Session, hash [32]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sessions == nil {
		f.sessions = map[[32]byte]*account.Session{}
	}
	s.EndsAt = epoch
	f.sessions[hash] = s
	return nil
}

func (f *fakeSessions) AuthenticateSession(_ context.Context, hash [32]byte) (*account.Identity, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[hash]
	if s == nil {
		return nil, fault.New(fault.Unauthenticated, "This text is not the one that callers get.")
	}
	i := &account.Identity{AccountID: s.AccountID, AccountName: "Alice", Plan: account.PlanBusiness, Role: account.RoleMember, SessionID: s.ID, KeyID: s.KeyID, Scopes: account.Scopes}
	if s.Person != nil {
		i.PersonName, i.PersonEmail = s.Person.Name, s.Person.Email
	}
	return i, nil
}

func (f *fakeSessions) EndSession(_ context.Context, hash [32]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.sessions, hash)
	return nil
}

func (f *fakeSessions) BeginSignin(_ context.Context, s account.Signin) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.attempts == nil {
		f.attempts = map[[32]byte]account.Signin{}
	}
	f.attempts[s.State] = s
	return nil
}

func (f *fakeSessions) TakeSignin(_ context.Context, state [32]byte) (*account.Signin, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.attempts[state]
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "This sign-in has expired or was already used. Start again.")
	}
	delete(f.attempts, state)
	return &s, nil
}

func (f *fakeSessions) Admit(_ context.Context, p account.Person, _ account.Plan) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.admitted = append(f.admitted, p)
	return alice, nil
}

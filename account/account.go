package account

import (
	"context"
	"time"
)

// Plan is what an account has paid for.
type Plan string

// The plans of the interface.
const (
	PlanFree     Plan = "free"
	PlanPro      Plan = "pro"
	PlanBusiness Plan = "business"
)

// Plans are all plans, the smallest first.
var Plans = []Plan{PlanFree, PlanPro, PlanBusiness}

// Role is what an account may administer.
type Role string

// The roles of the interface.
const (
	RoleMember Role = "member"
	RoleAdmin  Role = "admin"
)

// Account owns models, runs and keys. Names are unique among open accounts.
type Account struct {
	ID          string // account_…
	Name        string
	Email       string // "" where unknown
	Plan        Plan
	Role        Role
	GrantCents  int64 // given beside the plan's signup grant
	CreatedAt   time.Time
	ClosedAt    *time.Time  // nil while it is open
	Collections Collections // filled by Store.Account alone
}

// Collections counts what an account owns.
type Collections struct {
	Models, Simulations, Analyses, Runs, Backfills, Optimizers, Webhooks, Trash int
}

// Key is an API key without its secret.
type Key struct {
	ID         string // key_…
	AccountID  string
	Name       string
	Prefix     string // the secret's first eleven characters, to recognise it by
	CreatedAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// Identity is what a request's credentials resolve to.
type Identity struct {
	AccountID   string
	AccountName string
	Email       string
	Plan        Plan
	Role        Role
	KeyID       string
	KeyName     string
	Backfills   bool   // the account has one at least
	SessionID   string // "" where a key was presented
	PersonName  string // of somebody who signed in through an issuer, like PersonEmail
	PersonEmail string
}

// Store keeps accounts and keys.
type Store interface {
	// CreateAccount adds an account; fault.InvalidBody where the name is taken.
	CreateAccount(ctx context.Context, a *Account) error
	// Account returns one with its collections counted; fault.NotFound.
	Account(ctx context.Context, id string) (*Account, error)
	// AccountByName finds an open account by its exact name; fault.NotFound.
	AccountByName(ctx context.Context, name string) (*Account, error)
	// SetPlan moves an open account to a plan; fault.NotFound.
	SetPlan(ctx context.Context, id string, plan Plan) error
	// SetRole makes an open account's role another; fault.NotFound.
	SetRole(ctx context.Context, id string, role Role) error
	// CloseAccount ends an account: its keys and its work end at once, what it held
	// for that is released, and its models move to the Trash, which lets go of them
	// at purgeAt. Its billing history stays. fault.NotFound; twice is once.
	CloseAccount(ctx context.Context, id string, purgeAt time.Time) error
	// Accounts lists all, closed ones included, the newest first.
	Accounts(ctx context.Context) ([]*Account, error)
	// CreateKey adds a key under the hash of its secret.
	CreateKey(ctx context.Context, k *Key, hash [32]byte) error
	// Keys lists an account's keys that begin so, revoked ones included, the newest
	// first; "" is any account, or any beginning.
	Keys(ctx context.Context, accountID, prefix string) ([]*Key, error)
	// RevokeKey ends a key of the account at once; fault.NotFound. Twice is once.
	RevokeKey(ctx context.Context, accountID, keyID string) (*Key, error)
	// Authenticate returns the identity behind an unrevoked key's hash;
	// fault.Unauthenticated. It notes the use, to the minute.
	Authenticate(ctx context.Context, hash [32]byte) (*Identity, error)
	Sessions
}

// Sessions keeps sessions and who has signed in.
type Sessions interface {
	// CreateSession adds a session under the hash of its secret, and sets its end.
	CreateSession(ctx context.Context, s *Session, hash [32]byte) error
	// AuthenticateSession returns the identity behind a session that goes on, and
	// moves its end; fault.Unauthenticated.
	AuthenticateSession(ctx context.Context, hash [32]byte) (*Identity, error)
	// EndSession ends a session; one that is not there has ended.
	EndSession(ctx context.Context, hash [32]byte) error
	// BeginSignin keeps a sign-in until it is taken, for ten minutes.
	BeginSignin(ctx context.Context, s Signin) error
	// TakeSignin gives up the sign-in of a state, once; fault.Unauthenticated.
	TakeSignin(ctx context.Context, state [32]byte) (*Signin, error)
	// Admit finds a person's account: the one it signed in to before, else the open
	// one of its address, else a new one on a plan, where that is not "".
	// fault.Forbidden.
	Admit(ctx context.Context, p Person, plan Plan) (accountID string, err error)
}

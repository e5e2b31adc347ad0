package account

import (
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

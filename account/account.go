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

// Role is what an account may do beyond its own data.
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
	Email       string // "" if unknown
	Plan        Plan
	Role        Role
	GrantCents  int64 // credit granted on top of the plan's signup grant
	CreatedAt   time.Time
	ClosedAt    *time.Time  // nil while the account is open
	Collections Collections // only Store.Account fills it
}

// Collections counts what an account owns.
type Collections struct {
	Models, Simulations, Analyses, Runs, Backfills, Optimizers, Webhooks, Shares, Trash int
}

// Key is an API key without its secret.
type Key struct {
	ID        string // key_…
	AccountID string
	Name      string
	Prefix    string // the secret's first eleven characters, by which its owner recognises it
	Scopes    []Scope
	// DailyCapCents is the most that work started with the key may cost in a day (UTC);
	// nil if there is no cap.
	DailyCapCents *int64
	CreatedAt     time.Time
	LastUsedAt    *time.Time
	RevokedAt     *time.Time
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
	Scopes      []Scope // of the key, or of the key that began the session; all for a person
	// DailyCapCents is the key's cap, as in Key.
	DailyCapCents *int64
	Backfills     bool   // the account has at least one backfill
	SessionID     string // "" if the request has a key
	PersonName    string // who signed in through an issuer; "" for keys, as is PersonEmail
	PersonEmail   string
}

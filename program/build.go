package program

import (
	"encoding/json"
	"time"

	"ballast/backtest"
)

// Build is one attempt to build a program's implementation.
type Build struct {
	ID           string // build_…
	AccountID    string
	ProgramID    string
	Kind         string // create, rebuild, revision
	Status       RunStatus
	Script       string // "" until it is generated
	ScriptHash   string // SHA-256 of the script, hexadecimal
	InputsSchema json.RawMessage
	Prompt       string
	Generator    string // "" if the user gave the script
	Validation   json.RawMessage
	Entries      Entries // what the entries of the script's universe mean; nil until it is written, and for builds older than stored meanings
	Failure      *Failure
	Usage        *Usage
	Causality    *backtest.Causality // nil until its run was repeated with past bars only
	CreatedAt    time.Time
	FinishedAt   *time.Time
}

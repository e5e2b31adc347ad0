package program

import (
	"encoding/json"
	"time"

	"ballast/backtest"
)

// Build is one attempt to make a model's implementation.
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
	Generator    string // "" where the user gave the script
	Validation   json.RawMessage
	Entries      Entries // what the script's universe means; nil until it is written, and of builds from before meanings were kept
	Failure      *Failure
	Usage        *Usage
	Causality    *backtest.Causality // nil until its run was repeated on the past alone
	CreatedAt    time.Time
	FinishedAt   *time.Time
}

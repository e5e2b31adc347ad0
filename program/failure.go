package program

import (
	"errors"
	"fmt"

	"ballast/backtest"
)

// RunFailure ends a run because of a fault of its own.
type RunFailure struct {
	Failure   Failure
	Usage     Usage
	Causality *backtest.Causality
}

func (f *RunFailure) Error() string { return f.Failure.Type + ": " + f.Failure.Message }

// CycleFailure ends a run whose members have come to hold its model.
var CycleFailure = Failure{
	Type:    "data_error",
	Message: "A member has come to hold this model while it was run, so this model cannot hold it. Name another member.",
}

// DataError ends a run whose members or bars cannot be used.
func DataError(format string, args ...any) error {
	return &RunFailure{Failure: Failure{Type: "data_error", Message: fmt.Sprintf(format, args...)}}
}

// ErrMembersPending says that a run waits for a member: for the first result of a
// model, or for the first bars of an asset.
var ErrMembersPending = errors.New("a member has no history yet")

// ErrAccountBusy says that a run waits for others of its account to end.
var ErrAccountBusy = errors.New("the account has as many runs in progress as its plan allows")

package backtest

import (
	"fmt"

	"ballast/timeseries"
)

// DecisionError says that a decision could not be taken or followed: the
// decider failed, or a target is not a number or on a member without a bar yet.
type DecisionError struct {
	Date timeseries.Date // the decision session
	Key  string          // the member, "" where it is about none
	Err  error
}

// Error names date and member.
func (e *DecisionError) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("%s: %v", e.Date, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Date, e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *DecisionError) Unwrap() error { return e.Err }

// ViewError says that a repetition of a run showed its decider something else of
// a member than the run did on the same session.
type ViewError struct {
	Key         string  // the member
	Whole, Past float64 // the last value shown, or how many there were
}

// Error names the member.
func (e *ViewError) Error() string {
	return fmt.Sprintf("%s was shown as %v, and before as %v", e.Key, e.Past, e.Whole)
}

// StartError says that the model cannot start on these bars: members without
// any, a start date after the last one, or no decision ever filled.
type StartError struct {
	Keys    []string // the members that are missing, where it is about members
	Message string
}

// Error is the message, which names what is missing.
func (e *StartError) Error() string { return e.Message }

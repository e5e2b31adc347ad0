package backtest

import (
	"fmt"

	"ballast/timeseries"
)

// DecisionError says that a decision failed: the decider returned an error, or a
// target is not finite or is for a member that has no bar yet.
type DecisionError struct {
	Date timeseries.Date // the decision session
	Key  string          // the member, or ""
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

// ViewError says that a repetition of a run showed its decider a different value of a
// member than the run did on the same session.
type ViewError struct {
	Key         string  // the member
	Whole, Past float64 // the last value shown, or the number of values
}

// Error names the member.
func (e *ViewError) Error() string {
	return fmt.Sprintf("%s was shown as %v, but as %v in the whole run", e.Key, e.Past, e.Whole)
}

// StartError says that the model cannot start on these bars: members have none, the
// start date is after the last one, or no decision was filled.
type StartError struct {
	Keys    []string // the members without bars, if they are the reason
	Message string
}

// Error returns the message.
func (e *StartError) Error() string { return e.Message }

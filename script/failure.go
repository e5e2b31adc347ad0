package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ballast/backtest"
)

// RunErrorType says why a run failed.
type RunErrorType string

// The types of run errors.
const (
	ScriptError   RunErrorType = "script_error"
	MemoryLimit   RunErrorType = "memory_limit"
	TimeLimit     RunErrorType = "time_limit"
	StepLimit     RunErrorType = "step_limit"
	DataError     RunErrorType = "data_error"
	InternalError RunErrorType = "internal"
)

// RunError is the end of a run by the script's fault, by its data or by a limit.
type RunError struct {
	Type      RunErrorType
	Message   string        // public
	Line      int           // in the script, 0 where it is about none
	Date      string        // the decision session, YYYY-MM-DD, "" outside of decisions
	Traceback string        // in the script's own lines, "" without
	CPU       time.Duration // processor time that the run took, as far as it is known
}

// Error gives type, date, line and message.
func (e *RunError) Error() string {
	at := ""
	if e.Date != "" {
		at = " on " + e.Date
	}
	if e.Line > 0 {
		at += fmt.Sprintf(" in line %d", e.Line)
	}
	return fmt.Sprintf("%s%s: %s", e.Type, at, e.Message)
}

// AsRunError turns an error of NewRunner or of backtest.Run with a Runner into
// the run error that it stands for; what is neither the script's nor the data's
// is internal.
func AsRunError(err error) *RunError {
	var run *RunError
	if errors.As(err, &run) {
		return run
	}
	var decision *backtest.DecisionError
	if errors.As(err, &decision) {
		message := decision.Err.Error()
		if decision.Key != "" {
			message = decision.Key + ": " + message
		}
		return &RunError{Type: ScriptError, Message: message, Date: decision.Date.String()}
	}
	var start *backtest.StartError
	if errors.As(err, &start) {
		return &RunError{Type: DataError, Message: start.Message}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &RunError{Type: TimeLimit, Message: "the run took longer than its time limit"}
	}
	return &RunError{Type: InternalError, Message: "the run failed for a reason of the service's own"}
}

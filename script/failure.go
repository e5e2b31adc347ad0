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

// RunError says why a run ended early: because of the script, its data or a
// limit.
type RunError struct {
	Type      RunErrorType
	Message   string        // public
	Line      int           // in the script, or 0 if the error is not about a line
	Date      string        // the decision session, YYYY-MM-DD, or "" outside decide
	Traceback string        // the lines of the script that were running, or ""
	CPU       time.Duration // processor time of the run, if known
}

// Error returns type, date, line and message.
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

// AsRunError converts an error of NewRunner, or of backtest.Run with a Runner,
// into a run error. An error that neither the script nor its data caused
// becomes InternalError.
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
	return &RunError{Type: InternalError, Message: "the run failed because of an error in the service, not in the script"}
}

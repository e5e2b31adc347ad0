// Package fault defines the error type for everything that a caller may see.
//
// A fault has a public type and message and, optionally, details that point at what is
// wrong. The wrapped cause is only logged.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Type says why a request was refused; api maps each to its HTTP status.
type Type string

// The error types of the interface.
const (
	MalformedRequest    Type = "malformed_request"
	Unauthenticated     Type = "unauthenticated"
	InsufficientFunds   Type = "insufficient_funds"
	Forbidden           Type = "forbidden"
	PlanRequired        Type = "plan_required"
	NotFound            Type = "not_found"
	NoHistory           Type = "no_history"
	MethodNotAllowed    Type = "method_not_allowed"
	NotAcceptable       Type = "not_acceptable"
	PayloadTooLarge     Type = "payload_too_large"
	HeadTooLarge        Type = "head_too_large"
	UnsupportedMedia    Type = "unsupported_media_type"
	NotReady            Type = "not_ready"
	TrashDependencies   Type = "trash_dependencies"
	ModelBusy           Type = "model_busy"
	ModelHeld           Type = "model_held"
	ModelBackfills      Type = "model_backfills_symbol"
	OptimizerInUse      Type = "optimizer_in_use"
	RebuildConflict     Type = "rebuild_conflict"
	RunConflict         Type = "run_conflict"
	NotPromotable       Type = "not_promotable"
	RunLive             Type = "run_live"
	RunInFlight         Type = "run_in_flight"
	RunIncomplete       Type = "run_incomplete"
	ScriptChanged       Type = "script_changed"
	AlreadyDefault      Type = "already_default"
	DraftConflict       Type = "draft_conflict"
	BaseChanged         Type = "base_changed"
	NotApplicable       Type = "not_applicable"
	SymbolTaken         Type = "symbol_taken"
	IdempotencyMismatch Type = "idempotency_mismatch"
	IdempotencyProgress Type = "idempotency_in_progress"
	InvalidParameter    Type = "invalid_parameter"
	InvalidBody         Type = "invalid_body"
	InvalidScript       Type = "invalid_script"
	InvalidInputs       Type = "invalid_inputs"
	UnknownTag          Type = "unknown_tag"
	UnknownMember       Type = "unknown_member"
	InvalidQuery        Type = "invalid_query"
	QueryMemory         Type = "query_memory_limit"
	QueryTime           Type = "query_time_limit"
	QueryRows           Type = "query_row_limit"
	ReferenceCycle      Type = "reference_cycle"
	DailyRunLimit       Type = "daily_run_limit"
	RateLimited         Type = "rate_limited"
	Internal            Type = "internal"
	Unavailable         Type = "unavailable"
)

// Detail points at one thing that is wrong. The domain names a field of the request,
// or a stored thing and a field of it. The interface turns these names into a
// location, since it alone knows which part of a request a field is in.
type Detail struct {
	Of         string   `json:"-"`        // the stored thing that is wrong: draft, run, account; "" for the request
	Field      string   `json:"-"`        // a field of it: inputs.lookback, end_date, model
	Location   string   `json:"location"` // where: body.inputs.lookback, query.limit, script, path.model
	Message    string   `json:"message"`
	Rule       string   `json:"rule,omitempty"`       // id of the rule of the script contract
	Line       int      `json:"line,omitempty"`       // line in the script, from 1
	Column     int      `json:"column,omitempty"`     // column in the script, from 1
	Accepted   []string `json:"accepted,omitempty"`   // what would have been accepted
	Suggestion string   `json:"suggestion,omitempty"` // the nearest accepted value
}

// Error is what a caller may see. Message says what to do next; Err is only logged.
type Error struct {
	Type    Type
	Message string
	Details []Detail
	Wait    time.Duration // time after which the same request may succeed, 0 if unknown
	Err     error
}

// Error returns type, message and cause, for logs.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Type, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Type, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes a fault; the message is public.
func New(t Type, format string, args ...any) *Error {
	return &Error{Type: t, Message: fmt.Sprintf(format, args...)}
}

// Missing returns the error for something that the caller may not read or that does not
// exist. The sentence is the same in both cases, so that nobody learns which it is.
// kind is a noun, such as "model", and ref is what the caller has sent.
func Missing(kind, ref string) *Error {
	return New(NotFound, "There is no %s %q that you may read. Check the reference, or list yours.", kind, ref)
}

// AsMissing replaces a NotFound in err's chain by Missing, because the NotFound may name
// the thing differently than the caller did.
func AsMissing(err error, kind, ref string) error {
	if err != nil && TypeOf(err) == NotFound {
		return Missing(kind, ref)
	}
	return err
}

// With adds details to e and returns it.
func (e *Error) With(d ...Detail) *Error {
	e.Details = append(e.Details, d...)
	return e
}

// Name returns the name of what is wrong: run.inputs.lookback for a field of a stored
// run, inputs.lookback for a field of the request.
func (d *Detail) Name() string {
	if d.Of != "" && d.Field != "" {
		return d.Of + "." + d.Field
	}
	return d.Of + d.Field
}

// Within says that the fields that a fault names belong to a stored thing instead of
// the request. If thing is "", each field is itself the stored thing.
func Within(thing string, err error) error {
	var f *Error
	if !errors.As(err, &f) {
		return err
	}
	for i := range f.Details {
		switch d := &f.Details[i]; {
		case d.Of != "" || d.Field == "":
		case thing == "":
			d.Of, d.Field = d.Field, ""
		default:
			d.Of = thing
		}
	}
	return err
}

// After sets the time after which the same request may succeed, and returns e.
func (e *Error) After(wait time.Duration) *Error {
	e.Wait = wait
	return e
}

// Wrap sets the cause, which is logged and never sent, and returns e.
func (e *Error) Wrap(err error) *Error {
	e.Err = err
	return e
}

// TypeOf returns the type of the first fault in err's chain, or Internal.
func TypeOf(err error) Type {
	var f *Error
	if errors.As(err, &f) {
		return f.Type
	}
	return Internal
}

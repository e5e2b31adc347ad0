package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"ballast/api/transport"
	"ballast/api/web"
	"ballast/internal/fault"
)

// refusal is one row of the error table.
type refusal struct {
	Type    fault.Type
	Status  int
	Meaning string // for the reference page
}

// refusals is the table of errors, in the order of the reference page. It alone
// decides which status a fault type has.
var refusals = []refusal{
	{fault.MalformedRequest, http.StatusBadRequest, "The body is not JSON, or the URL is malformed. Details give the position."},
	{fault.Unauthenticated, http.StatusUnauthorized, "The key is missing, unknown or revoked."},
	{fault.InsufficientFunds, http.StatusPaymentRequired, "The work would hold more than the account, or the daily cap of the key, still allows. Nothing has started."},
	{fault.Forbidden, http.StatusForbidden, "The caller may not do this, or the key lacks a scope that the operation needs."},
	{fault.PlanRequired, http.StatusForbidden, "The account's plan does not include this, or a quota is used up; for a quota, details say how much is used."},
	{fault.NotFound, http.StatusNotFound, "Nothing with this name exists that the caller may read."},
	{fault.NoHistory, http.StatusNotFound, "The model or asset has no history yet."},
	{fault.MethodNotAllowed, http.StatusMethodNotAllowed, "The path does not support this method; the Allow header lists the methods that it supports."},
	{fault.NotAcceptable, http.StatusNotAcceptable, "The Accept-Encoding header refuses every encoding that the service offers."},
	{fault.PayloadTooLarge, http.StatusRequestEntityTooLarge, "The body is larger than 1 MiB."},
	{fault.UnsupportedMedia, http.StatusUnsupportedMediaType, "The body is not application/json."},
	{fault.HeadTooLarge, http.StatusRequestHeaderFieldsTooLarge, "The URL and the headers together are larger than 64 KiB. Above 128 KiB the response is plain text and the connection is closed."},
	{fault.NotReady, http.StatusConflict, "The model has not been built yet."},
	{fault.TrashDependencies, http.StatusConflict, "Member models are in the Trash; restore them first."},
	{fault.ModelBusy, http.StatusConflict, "Work on the model is in progress."},
	{fault.ModelHeld, http.StatusConflict, "An active model holds the model."},
	{fault.ModelBackfills, http.StatusConflict, "A backfill reads the model."},
	{fault.OptimizerInUse, http.StatusConflict, "A model's script names the optimizer; details name the models."},
	{fault.RebuildConflict, http.StatusConflict, "A build of the model is in progress."},
	{fault.RunConflict, http.StatusConflict, "A default run or a rebuild of the model is in progress; wait until it ends."},
	{fault.NotPromotable, http.StatusConflict, "The run cannot become the default."},
	{fault.RunLive, http.StatusConflict, "The model serves the run."},
	{fault.RunInFlight, http.StatusConflict, "The run has not ended."},
	{fault.RunIncomplete, http.StatusConflict, "The run did not complete."},
	{fault.ScriptChanged, http.StatusConflict, "The script has changed beyond its default inputs since the run."},
	{fault.AlreadyDefault, http.StatusConflict, "The run already uses the defaults."},
	{fault.DraftConflict, http.StatusConflict, "The draft or the strategy has changed since it was read. Details name the outdated field and the accepted value."},
	{fault.BaseChanged, http.StatusConflict, "The model no longer serves the strategy that the draft started from."},
	{fault.NotApplicable, http.StatusConflict, "The revision cannot be applied, because it has no successful test whose result still exists, or it cannot be labelled."},
	{fault.SymbolTaken, http.StatusConflict, "Another model of the account has the symbol."},
	{fault.IdempotencyMismatch, http.StatusConflict, "The Idempotency-Key was used for another request."},
	{fault.IdempotencyProgress, http.StatusConflict, "The first request with the Idempotency-Key is still in progress. Retry-After gives the seconds to wait."},
	{fault.InvalidParameter, http.StatusUnprocessableEntity, "A parameter is unknown, out of bounds or of the wrong type. Details name what is accepted."},
	{fault.InvalidBody, http.StatusUnprocessableEntity, "A body field is unknown, missing, out of bounds or of the wrong type. Details name what is accepted."},
	{fault.InvalidScript, http.StatusUnprocessableEntity, "The script breaks the contract. Details give every problem with rule, line and column."},
	{fault.InvalidInputs, http.StatusUnprocessableEntity, "The inputs do not fit the model's inputs_schema. Details name the accepted keys."},
	{fault.UnknownTag, http.StatusUnprocessableEntity, "A tag is not in the vocabulary."},
	{fault.UnknownMember, http.StatusUnprocessableEntity, "A member is neither an asset nor one of the caller's models."},
	{fault.ReferenceCycle, http.StatusUnprocessableEntity, "A model would hold itself."},
	{fault.InvalidQuery, http.StatusUnprocessableEntity, "The SQL statement cannot be executed. Details give the position, and the available tables or functions."},
	{fault.QueryMemory, http.StatusUnprocessableEntity, "The statement needs more memory or temporary files than a statement may use."},
	{fault.QueryTime, http.StatusUnprocessableEntity, "The statement takes longer than a statement may take."},
	{fault.QueryRows, http.StatusUnprocessableEntity, "The result has more rows than a result may have."},
	{fault.DailyRunLimit, http.StatusTooManyRequests, "The account has used all its manual runs for the day. Retry-After gives the seconds until midnight UTC."},
	{fault.RateLimited, http.StatusTooManyRequests, "Too many requests, or a daily quota is used up. Retry-After gives the seconds to wait."},
	{fault.Internal, http.StatusInternalServerError, "The server failed. Quote the request id."},
	{fault.Unavailable, http.StatusServiceUnavailable, "A part of the service cannot be reached. Retry-After gives the seconds to wait."},
}

// statusOf returns the HTTP status of a fault type. A type that the table does not
// contain is an internal error.
func statusOf(t fault.Type) int {
	for i := range refusals {
		if refusals[i].Type == t {
			return refusals[i].Status
		}
	}
	return http.StatusInternalServerError
}

// errorRows converts the table for the reference page.
func errorRows() []web.ErrorRow {
	rows := make([]web.ErrorRow, len(refusals))
	for i, r := range refusals {
		rows[i] = web.ErrorRow(r)
	}
	return rows
}

// errorBody is the shape of every error response.
type errorBody struct {
	Error errorContent `json:"error"`
}

type errorContent struct {
	Type      string         `json:"type" doc:"Why the request was refused" example:"invalid_parameter"`
	Message   string         `json:"message" doc:"What to do next"`
	RequestID string         `json:"request_id" doc:"Quote it when reporting a failure"`
	Details   []fault.Detail `json:"details" doc:"All problems, if there are several"`
}

// refused is an error with its status, headers and body, which huma writes unchanged.
type refused struct {
	status  int
	headers http.Header
	body    errorBody
}

// Error implements error.
func (r *refused) Error() string { return r.body.Error.Type + ": " + r.body.Error.Message }

// GetStatus implements huma.StatusError.
func (r *refused) GetStatus() int { return r.status }

// ContentType implements huma.ContentTypeFilter: errors are always JSON, whatever
// format the operation answers in.
func (r *refused) ContentType(string) string { return transport.MediaJSON }

// GetHeaders implements huma.HeadersError.
func (r *refused) GetHeaders() http.Header { return r.headers }

// MarshalJSON writes the body only.
func (r *refused) MarshalJSON() ([]byte, error) { return json.Marshal(r.body) }

// refuse converts any error to what the caller sees. An error that is not a fault is
// an internal error: it is logged, and the caller learns nothing about it.
func (s *Server) refuse(ctx context.Context, err error) *refused {
	x := exchangeOf(ctx)
	var f *fault.Error
	switch {
	case errors.As(err, &f):
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f = fault.New(fault.Unavailable, "The request was canceled before the response was ready. Send it again.").Wrap(err)
	default:
		f = fault.New(fault.Internal, "The server failed on this request. The failure is logged with the request id; quote that when you report it.").Wrap(err)
	}
	r := &refused{status: statusOf(f.Type), headers: http.Header{}, body: errorBody{Error: errorContent{
		Type: string(f.Type), Message: transport.Cut(f.Message), RequestID: x.id, Details: transport.BoundedDetails(x.located(f.Details)),
	}}}
	if r.body.Error.Details == nil {
		r.body.Error.Details = []fault.Detail{}
	}
	x.refused = f.Type
	switch {
	case r.status == http.StatusUnauthorized:
		r.headers.Set("WWW-Authenticate", "Bearer")
	case r.status == http.StatusTooManyRequests, r.status == http.StatusServiceUnavailable, f.Type == fault.IdempotencyProgress:
		r.headers.Set("Retry-After", strconv.Itoa(s.retryAfter(f.Type, max(x.wait, f.Wait))))
	}
	if r.status >= http.StatusInternalServerError {
		s.log.ErrorContext(ctx, "request failed", "request_id", x.id, "route", x.route, "error", err)
	}
	return r
}

// retryAfter returns how many seconds a caller should wait.
func (s *Server) retryAfter(t fault.Type, wait time.Duration) int {
	if t != fault.DailyRunLimit {
		return wholeSeconds(wait)
	}
	now := s.now().UTC()
	midnight := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	return int(midnight.Sub(now).Seconds()) + 1
}

// writeRefusal writes an error outside of an operation: for unknown routes and
// panics.
func (s *Server) writeRefusal(w http.ResponseWriter, ctx context.Context, err error) { //nolint:revive // the writer comes first, as in net/http
	r := s.refuse(ctx, err)
	body, encodeErr := json.Marshal(r.body)
	if encodeErr != nil { // strings and numbers alone always encode
		panic(fmt.Sprintf("encode error body: %v", encodeErr))
	}
	for name, values := range r.headers {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	_, _ = w.Write(append(body, '\n'))
}

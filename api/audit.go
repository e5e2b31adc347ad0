package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"ballast/account"
	"ballast/api/transport"
	"ballast/audit"
	"ballast/internal/fault"
)

// auditBody is one recorded change.
type auditBody struct {
	ID        string         `json:"id"`
	At        time.Time      `json:"at"`
	AccountID *string        `json:"account_id" doc:"The account whose data changed; null for a change to the service itself"`
	Actor     string         `json:"actor" enum:"key,session,operator,visitor" doc:"Who made the change: a key, a session, an operator, or a visitor who was not signed in"`
	ActorID   *string        `json:"actor_id" doc:"Id of the key or session"`
	Address   *string        `json:"address" doc:"Network address that the request came from"`
	RequestID *string        `json:"request_id"`
	Operation string         `json:"operation" doc:"Id of the operation, or the operator's command"`
	Targets   []string       `json:"targets" doc:"Ids of what was changed, and the names that the request used"`
	Before    map[string]any `json:"before" doc:"Former values, by field"`
	After     map[string]any `json:"after" doc:"New values, by field"`
}

type auditInput struct {
	PageParameters
	Since   transport.Optional[time.Time] `query:"start_date" doc:"Changes from this time on, inclusive"`
	Until   transport.Optional[time.Time] `query:"end_date" doc:"Changes before this time, exclusive"`
	Account string                        `query:"account" maxLength:"64" doc:"Administrators only: another account's id, or all"`
}

type auditOutput struct{ Body pageBody[auditBody] }

func (s *Server) registerAudit() {
	if s.Audit == nil {
		return
	}
	register(s, route{
		method: http.MethodGet, path: "/v1/account/audit", id: "list-audit", tag: tagAccount, status: http.StatusOK,
		summary: "List changes", faults: []fault.Type{fault.Forbidden},
		description: "Lists who changed what in the account, newest first. Administrators may read the entries of other accounts, which contain no amounts.",
	}, s.listAudit)
}

func (s *Server) listAudit(ctx context.Context, in *auditInput) (*auditOutput, error) {
	i := exchangeOf(ctx).identity
	filter := audit.Filter{AccountID: i.AccountID, Since: in.Since.Pointer(), Until: in.Until.Pointer(), Limit: in.Limit, Offset: in.Offset}
	if in.Account != "" && in.Account != i.AccountID {
		if i.Role != account.RoleAdmin {
			return nil, fault.New(fault.Forbidden, "Only administrators can read the changes of other accounts. Leave out the parameter account.")
		}
		filter.AccountID = in.Account
		if in.Account == "all" {
			filter.AccountID = ""
		}
	}
	entries, total, err := s.Audit.Entries(ctx, filter)
	if err != nil {
		return nil, err
	}
	return &auditOutput{pageOf(entries, total, auditBodyOf)}, nil
}

func auditBodyOf(e *audit.Entry) auditBody {
	b := auditBody{
		ID: e.ID, At: e.At.UTC(), AccountID: textOrNull(e.AccountID), Actor: string(e.Actor), ActorID: textOrNull(e.ActorID),
		Address: textOrNull(e.Address), RequestID: textOrNull(e.RequestID), Operation: e.Operation, Targets: listed(e.Targets),
		Before: mapped(e.Before), After: mapped(e.After),
	}
	if e.Actor == audit.Operator {
		b.ActorID = nil // an operator's login name stays private
	}
	return b
}

// beginNote adds to the context who is about to change something.
func (s *Server) beginNote(ctx context.Context, r route) (context.Context, *audit.Note) {
	if s.Audit == nil || r.reads || r.method == http.MethodGet {
		return ctx, nil
	}
	x := exchangeOf(ctx)
	e := audit.Entry{Actor: audit.Visitor, Address: x.address.String(), RequestID: x.id, Operation: r.id}
	if !x.address.IsValid() {
		e.Address = ""
	}
	for _, name := range slices.Sorted(maps.Keys(x.variables)) {
		e.Targets = append(e.Targets, x.variables[name])
	}
	if i := x.identity; i != nil {
		e.AccountID, e.Actor, e.ActorID = i.AccountID, audit.Key, i.KeyID
		if i.SessionID != "" {
			e.Actor, e.ActorID = audit.Session, i.SessionID
		}
	}
	return audit.With(ctx, e)
}

// endNote records a change that no transaction has recorded, before the caller gets
// the response.
func (s *Server) endNote(ctx context.Context, note *audit.Note, err error) {
	if note == nil || err != nil || note.Written() {
		return
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.Audit.Record(after, note); err != nil {
		s.log.ErrorContext(ctx, "change not recorded", "request_id", exchangeOf(ctx).id, "error", err)
	}
}

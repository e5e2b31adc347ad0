package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/backfills"
)

// BackfillParameter names a backfill.
type BackfillParameter struct {
	Backfill string `path:"backfill" minLength:"1" doc:"Id, or the symbol of its asset"`
}

type createBackfillInput struct {
	Body struct {
		Symbol  string         `json:"symbol" minLength:"1" doc:"The asset's symbol"`
		Sources []SourceFields `json:"sources" minItems:"1" maxItems:"5" doc:"Proxies in order: the first ends where the asset's own bars begin, and each further one ends where the previous one begins"`
	} `nameHint:"BackfillCreate"`
}

type patchBackfillInput struct {
	BackfillParameter
	Body backfillPatchFields `nameHint:"BackfillPatch"`
}

// backfillPatchFields accept a backfill as a read returns it. Fields that the service
// computes are ignored.
type backfillPatchFields struct {
	Sources   []readSourceFields `json:"sources,omitempty" minItems:"1" maxItems:"5" doc:"The complete list; if left out, the existing sources are fitted again"`
	Symbol    string             `json:"symbol,omitempty" doc:"The asset's symbol; it cannot change"`
	ID        json.RawMessage    `json:"id,omitempty" readOnly:"true" doc:"Ignored"`
	Version   json.RawMessage    `json:"version,omitempty" readOnly:"true" doc:"Ignored"`
	Tracking  json.RawMessage    `json:"tracking,omitempty" readOnly:"true" doc:"Ignored"`
	Spliced   json.RawMessage    `json:"spliced,omitempty" readOnly:"true" doc:"Ignored"`
	CreatedAt json.RawMessage    `json:"created_at,omitempty" readOnly:"true" doc:"Ignored"`
	UpdatedAt json.RawMessage    `json:"updated_at,omitempty" readOnly:"true" doc:"Ignored"`
}

// readSourceFields accept a source as a read returns it.
type readSourceFields struct {
	SourceFields
	Kind     string          `json:"kind,omitempty" enum:"asset,model" doc:"As a read returns it; for a model, symbol is ignored"`
	RunID    json.RawMessage `json:"run_id,omitempty" readOnly:"true" doc:"Ignored: the live run is used"`
	Name     json.RawMessage `json:"name,omitempty" readOnly:"true" doc:"Ignored"`
	Scale    json.RawMessage `json:"scale,omitempty" readOnly:"true" doc:"Ignored: the scale is fitted"`
	Basis    json.RawMessage `json:"basis,omitempty" readOnly:"true" doc:"Ignored"`
	Expense  json.RawMessage `json:"expense,omitempty" readOnly:"true" doc:"Ignored"`
	Drag     json.RawMessage `json:"drag,omitempty" readOnly:"true" doc:"Ignored"`
	Tracking json.RawMessage `json:"tracking,omitempty" readOnly:"true" doc:"Ignored"`
}

// sourceFields strips a source that was read to what can be requested.
func (f readSourceFields) sourceFields() SourceFields {
	s := f.SourceFields
	if f.Kind == string(program.MemberModel) {
		s.Symbol = ""
	}
	return s
}

// SourceFields name a proxy and how its returns become the asset's.
type SourceFields struct {
	Symbol            string   `json:"symbol,omitempty" doc:"An asset; either this or model"`
	Model             string   `json:"model,omitempty" doc:"One of your models, by id, symbol or exact name"`
	Method            string   `json:"method" enum:"raw,scaled,beta" doc:"How the proxy's returns are scaled. raw: unchanged. scaled: by the ratio of the leverages or, if they are equal, by the ratio of the volatilities. beta: by the slope of a regression. Volatilities and slopes need 63 common sessions"`
	ExpenseAdjust     bool     `json:"expense_adjust,omitempty" default:"false" doc:"Subtract the amount by which the asset's expense ratio exceeds the proxy's, from the catalog"`
	ExpenseDifference *float64 `json:"expense_difference,omitempty" minimum:"-1" maximum:"1" doc:"With expense_adjust: the annual difference to subtract instead of the catalog's"`
	FinancingRate     *float64 `json:"financing_rate,omitempty" minimum:"-0.5" maximum:"1" doc:"Annual rate for borrowing and for cash: (scale − 1) times this rate is subtracted"`
}

// backfillBody is the current version of a backfill.
type backfillBody struct {
	ID        string            `json:"id"`
	Symbol    string            `json:"symbol"`
	Version   int               `json:"version" doc:"A version never changes; a run pins the version that it read"`
	Sources   []sourceBody      `json:"sources"`
	Tracking  backfill.Tracking `json:"tracking" doc:"How well the first source tracks the asset, when the version was made"`
	Spliced   []backfill.Splice `json:"spliced" doc:"The spans that the sources provide, earliest first, when the version was made"`
	CreatedAt time.Time         `json:"created_at"`
	UpdatedAt time.Time         `json:"updated_at" doc:"When the version was made"`
}

// sourceBody is a proxy with its fitted terms.
type sourceBody struct {
	Kind              string            `json:"kind" enum:"asset,model"`
	Symbol            string            `json:"symbol"`
	Model             string            `json:"model,omitempty" doc:"Id of the model, if the proxy is one"`
	RunID             string            `json:"run_id,omitempty" doc:"The model's run that is used: its live run when the version was made"`
	Name              string            `json:"name"`
	Method            string            `json:"method" enum:"raw,scaled,beta"`
	ExpenseAdjust     bool              `json:"expense_adjust"`
	ExpenseDifference *float64          `json:"expense_difference"`
	FinancingRate     *float64          `json:"financing_rate"`
	Scale             float64           `json:"scale" doc:"What the proxy's returns are multiplied by"`
	Basis             string            `json:"basis" enum:"one,leverage,volatility,regression" doc:"Where the scale comes from"`
	Expense           float64           `json:"expense" doc:"Expenses subtracted, as an annual fraction"`
	Drag              float64           `json:"drag" doc:"Expenses and financing subtracted per session, as a fraction"`
	Tracking          backfill.Tracking `json:"tracking" doc:"How well the proxy tracks the asset on their common sessions"`
}

type backfillOutput struct{ Body backfillBody }

type backfillsOutput struct{ Body pageBody[backfillBody] }

func (s *Server) registerBackfills() {
	fitted := []fault.Type{fault.UnknownMember, fault.ReferenceCycle, fault.NotReady}
	register(s, route{
		method: http.MethodPost, path: "/v1/backfills", id: "create-backfill", tag: tagAssets, status: http.StatusCreated,
		summary:     "Create a backfill",
		description: "Puts the returns of proxies before an asset's first bar, in your asset histories and in your models' runs. The terms are fitted now, on the stored bars, and stay the same until the backfill is changed. Your models that hold the asset and refresh automatically are queued. An asset can have one backfill.",
		faults:      append([]fault.Type{fault.SymbolTaken}, fitted...),
	}, s.createBackfill)
	register(s, route{
		method: http.MethodGet, path: "/v1/backfills", id: "list-backfills", tag: tagAssets, status: http.StatusOK,
		summary: "List backfills", description: "Lists your backfills, newest first.",
	}, s.listBackfills)
	register(s, route{
		method: http.MethodGet, path: "/v1/backfills/{backfill}", id: "get-backfill", tag: tagAssets, status: http.StatusOK,
		summary: "Read a backfill", description: "Returns a backfill with its fitted terms and how well each proxy tracks the asset.", faults: []fault.Type{fault.NotFound},
	}, s.getBackfill)
	register(s, route{
		method: http.MethodPatch, path: "/v1/backfills/{backfill}", id: "patch-backfill", tag: tagAssets, status: http.StatusOK,
		summary:     "Change or refit a backfill",
		description: "Fits the terms again on the bars that are stored now, with new sources if any are given; models among the sources are read at their current live runs. A backfill as a read returns it is accepted: fields that the service computes are ignored. If the result differs, it becomes a new version, and models that hold the asset and refresh automatically are queued; otherwise nothing changes.",
		faults:      append([]fault.Type{fault.NotFound}, fitted...),
	}, s.patchBackfill)
	register(s, route{
		method: http.MethodDelete, path: "/v1/backfills/{backfill}", id: "delete-backfill", tag: tagAssets, status: http.StatusOK,
		summary:     "Delete a backfill",
		description: "Leaves the asset with its own bars only. Models that hold it and refresh automatically are queued. Runs that have read the backfill keep their results.",
		faults:      []fault.Type{fault.NotFound},
	}, s.deleteBackfill)
}

func (s *Server) createBackfill(ctx context.Context, in *createBackfillInput) (*backfillOutput, error) {
	return backfillAnswer(s.Backfills.Create(ctx, accountOf(ctx), in.Body.Symbol, sourceRequests(in.Body.Sources)))
}

func (s *Server) listBackfills(ctx context.Context, in *PageParameters) (*backfillsOutput, error) {
	list, total, err := s.Backfills.Backfills(ctx, accountOf(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &backfillsOutput{pageOf(list, total, backfillBodyOf)}, nil
}

func (s *Server) getBackfill(ctx context.Context, in *BackfillParameter) (*backfillOutput, error) {
	return backfillAnswer(s.Backfills.Backfill(ctx, accountOf(ctx), in.Backfill))
}

func (s *Server) patchBackfill(ctx context.Context, in *patchBackfillInput) (*backfillOutput, error) {
	if symbol := in.Body.Symbol; symbol != "" {
		b, err := s.Backfills.Backfill(ctx, accountOf(ctx), in.Backfill)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(symbol, b.Symbol) {
			return nil, fault.New(fault.InvalidBody, "The asset of a backfill cannot be changed; this one is for %s. Create another backfill for %s.", b.Symbol, symbol).
				With(fault.Detail{Location: "body.symbol", Message: "cannot be changed", Accepted: []string{b.Symbol}})
		}
	}
	var sources []SourceFields
	for _, f := range in.Body.Sources {
		sources = append(sources, f.sourceFields())
	}
	return backfillAnswer(s.Backfills.Revise(ctx, accountOf(ctx), in.Backfill, sourceRequests(sources)))
}

func (s *Server) deleteBackfill(ctx context.Context, in *BackfillParameter) (*deletedOutput, error) {
	backfillID, err := s.Backfills.Delete(ctx, accountOf(ctx), in.Backfill)
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: backfillID, Deleted: true}}, nil
}

func backfillAnswer(b *backfills.Backfill, err error) (*backfillOutput, error) {
	if err != nil {
		return nil, err
	}
	return &backfillOutput{backfillBodyOf(b)}, nil
}

// sourceRequests returns nil if no sources are given.
func sourceRequests(fields []SourceFields) []backfills.SourceRequest {
	if fields == nil {
		return nil
	}
	requests := make([]backfills.SourceRequest, len(fields))
	for i, f := range fields {
		requests[i] = backfills.SourceRequest{
			Symbol: f.Symbol, Model: f.Model, Method: backfill.Method(f.Method), ExpenseAdjust: f.ExpenseAdjust,
			ExpenseDifference: f.ExpenseDifference, FinancingRate: f.FinancingRate,
		}
	}
	return requests
}

func backfillBodyOf(b *backfills.Backfill) backfillBody {
	body := backfillBody{
		ID: b.ID, Symbol: b.Symbol, Version: b.Version, Sources: make([]sourceBody, len(b.Sources)),
		Spliced: listed(b.Spliced), CreatedAt: b.CreatedAt.UTC(), UpdatedAt: b.UpdatedAt.UTC(),
	}
	for i, p := range b.Sources {
		body.Sources[i] = sourceBody{
			Kind: string(p.Kind), Symbol: p.Symbol, RunID: p.RunID, Name: p.Name, Method: string(p.Method),
			ExpenseAdjust: p.ExpenseAdjust, ExpenseDifference: p.ExpenseDifference, FinancingRate: p.FinancingRate,
			Scale: p.Scale, Basis: string(p.Basis), Expense: p.Expense, Drag: p.Drag, Tracking: p.Tracking,
		}
		if p.Kind == program.MemberModel {
			body.Sources[i].Model = p.ID
		}
	}
	if len(b.Sources) > 0 {
		body.Tracking = b.Sources[0].Tracking
	}
	return body
}

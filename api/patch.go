package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/timeseries"
)

// field is a field of a patch: left out, null, or a value.
type field[T any] struct {
	Given bool
	Value *T // nil for null
}

// Schema implements huma.SchemaProvider.
func (f field[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// UnmarshalJSON implements json.Unmarshaler. It is called for null too.
func (f *field[T]) UnmarshalJSON(text []byte) error {
	f.Given = true
	return json.Unmarshal(text, &f.Value)
}

// change converts a field that cannot be cleared: null leaves the value as it is.
func (f field[T]) change() program.Change[T] {
	if f.Value == nil {
		return program.Change[T]{}
	}
	return program.Change[T]{Given: true, To: *f.Value}
}

// clearing converts a field that null resets to its zero value.
func (f field[T]) clearing() program.Change[T] {
	c := f.change()
	c.Given = f.Given
	return c
}

// pointer converts a field that null clears.
func (f field[T]) pointer() program.Change[*T] {
	return program.Change[*T]{Given: f.Given, To: f.Value}
}

type patchModelInput struct {
	Body modelPatchFields `nameHint:"ModelPatch"`
}

type modelPatchFields struct {
	Name        field[string]   `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line"`
	Symbol      field[string]   `json:"symbol,omitempty" minLength:"1" maxLength:"12" doc:"A capital letter and up to 11 capitals, digits, dots and hyphens; unique among the account's models"`
	IsFavorite  field[bool]     `json:"is_favorite,omitempty" nullable:"true"`
	Labels      field[[]string] `json:"labels,omitempty" nullable:"true" maxItems:"100" doc:"All private labels, each of 1 to 50 characters without commas; null or empty removes them"`
	IsPublic    field[bool]     `json:"is_public,omitempty" doc:"Anybody with a key may read the model, its history and its script by its slug"`
	AutoUpdate  field[bool]     `json:"auto_update,omitempty" doc:"Nightly refresh; switching it on makes a paused model active"`
	NotifyEmail field[bool]     `json:"notify_email,omitempty" doc:"Allocation emails"`
	StartDate   field[string]   `json:"start_date,omitempty" nullable:"true" format:"date" doc:"Where the default view starts, regardless of start_rule; null leaves it to start_rule"`
	StartRule   field[string]   `json:"start_rule,omitempty" enum:"all_members,two_members,first_member,date" doc:"Which members' first dates decide where the default view starts; date needs a start_date"`
}

type patchRunInput struct {
	RunParameter
	Body runPatchFields `nameHint:"RunPatch"`
}

type runPatchFields struct {
	Label  field[string] `json:"label,omitempty" nullable:"true" maxLength:"200"`
	Shared field[bool]   `json:"shared,omitempty" doc:"Anybody with a key may read the run by its id"`
}

// RunParameter names a run.
type RunParameter struct {
	RunID string `path:"run_id" minLength:"1" doc:"Run id, in its current or legacy form"`
}

func (s *Server) registerRunPatch() {
	register(s, route{
		method: http.MethodPatch, path: "/v1/runs/{run_id}", id: "patch-run", tag: tagRuns, status: http.StatusOK,
		summary: "Relabel or share a run", description: "Changes a run's label, or who may read it. Sharing ends at once when it is switched off.",
		faults: []fault.Type{fault.NotFound},
	}, s.patchRun)
}

func (s *Server) patchModel(ctx context.Context, ref string, in *patchModelInput) (*program.Sheet, error) {
	b := in.Body
	if b.AutoUpdate.Value != nil && *b.AutoUpdate.Value {
		if _, err := s.recurring(ctx, b.AutoUpdate.Value); err != nil {
			return nil, err
		}
	}
	p := program.ModelPatch{
		Name: b.Name.change(), Symbol: b.Symbol.change(), IsFavorite: b.IsFavorite.pointer(), Labels: b.Labels.clearing(),
		IsPublic: b.IsPublic.change(), AutoUpdate: b.AutoUpdate.change(), NotifyEmail: b.NotifyEmail.change(),
		StartDate: program.Change[timeseries.Date]{Given: b.StartDate.Given, To: timeseries.NoDate}, StartRule: b.StartRule.change(),
	}
	if text := b.StartDate.Value; text != nil {
		date, err := timeseries.ParseDate(*text)
		if err != nil {
			return nil, fault.New(fault.InvalidBody, "The model was not changed: a field has an invalid value. Details name it.").
				With(fault.Detail{Location: "body.start_date", Message: err.Error()})
		}
		p.StartDate.To = date
	}
	return s.Models.Patch(ctx, accountOf(ctx), ref, p)
}

func (s *Server) patchRun(ctx context.Context, in *patchRunInput) (*runOutput, error) {
	run, err := s.RunChanges.PatchRun(ctx, accountOf(ctx), in.RunID, program.RunPatch{
		Label: in.Body.Label.clearing(), Shared: in.Body.Shared.change(),
	})
	if err != nil {
		return nil, err
	}
	return &runOutput{http.StatusOK, s.runBody(ctx, run)}, nil
}

package api

import (
	"context"
	"encoding/json"
	"time"

	"ballast/program"
	"ballast/timeseries"
)

// Family are the services of a kind of programs.
type Family struct {
	Programs Models
	Builder  Builder
	Builds   Builds
	Runs     Runs
	Changes  RunChanges
	Trash    Trash
	Results  Results
}

// patchAnswerInput changes a program that is not a model.
type patchAnswerInput struct {
	Body struct {
		Name        field[string]   `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line"`
		IsFavorite  field[bool]     `json:"is_favorite,omitempty" nullable:"true"`
		Labels      field[[]string] `json:"labels,omitempty" nullable:"true" maxItems:"100" doc:"All private labels, each of 1 to 50 characters without commas; null or empty removes them"`
		IsPublic    field[bool]     `json:"is_public,omitempty" doc:"Anybody with a key may read the program, its result and its script by its slug"`
		AutoUpdate  field[bool]     `json:"auto_update,omitempty" doc:"Nightly refresh; switching it on makes a paused program active"`
		NotifyEmail field[bool]     `json:"notify_email,omitempty" doc:"Emails"`
	} `nameHint:"AnswerPatch"`
}

// AnswerSummaryBody is a program that is not a model in a list, and the first part of its fact sheet.
type AnswerSummaryBody struct {
	ID          string           `json:"id" example:"simulation_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Name        string           `json:"name"`
	Symbol      *string          `json:"symbol" doc:"May be used to refer to the program; null unless the script has one"`
	Slug        string           `json:"slug" doc:"Public reference, unique in the service"`
	Status      string           `json:"status" enum:"building,active,updating,paused,failed"`
	Run         *inFlightBody    `json:"run" doc:"The work in progress; null if there is none"`
	Warning     *string          `json:"warning"`
	Depth       int              `json:"depth" doc:"Nesting depth of member models; 0 if all members are assets"`
	AsOf        *timeseries.Date `json:"as_of" doc:"Date of the latest data used"`
	AutoUpdate  bool             `json:"auto_update" doc:"Nightly refresh enabled"`
	IsPublic    bool             `json:"is_public" doc:"Shared by slug"`
	IsFavorite  *bool            `json:"is_favorite"`
	Labels      []string         `json:"labels" nullable:"true" doc:"Private labels"`
	CreatedAt   time.Time        `json:"created_at"`
	UpdatedAt   time.Time        `json:"updated_at"`
	Description *string          `json:"description"`
	LiveRunID   *string          `json:"live_run_id" doc:"The run whose result is served"`
	IsOwner     bool             `json:"is_owner"`
}

// answerSheetBody is the fact sheet.
type answerSheetBody struct {
	AnswerSummaryBody
	Refresh       refreshBody      `json:"refresh"`
	Prompt        string           `json:"prompt" doc:"The stored description; may be empty"`
	Universe      []string         `json:"universe"`
	Members       []componentBody  `json:"members" doc:"Members as the live run resolved them"`
	Error         *program.Failure `json:"error" doc:"Why the build failed"`
	ScriptURL     string           `json:"script_url"`
	ResultURL     string           `json:"result_url"`
	Schedule      scheduleBody     `json:"schedule"`
	Usage         *program.Usage   `json:"usage"`
	Metadata      *program.Answer  `json:"metadata" doc:"Summary of the live run, with its scalars"`
	InputsSchema  json.RawMessage  `json:"inputs_schema" doc:"JSON Schema of the inputs, each with its default and display hints"`
	EstimateCents *int64           `json:"estimate_cents" doc:"What the next run would hold, in cents; null before the first result"`
	BuildID       string           `json:"build_id" doc:"The build of the script that is served"`
}

// answerFamily is a family of programs that are not models. create is the input of its
// POST.
type answerFamily[Create any] = family[Create, patchAnswerInput, answerSheetBody, AnswerSummaryBody]

// newAnswerFamily describes a family of programs that are not models.
func newAnswerFamily[Create any](s *Server, of Family, path string, w words, tag string, about about, create func(context.Context, *Create) (*program.Sheet, error)) *answerFamily[Create] {
	about.reference = "Id, slug, symbol or exact name"
	about.get = "The result has an operation of its own."
	about.patch = "Changes the " + w.one + "'s name, favourite flag, labels, sharing or recurring work. Fields that are left out stay the same. Nothing is computed again."
	return &answerFamily[Create]{
		path: path, words: w, tag: tag, runTag: tag, about: about,
		programs: of.Programs, builder: of.Builder, builds: of.Builds, runs: of.Runs, starter: of.Changes, trash: of.Trash,
		create: create,
		patch: func(ctx context.Context, ref string, in *patchAnswerInput) (*program.Sheet, error) {
			return s.patchAnswer(ctx, of, ref, in)
		},
		sheet:  func(ctx context.Context, m *program.Sheet) *answerSheetBody { return s.answerSheetBody(ctx, path, m) },
		row:    s.answerSummaryBody,
		result: s.addResult,
	}
}

// patchAnswer changes a program of a family.
func (s *Server) patchAnswer(ctx context.Context, of Family, ref string, in *patchAnswerInput) (*program.Sheet, error) {
	b := &in.Body
	if b.AutoUpdate.Value != nil && *b.AutoUpdate.Value {
		if _, err := s.recurring(ctx, b.AutoUpdate.Value); err != nil {
			return nil, err
		}
	}
	return of.Programs.Patch(ctx, accountOf(ctx), ref, program.ModelPatch{
		Name: b.Name.change(), IsFavorite: b.IsFavorite.pointer(), Labels: b.Labels.clearing(),
		IsPublic: b.IsPublic.change(), AutoUpdate: b.AutoUpdate.change(), NotifyEmail: b.NotifyEmail.change(),
	})
}

func (s *Server) answerSummaryBody(ctx context.Context, m *program.Sheet) AnswerSummaryBody {
	b := s.modelSummaryBody(ctx, m)
	return AnswerSummaryBody{
		ID: b.ID, Name: b.Name, Symbol: textOrNull(b.Symbol), Slug: b.Slug, Status: b.Status, Run: b.Run, Warning: b.Warning, Depth: b.Depth, AsOf: b.AsOf,
		AutoUpdate: b.AutoUpdate, IsPublic: b.IsPublic, IsFavorite: b.IsFavorite, Labels: b.Labels, CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
		Description: b.Description, LiveRunID: b.LiveRunID, IsOwner: b.IsOwner,
	}
}

// answerSheetBody is the fact sheet of a program in the collection at a path.
func (s *Server) answerSheetBody(ctx context.Context, path string, m *program.Sheet) *answerSheetBody {
	b := s.modelBody(ctx, m)
	out := &answerSheetBody{
		AnswerSummaryBody: s.answerSummaryBody(ctx, m),
		Refresh:           b.Refresh, Prompt: b.Prompt, Universe: b.Universe, Members: []componentBody{}, Error: b.Error,
		ScriptURL: s.address(ctx, "v1", path, m.Slug, "script"), ResultURL: s.address(ctx, "v1", path, m.Slug, "result"),
		Schedule: b.Schedule, Usage: b.Usage, InputsSchema: b.InputsSchema, EstimateCents: b.EstimateCents, BuildID: b.BuildID,
	}
	if m.Live != nil {
		out.Members, out.Metadata = b.Components, answerOf(m.Live.Answer)
	}
	return out
}

package api

import (
	"context"
	"encoding/json"
	"time"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/script/simulation"
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

type createSimulationInput struct {
	Body struct {
		Prompt      string         `json:"prompt,omitempty" maxLength:"20000" doc:"Description of the simulation; with a script, it is stored as the description"`
		Script      string         `json:"script,omitempty" doc:"The script, checked against the script contract"`
		Rule        string         `json:"rule,omitempty" doc:"Instead of a script: a rule of the harness that decides what is withdrawn, such as withdraw_fixed"`
		Arguments   map[string]any `json:"arguments,omitempty" doc:"With rule: its arguments by name"`
		Inputs      map[string]any `json:"inputs,omitempty" doc:"With rule: values of the simulation's inputs, which become the script's defaults; universe is required"`
		Name        string         `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line; takes precedence over the script's NAME"`
		Labels      []string       `json:"labels,omitempty" maxItems:"100" doc:"Private labels, each of 1 to 50 characters without commas"`
		AutoUpdate  *bool          `json:"auto_update,omitempty" doc:"false disables recurring work" default:"true"`
		NotifyEmail *bool          `json:"notify_email,omitempty" doc:"false disables emails" default:"true"`
	} `nameHint:"SimulationCreate"`
}

type patchSimulationInput struct {
	Body struct {
		Name        field[string]   `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line"`
		IsFavorite  field[bool]     `json:"is_favorite,omitempty" nullable:"true"`
		Labels      field[[]string] `json:"labels,omitempty" nullable:"true" maxItems:"100" doc:"All private labels, each of 1 to 50 characters without commas; null or empty removes them"`
		IsPublic    field[bool]     `json:"is_public,omitempty" doc:"Anybody with a key may read the simulation, its result and its script by its slug"`
		AutoUpdate  field[bool]     `json:"auto_update,omitempty" doc:"Nightly refresh; switching it on makes a paused simulation active"`
		NotifyEmail field[bool]     `json:"notify_email,omitempty" doc:"Emails"`
	} `nameHint:"SimulationPatch"`
}

// SimulationSummaryBody is a simulation in a list, and the first part of its fact sheet.
type SimulationSummaryBody struct {
	ID          string           `json:"id" example:"simulation_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Name        string           `json:"name"`
	Symbol      *string          `json:"symbol" doc:"May be used to refer to the simulation; null unless the script has one"`
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
	LiveRunID   *string          `json:"live_run_id" doc:"The run that the simulation serves"`
	IsOwner     bool             `json:"is_owner"`
}

// simulationBody is the fact sheet.
type simulationBody struct {
	SimulationSummaryBody
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

// simulations describes the family of simulations.
func (s *Server) simulations() *family[createSimulationInput, patchSimulationInput, simulationBody, SimulationSummaryBody] {
	f := s.Simulations
	return &family[createSimulationInput, patchSimulationInput, simulationBody, SimulationSummaryBody]{
		path: "simulations", words: words{one: "simulation", a: "a simulation", many: "simulations"}, tag: tagSimulations, runTag: tagSimulations,
		about: about{
			reference: "Id, slug, symbol or exact name", example: "four-per-cent-0192f3a4b5", tried: "run",
			get:   "The result has an operation of its own.",
			patch: "Changes the simulation's name, favourite flag, labels, sharing or recurring work. Fields that are left out stay the same. Nothing is computed again.",
		},
		programs: f.Programs, builder: f.Builder, builds: f.Builds, runs: f.Runs, starter: f.Changes, trash: f.Trash,
		create: s.createSimulation, patch: s.patchSimulation, sheet: s.simulationBody, row: s.simulationSummaryBody,
		result: s.addResult,
	}
}

// registerSimulations registers the operations on simulations.
func (s *Server) registerSimulations() {
	f := s.simulations()
	registerFamily(s, f)
	registerResult(s, f, s.Simulations.Results)
}

func (s *Server) createSimulation(ctx context.Context, in *createSimulationInput) (*program.Sheet, error) {
	b := &in.Body
	recurs, err := s.recurring(ctx, b.AutoUpdate)
	if err != nil {
		return nil, err
	}
	source := b.Script
	switch {
	case b.Rule == "" && (b.Arguments != nil || b.Inputs != nil):
		return nil, fault.New(fault.InvalidBody, "arguments and inputs belong to a rule. Send a rule with them, or leave them out.").
			With(fault.Detail{Field: "rule", Message: "is missing", Accepted: simulation.Rules()})
	case b.Rule != "" && source != "":
		return nil, fault.New(fault.InvalidBody, "Send either a script or a rule.").
			With(fault.Detail{Field: "rule", Message: "a rule replaces a script: send only one of them"})
	case b.Rule != "":
		var details []fault.Detail
		if source, details = simulation.SourceOf(b.Rule, b.Arguments, b.Inputs); len(details) > 0 {
			return nil, fault.New(fault.InvalidBody, "The simulation cannot be created from this rule; details name each problem. Nothing was stored.").With(details...)
		}
	}
	return s.Simulations.Builder.Create(ctx, accountOf(ctx), program.CreateRequest{
		Prompt: b.Prompt, Script: source, Name: b.Name, Labels: b.Labels, AutoUpdate: recurs, NotifyEmail: b.NotifyEmail,
	})
}

func (s *Server) patchSimulation(ctx context.Context, ref string, in *patchSimulationInput) (*program.Sheet, error) {
	b := &in.Body
	if b.AutoUpdate.Value != nil && *b.AutoUpdate.Value {
		if _, err := s.recurring(ctx, b.AutoUpdate.Value); err != nil {
			return nil, err
		}
	}
	return s.Simulations.Programs.Patch(ctx, accountOf(ctx), ref, program.ModelPatch{
		Name: b.Name.change(), IsFavorite: b.IsFavorite.pointer(), Labels: b.Labels.clearing(),
		IsPublic: b.IsPublic.change(), AutoUpdate: b.AutoUpdate.change(), NotifyEmail: b.NotifyEmail.change(),
	})
}

func (s *Server) simulationSummaryBody(ctx context.Context, m *program.Sheet) SimulationSummaryBody {
	b := s.modelSummaryBody(ctx, m)
	return SimulationSummaryBody{
		ID: b.ID, Name: b.Name, Symbol: textOrNull(b.Symbol), Slug: b.Slug, Status: b.Status, Run: b.Run, Warning: b.Warning, Depth: b.Depth, AsOf: b.AsOf,
		AutoUpdate: b.AutoUpdate, IsPublic: b.IsPublic, IsFavorite: b.IsFavorite, Labels: b.Labels, CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
		Description: b.Description, LiveRunID: b.LiveRunID, IsOwner: b.IsOwner,
	}
}

func (s *Server) simulationBody(ctx context.Context, m *program.Sheet) *simulationBody {
	b := s.modelBody(ctx, m)
	out := &simulationBody{
		SimulationSummaryBody: s.simulationSummaryBody(ctx, m),
		Refresh:               b.Refresh, Prompt: b.Prompt, Universe: b.Universe, Members: []componentBody{}, Error: b.Error,
		ScriptURL: s.address(ctx, "v1", "simulations", m.Slug, "script"), ResultURL: s.address(ctx, "v1", "simulations", m.Slug, "result"),
		Schedule: b.Schedule, Usage: b.Usage, InputsSchema: b.InputsSchema, EstimateCents: b.EstimateCents, BuildID: b.BuildID,
	}
	if m.Live != nil {
		out.Members, out.Metadata = b.Components, answerOf(m.Live.Answer)
	}
	return out
}

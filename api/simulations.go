package api

import (
	"context"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/script/simulation"
)

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

// registerSimulations registers the operations on simulations.
func (s *Server) registerSimulations() {
	f := newAnswerFamily(s, s.Simulations, "simulations", words{one: "simulation", a: "a simulation", many: "simulations"}, tagSimulations,
		about{example: "four-per-cent-0192f3a4b5", tried: "run"}, s.createSimulation)
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
		if source, err = simulationSource(ctx, b.Rule, b.Arguments, b.Inputs); err != nil {
			return nil, err
		}
	}
	return s.Simulations.Builder.Create(ctx, accountOf(ctx), program.CreateRequest{
		Prompt: b.Prompt, Script: source, Name: b.Name, Labels: b.Labels, AutoUpdate: recurs, NotifyEmail: b.NotifyEmail,
	})
}

// simulationSource writes the script that calls a rule of the harness.
func simulationSource(_ context.Context, rule string, arguments, inputs map[string]any) (string, error) {
	source, details := simulation.SourceOf(rule, arguments, inputs)
	if len(details) > 0 {
		return "", fault.New(fault.InvalidBody, "The simulation cannot be created from this rule; details name each problem. Nothing was stored.").With(details...)
	}
	return source, nil
}

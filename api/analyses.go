package api

import (
	"context"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/script/analysis"
)

type createAnalysisInput struct {
	Body struct {
		Prompt      string         `json:"prompt,omitempty" maxLength:"20000" doc:"Description of the analysis; with a script, it is stored as the description"`
		Script      string         `json:"script,omitempty" doc:"The script, checked against the script contract"`
		Kind        string         `json:"kind,omitempty" doc:"Instead of a script: a function of the harness that analyzes, such as factors"`
		Arguments   map[string]any `json:"arguments,omitempty" doc:"With kind: its arguments by name. The members that they name are the universe"`
		Inputs      map[string]any `json:"inputs,omitempty" doc:"With kind: values of the analysis' inputs, such as start_date, which become the script's defaults"`
		Name        string         `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line; takes precedence over the script's NAME"`
		Labels      []string       `json:"labels,omitempty" maxItems:"100" doc:"Private labels, each of 1 to 50 characters without commas"`
		AutoUpdate  *bool          `json:"auto_update,omitempty" doc:"false disables recurring work" default:"true"`
		NotifyEmail *bool          `json:"notify_email,omitempty" doc:"false disables emails" default:"true"`
	} `nameHint:"AnalysisCreate"`
}

// registerAnalyses registers the operations on analyses.
func (s *Server) registerAnalyses() {
	f := newAnswerFamily(s, s.Analyses, "analyses", words{one: "analysis", a: "an analysis", many: "analyses"}, tagAnalyses,
		about{example: "what-moves-mom-0192f3a4b5", tried: "run"}, s.createAnalysis)
	registerFamily(s, f)
	registerResult(s, f, s.Analyses.Results)
}

func (s *Server) createAnalysis(ctx context.Context, in *createAnalysisInput) (*program.Sheet, error) {
	b := &in.Body
	recurs, err := s.recurring(ctx, b.AutoUpdate)
	if err != nil {
		return nil, err
	}
	source := b.Script
	switch {
	case b.Kind == "" && (b.Arguments != nil || b.Inputs != nil):
		return nil, fault.New(fault.InvalidBody, "arguments and inputs belong to a kind. Send a kind with them, or leave them out.").
			With(fault.Detail{Field: "kind", Message: "is missing", Accepted: analysis.Functions()})
	case b.Kind != "" && source != "":
		return nil, fault.New(fault.InvalidBody, "Send either a script or a kind.").
			With(fault.Detail{Field: "kind", Message: "a kind replaces a script: send only one of them"})
	case b.Kind != "":
		if source, err = s.analysisSource(ctx, b.Kind, b.Arguments, b.Inputs); err != nil {
			return nil, err
		}
	}
	return s.Analyses.Builder.Create(ctx, accountOf(ctx), program.CreateRequest{
		Prompt: b.Prompt, Script: source, Name: b.Name, Labels: b.Labels, AutoUpdate: recurs, NotifyEmail: b.NotifyEmail,
	})
}

// analysisSource writes the script that calls a function of the harness.
func (s *Server) analysisSource(ctx context.Context, function string, arguments, inputs map[string]any) (string, error) {
	var failed error
	source, details := analysis.SourceOf(function, arguments, inputs, s.isSeries(ctx, &failed))
	if len(details) > 0 {
		return "", fault.New(fault.InvalidBody, "The analysis cannot be created from this kind; details name each problem. Nothing was stored.").With(details...)
	}
	return source, failed
}

// isSeries tells which references are columns of series that the caller may read. An
// error of storage is written to failed.
func (s *Server) isSeries(ctx context.Context, failed *error) func(reference string) bool {
	return func(reference string) bool {
		_, err := s.SeriesColumns.Column(ctx, accountOf(ctx), reference)
		if err != nil && fault.TypeOf(err) != fault.UnknownMember {
			*failed = err
		}
		return err == nil
	}
}

package api

import (
	"context"

	"ballast/program"
)

type createModelInput struct {
	Body struct {
		Prompt      string   `json:"prompt,omitempty" maxLength:"20000" doc:"Description of the model; with a script, it is stored as the description"`
		Script      string   `json:"script,omitempty" doc:"The script, checked against the script contract"`
		Name        string   `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line; takes precedence over the script's NAME"`
		Symbol      string   `json:"symbol,omitempty" minLength:"1" maxLength:"12" doc:"A capital letter and up to 11 capitals, digits, dots and hyphens; takes precedence over the script's SYMBOL"`
		Labels      []string `json:"labels,omitempty" maxItems:"100" doc:"Private labels, each of 1 to 50 characters without commas"`
		AutoUpdate  *bool    `json:"auto_update,omitempty" doc:"false disables recurring work" default:"true"`
		NotifyEmail *bool    `json:"notify_email,omitempty" doc:"false disables allocation emails" default:"true"`
	} `nameHint:"ModelCreate"`
}

// models describes the family of models.
func (s *Server) models() *family[createModelInput, patchModelInput, modelBody, ModelSummaryBody] {
	return &family[createModelInput, patchModelInput, modelBody, ModelSummaryBody]{
		path: "models", words: words{one: "model", a: "a model", many: "models"}, tag: tagModels, runTag: tagRuns, member: true, shortIDs: true,
		about: about{
			reference: "Id, slug, symbol or exact name", example: "sixty-forty-0192f3a4b5", tried: "backtested",
			get:   "In another account's model, member models that are not public show only their key: no id, name or holdings.",
			patch: "Changes the model's name, symbol, favourite flag, labels, sharing, recurring work or default view. Fields that are left out stay the same. Nothing is computed again. The slug stays when the name changes. A model that failed refreshes have paused becomes active when auto_update is set again.",
		},
		programs: s.Models, builder: s.Builder, builds: s.Builds, runs: s.Runs, starter: s.RunChanges, trash: s.Trash,
		create: s.createModel, patch: s.patchModel, sheet: s.modelBody, row: s.modelSummaryBody, list: s.registerModelList, result: s.addResult,
	}
}

// registerModels registers the operations that all programs have, and those that only
// models have.
func (s *Server) registerModels() {
	registerFamily(s, s.models())
	s.registerValidate()
	s.registerModelHistory()
	s.registerHistories()
	s.registerPromote()
	s.registerDrafts()
	s.registerRevisions()
}

func (s *Server) createModel(ctx context.Context, in *createModelInput) (*program.Sheet, error) {
	recurs, err := s.recurring(ctx, in.Body.AutoUpdate)
	if err != nil {
		return nil, err
	}
	return s.Builder.Create(ctx, accountOf(ctx), program.CreateRequest{
		Prompt: in.Body.Prompt, Script: in.Body.Script, Name: in.Body.Name, Symbol: in.Body.Symbol, Labels: in.Body.Labels, AutoUpdate: recurs, NotifyEmail: in.Body.NotifyEmail,
	})
}

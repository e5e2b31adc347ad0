package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/program"
)

type validateInput struct{ Body validateRequest }

type validateRequest struct {
	Script string `json:"script,omitempty" doc:"The script to check; give either a script or a prompt"`
	Prompt string `json:"prompt,omitempty" maxLength:"20000" doc:"The description to read; give either a script or a prompt"`
}

// TransformSchema implements huma.SchemaTransformer. It documents that exactly one of
// the two is given. It does so in an extension, so that huma leaves the check to the
// operation, whose error says what is missing.
func (validateRequest) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	one := 1
	given := func(name string, text *huma.Schema) *huma.Schema {
		text.Type = huma.TypeString
		return &huma.Schema{Required: []string{name}, Properties: map[string]*huma.Schema{name: text}}
	}
	schema.Extensions = map[string]any{"oneOf": []*huma.Schema{
		given("script", &huma.Schema{MinLength: &one}), given("prompt", &huma.Schema{Pattern: `\S`}),
	}}
	return schema
}

type validateOutput struct{ Body *verdictBody }

type verdictBody struct {
	Valid          bool                  `json:"valid"`
	Kind           string                `json:"kind,omitempty" enum:"model,simulation,analysis,optimizer" doc:"What the script or the prompt describes, if valid"`
	Script         string                `json:"script,omitempty" doc:"For a prompt that was understood: the script that would be built"`
	Optimizer      *optimizer.Definition `json:"optimizer,omitempty" doc:"For a prompt that describes an optimizer: what POST /v1/optimizers would store"`
	Description    string                `json:"description,omitempty" doc:"For a prompt that was understood: what the script does, in plain English, with every assumption"`
	InputsSchema   json.RawMessage       `json:"inputs_schema,omitempty" doc:"JSON Schema of the inputs, if valid"`
	HarnessVersion string                `json:"harness_version,omitempty" doc:"For a script: the version of the contract that it was checked against"`
	Optimizers     []string              `json:"optimizers,omitempty" doc:"Names of the optimizers that the script uses"`
	Errors         []verdictError        `json:"errors,omitempty" doc:"All errors. Errors in a script have rule, line and column; errors in a prompt have offset and length"`
}

// verdictError is one error of a script or of a prompt.
type verdictError struct {
	Rule       string   `json:"rule,omitempty" doc:"Id of the rule of the script contract"`
	Line       int      `json:"line,omitempty" doc:"Line in the script, from 1"`
	Column     int      `json:"column,omitempty" doc:"Column in the line, in characters, from 1"`
	Offset     *int     `json:"offset,omitempty" minimum:"0" doc:"Where the words start in the prompt, in characters, from 0"`
	Length     *int     `json:"length,omitempty" minimum:"0" doc:"Length of the words in characters; 0 if the error concerns the whole prompt"`
	Message    string   `json:"message" doc:"What is wrong and what to do"`
	Text       string   `json:"text,omitempty" doc:"The offending text of a script"`
	Accepted   []string `json:"accepted,omitempty" doc:"What would have been accepted"`
	Suggestion string   `json:"suggestion,omitempty" doc:"For a script: the nearest accepted value"`
	Nearest    string   `json:"nearest,omitempty" doc:"For a prompt: the nearest word or symbol"`
}

func (s *Server) registerValidate() {
	register(s, route{
		method: http.MethodPost, path: "/v1/models/validate", id: "validate-script", reads: true, tag: tagModels, status: http.StatusOK,
		summary: "Validate a script or a prompt",
		description: "Returns 200 whether valid or not. A script gets the static checks that a build runs first: the response has `valid` and the derived `inputs_schema`, or all `errors`, each with rule, line and column. " +
			"A prompt is read as when a model or a simulation is created, but only with the built-in grammar: the response has `valid`, the `kind`, the `script`, its `description` and `inputs_schema`, or all `errors`, each with the offset and length of the words that were not understood. " +
			"Nothing is run, stored or metered.",
	}, s.validate)
}

func (s *Server) validate(ctx context.Context, in *validateInput) (*validateOutput, error) {
	source, prompt := in.Body.Script, in.Body.Prompt
	if (source == "") == (strings.TrimSpace(prompt) == "") {
		return nil, fault.New(fault.InvalidBody, "Send either a script or a prompt to validate.").With(
			fault.Detail{Location: "body.script", Message: "give either the script or the prompt", Accepted: []string{"a script of the contract described at /docs/script-contract"}},
			fault.Detail{Location: "body.prompt", Message: "give either the script or the prompt", Accepted: []string{"a description such as those at /docs/prompts"}},
		)
	}
	if source == "" {
		v, err := s.Builder.ValidatePrompt(ctx, accountOf(ctx), prompt)
		if err != nil {
			return nil, err
		}
		return &validateOutput{promptValidation(v)}, nil
	}
	v, err := s.Builder.Validate(ctx, accountOf(ctx), source)
	if err != nil {
		return nil, err
	}
	return &validateOutput{scriptValidation(v)}, nil
}

func scriptValidation(v *program.Validation) *verdictBody {
	b := &verdictBody{Valid: v.Valid, Kind: v.Kind, InputsSchema: v.InputsSchema, HarnessVersion: v.HarnessVersion, Optimizers: v.Optimizers}
	for _, x := range v.Errors {
		b.Errors = append(b.Errors, verdictError{
			Rule: x.Rule, Line: x.Line, Column: x.Column, Message: x.Message, Text: x.Text, Accepted: x.Accepted, Suggestion: x.Suggestion,
		})
	}
	return b
}

func promptValidation(v *program.PromptValidation) *verdictBody {
	b := &verdictBody{Valid: len(v.Errors) == 0}
	for _, x := range v.Errors {
		b.Errors = append(b.Errors, verdictError{Offset: &x.Offset, Length: &x.Length, Message: x.Message, Accepted: x.Accepted, Nearest: x.Nearest})
	}
	if b.Valid {
		b.Kind, b.Script, b.Description, b.InputsSchema = v.Kind, v.Script, v.Description, v.InputsSchema
	}
	if v.Optimizer != nil {
		b.Optimizer = &v.Optimizer.Definition
	}
	return b
}

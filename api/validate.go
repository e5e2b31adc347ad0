package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/program"
)

type validateInput struct{ Body validateRequest }

type validateRequest struct {
	Script string `json:"script,omitempty" doc:"The script to check; give either a script or a prompt"`
	Prompt string `json:"prompt,omitempty" maxLength:"20000" doc:"The description to read; give either a script or a prompt"`
}

// TransformSchema implements huma.SchemaTransformer: it tells that one of the two
// is given. It is an extension, so that huma leaves the check to the operation,
// which says what is missing.
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
	Valid          bool            `json:"valid"`
	Kind           string          `json:"kind,omitempty" enum:"model" doc:"Of a prompt that was understood: what it describes"`
	Script         string          `json:"script,omitempty" doc:"Of a prompt that was understood: the script that would be built"`
	Description    string          `json:"description,omitempty" doc:"Of a prompt that was understood: what the script does, in plain English, with everything that was taken for granted"`
	InputsSchema   json.RawMessage `json:"inputs_schema,omitempty" doc:"Of what is valid"`
	HarnessVersion string          `json:"harness_version,omitempty" doc:"Of a script: the version of the contract that it was checked against"`
	Errors         []verdictError  `json:"errors,omitempty" doc:"Everything that is wrong, at once. Errors of a script have rule, line and column; errors of a prompt have offset and length"`
}

// verdictError is one error of a script or of a prompt.
type verdictError struct {
	Rule       string   `json:"rule,omitempty" doc:"Id of the rule of the script contract"`
	Line       int      `json:"line,omitempty" doc:"Line in the script, from 1"`
	Column     int      `json:"column,omitempty" doc:"Column in the line, in characters, from 1"`
	Offset     *int     `json:"offset,omitempty" minimum:"0" doc:"Where the words begin in the prompt, in characters, from 0"`
	Length     *int     `json:"length,omitempty" minimum:"0" doc:"How many characters they have; 0 where the error is about the prompt as a whole"`
	Message    string   `json:"message" doc:"What is wrong and what to do"`
	Text       string   `json:"text,omitempty" doc:"The offending text of a script"`
	Accepted   []string `json:"accepted,omitempty" doc:"What would have been accepted"`
	Suggestion string   `json:"suggestion,omitempty" doc:"Of a script: the nearest accepted value"`
	Nearest    string   `json:"nearest,omitempty" doc:"Of a prompt: the nearest word or symbol"`
}

func (s *Server) registerValidate() {
	register(s, route{
		method: http.MethodPost, path: "/v1/models/validate", id: "validate-script", reads: true, tag: tagModels, status: http.StatusOK,
		summary: "Validate a script or a prompt",
		description: "Answers 200 either way. For a script it runs the static checks that a build runs first: `valid` with the derived `inputs_schema`, or all `errors` at once, each with rule, line and column. " +
			"For a prompt it reads the words as a create does, with the built-in grammar alone: `valid` with the `script`, its `description` and `inputs_schema`, or all `errors` at once, each with the offset and length of the words that were not understood. " +
			"Nothing runs, is stored or is metered.",
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
	b := &verdictBody{Valid: v.Valid, InputsSchema: v.InputsSchema, HarnessVersion: v.HarnessVersion}
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
		b.Kind, b.Script, b.Description, b.InputsSchema = "model", v.Script, v.Description, v.InputsSchema
	}
	return b
}

package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"ballast/program/generate"
	"ballast/script"
)

// PromptValidation describes what a prompt was understood to mean, or which parts were not
// understood.
type PromptValidation struct {
	Kind         string // of the program that the prompt describes; "" if anything was not understood
	Script       string // "" if anything was not understood
	Description  string // what the script does, in plain English
	InputsSchema json.RawMessage
	Optimizer    *generate.Optimizer // what the prompt describes; nil for programs
	Errors       []PromptProblem
}

// PromptProblem is a part of a prompt that was not understood or cannot be built.
type PromptProblem struct {
	Offset   int // in characters, from 0
	Length   int // in characters; 0 if the problem concerns the whole prompt
	Message  string
	Accepted []string
	Nearest  string
}

// ValidatePrompt reads a prompt as when a program is created, but only with the
// grammar. The prompt may describe a program of any kind; the errors of one that
// describes none are those of the kind for which there are fewest; an error about the
// whole prompt says least. Nothing is run, stored or metered.
func (s *Builder) ValidatePrompt(ctx context.Context, accountID, prompt string) (*PromptValidation, error) {
	o, err := s.writer.optimizer(ctx, accountID, prompt)
	if err == nil {
		v := &PromptValidation{Kind: optimizerKind, Description: o.Description, Optimizer: o}
		for _, d := range o.Definition.Check() {
			v.Errors = append(v.Errors, PromptProblem{Message: d.Message, Accepted: d.Accepted})
		}
		return v, nil
	}
	var strange *generate.NotUnderstood
	if !errors.As(err, &strange) {
		return nil, err
	}
	var best *PromptValidation
	for _, kind := range s.writer.known {
		v, err := s.writer.validatePrompt(ctx, accountID, kind, prompt)
		if err != nil {
			return nil, err
		}
		if len(v.Errors) == 0 {
			return v, nil
		}
		if best == nil || len(v.Errors) < len(best.Errors) && v.Errors[0].Length > 0 {
			best = v
		}
	}
	return best, nil
}

// optimizerKind is the kind of what a prompt describes if it is an optimizer.
const optimizerKind = "optimizer"

// Optimizer reads the description of an optimizer with the grammar. Nothing is stored.
// fault.InvalidBody, fault.UnknownMember.
func (s *Builder) Optimizer(ctx context.Context, accountID, prompt string) (*generate.Optimizer, error) {
	o, err := s.writer.optimizer(ctx, accountID, prompt)
	var strange *generate.NotUnderstood
	if errors.As(err, &strange) {
		return nil, notUnderstood(strange)
	}
	return o, err
}

func (s *writer) optimizer(ctx context.Context, accountID, prompt string) (*generate.Optimizer, error) {
	o, err := s.optimizers.UnderstandOptimizer(ctx, s.library(subject{accountID: accountID}), prompt)
	if err != nil {
		return nil, fmt.Errorf("read the description of an optimizer: %w", err)
	}
	return o, nil
}

// validatePrompt reads a prompt as the description of a program of one kind.
func (s *writer) validatePrompt(ctx context.Context, accountID string, kind *script.Kind, prompt string) (*PromptValidation, error) {
	c, _, err := s.fromWords(ctx, subject{accountID: accountID}, kind, prompt)
	var strange *generate.NotUnderstood
	var failed *generate.Failure
	switch {
	case errors.As(err, &strange):
		return &PromptValidation{Errors: promptErrors(strange)}, nil
	case errors.As(err, &failed):
		return &PromptValidation{Errors: scriptErrors(prompt, failed.Problems)}, nil
	case err != nil:
		return nil, err
	}
	return &PromptValidation{Kind: kind.Name, Script: c.script.Source, Description: c.script.Description, InputsSchema: c.InputsSchema}, nil
}

func promptErrors(e *generate.NotUnderstood) []PromptProblem {
	if len(e.Words) == 0 {
		return []PromptProblem{{Message: "the prompt contains no description of a model or a simulation", Accepted: e.Accepted}}
	}
	problems := make([]PromptProblem, len(e.Words))
	accepted := e.Accepted // once: they are about the whole prompt
	for i, w := range e.Words {
		problems[i] = PromptProblem{Offset: w.Offset, Length: w.Length, Message: w.Message, Nearest: w.Suggestion}
		if !w.Member {
			problems[i].Accepted, accepted = accepted, nil
		}
	}
	return problems
}

// scriptErrors points at the words of a prompt whose script breaks the contract, if a
// problem names them.
func scriptErrors(prompt string, problems []Problem) []PromptProblem {
	list := make([]PromptProblem, len(problems))
	for i, x := range problems {
		list[i] = PromptProblem{Message: x.Message, Accepted: x.Accepted, Nearest: x.Suggestion}
		if at := strings.Index(prompt, x.Text); x.Text != "" && at >= 0 {
			list[i].Offset, list[i].Length = utf8.RuneCountInString(prompt[:at]), utf8.RuneCountInString(x.Text)
		}
	}
	return list
}

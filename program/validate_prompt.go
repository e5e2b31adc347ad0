package program

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"ballast/program/generate"
)

// PromptValidation describes what a prompt was understood to mean, or which parts were not
// understood.
type PromptValidation struct {
	Script       string // "" if anything was not understood
	Description  string // what the script does, in plain English
	InputsSchema json.RawMessage
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

// ValidatePrompt reads a prompt as when a model is created, but only with the
// grammar. Nothing is run, stored or metered.
func (s *Builder) ValidatePrompt(ctx context.Context, accountID, prompt string) (*PromptValidation, error) {
	c, _, err := s.writer.fromWords(ctx, subject{accountID: accountID}, prompt)
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
	return &PromptValidation{Script: c.script.Source, Description: c.script.Description, InputsSchema: c.InputsSchema}, nil
}

func promptErrors(e *generate.NotUnderstood) []PromptProblem {
	if len(e.Words) == 0 {
		return []PromptProblem{{Message: "the prompt contains no description of a model", Accepted: e.Accepted}}
	}
	problems := make([]PromptProblem, len(e.Words))
	for i, w := range e.Words {
		problems[i] = PromptProblem{Offset: w.Offset, Length: w.Length, Message: w.Message, Nearest: w.Suggestion}
		if !w.Member {
			problems[i].Accepted = e.Accepted
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

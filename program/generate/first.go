package generate

import (
	"context"
	"errors"
)

// First asks generators in turn: each is asked only for what the one before it
// did not understand. Any other answer, a draft or an error, is final. With
// several that do not understand a prompt, the last one says why.
func First(generators ...Generator) Generator { return first(generators) }

type first []Generator

// Generate implements Generator.
func (f first) Generate(ctx context.Context, library Library, request Request) (*Draft, error) {
	var err error = &NotUnderstood{}
	for _, g := range f {
		var draft *Draft
		draft, err = g.Generate(ctx, library, request)
		var unknown *NotUnderstood
		if !errors.As(err, &unknown) {
			return draft, err
		}
	}
	return nil, err
}

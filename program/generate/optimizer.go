package generate

import (
	"context"

	"ballast/optimize/optimizer"
)

// Optimizer is an optimizer that was described.
type Optimizer struct {
	Name        string               // "" if none was given
	Description string               // what was understood, in plain English
	Definition  optimizer.Definition // without its defaults
}

// OptimizerReader reads descriptions of optimizers. It is safe for concurrent use.
type OptimizerReader interface {
	// UnderstandOptimizer reads a description. It fails with a *NotUnderstood, or with the
	// library's own error.
	UnderstandOptimizer(ctx context.Context, library Library, prompt string) (*Optimizer, error)
}

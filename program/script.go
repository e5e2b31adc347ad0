package program

import (
	"context"

	"ballast/internal/fault"
)

// ScriptFile is a model's script as a file that runs by itself.
type ScriptFile struct {
	Name string // of the file
	Text []byte
}

// Script gives the standalone file of a model's script: of one's own model by
// any reference, of another's public one by its slug.
func (s *Service) Script(ctx context.Context, accountID, ref string) (*ScriptFile, error) {
	m, err := s.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.Build.Script == "" {
		return nil, fault.New(fault.NotReady, "The model has no script yet: it is being written, or could not be. Read the model's run and error.")
	}
	return &ScriptFile{Name: m.Slug + ".py", Text: []byte(m.Build.Script)}, nil
}

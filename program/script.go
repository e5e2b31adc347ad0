package program

import (
	"context"

	"ballast/internal/fault"
	"ballast/script/download"
)

// ScriptFile is a model's script as a file that runs by itself.
type ScriptFile struct {
	Name string // of the file
	Text []byte
}

// Script gives the standalone file of a model's script: of one's own model by
// any reference, of another's public one by its slug. url is the service's
// public address, "" where it is not known.
func (s *Service) Script(ctx context.Context, accountID, ref, url string) (*ScriptFile, error) {
	m, err := s.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.Build.Script == "" {
		return nil, fault.New(fault.NotReady, "The model has no script yet: it is being written, or could not be. Read the model's run and error.")
	}
	p, err := checkedScript(m.Build)
	if err != nil {
		return nil, err
	}
	text, err := download.Render(p, download.Options{Model: m.ID, URL: url})
	if err != nil {
		return nil, err
	}
	return &ScriptFile{Name: m.Slug + ".py", Text: text}, nil
}

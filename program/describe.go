package program

import (
	"context"
	"fmt"

	"ballast/internal/fault"
)

// RunDescription returns the description in a run's script, for anyone who may read
// the run. It reads the run's own build, because the model may serve another script
// by now.
func (s *Runs) RunDescription(ctx context.Context, accountID, ref string) (string, error) {
	run, err := s.Run(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	build, err := s.builds.Build(ctx, run.BuildID)
	switch {
	case fault.TypeOf(err) == fault.NotFound, err == nil && build.Script == "":
		return "", nil // the script is not written yet, or was deleted with its model
	case err != nil:
		return "", fmt.Errorf("read the build of run %s: %w", run.ID, err)
	}
	p, problems := s.models.kind.scripts().Check(build.Script, nil)
	if len(problems) > 0 {
		return "", nil // the rules have changed since; the result is shown without a description
	}
	return p.Description, nil
}

package program

import (
	"context"
	"fmt"

	"ballast/internal/fault"
)

// RunDescription is what the script of a run says of itself, for whoever may read
// the run. A run keeps its own script: the model may serve another one by now.
func (s *Runs) RunDescription(ctx context.Context, accountID, ref string) (string, error) {
	run, err := s.Run(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	build, err := s.builds.Build(ctx, run.BuildID)
	switch {
	case fault.TypeOf(err) == fault.NotFound, err == nil && build.Script == "":
		return "", nil // the script is not written yet, or gone with its model
	case err != nil:
		return "", fmt.Errorf("read the build of run %s: %w", run.ID, err)
	}
	p, problems := s.models.kind.scripts().Check(build.Script, nil)
	if len(problems) > 0 {
		return "", nil // rules have changed since; the result stands without it
	}
	return p.Description, nil
}

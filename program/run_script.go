package program

import (
	"context"
	"fmt"

	"ballast/internal/fault"
	"ballast/script"
)

// RunScript returns the checked script of a run of any kind, for anyone who may read the
// run, to describe the run in words. It reads the run's own build, because the program
// may serve another script by now. It returns nil if the script is not written yet, was
// deleted with its program, or breaks rules that have changed since.
func (s *Runs) RunScript(ctx context.Context, accountID, ref string) (*script.Script, error) {
	run, err := s.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return s.scriptOf(ctx, run)
}

// scriptOf returns the script of a run that the reader may see, or nil if it cannot be read.
func (s *Runs) scriptOf(ctx context.Context, run *Run) (*script.Script, error) {
	build, err := s.builds.Build(ctx, run.BuildID)
	switch {
	case fault.TypeOf(err) == fault.NotFound, err == nil && build.Script == "":
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the build of run %s: %w", run.ID, err)
	}
	p, problems := s.known.Check(build.Script, nil)
	if len(problems) > 0 {
		return nil, nil
	}
	return p, nil
}

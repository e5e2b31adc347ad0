package execution

import (
	"context"
	"errors"
	"fmt"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/script"
	"ballast/script/sandbox"
)

// Path computes one path of a complete simulation, from 0, on the data that its run
// read. The sandbox serves the caller's account in its turn; nothing is stored. The
// caller releases the outcome.
func (e *Executor) Path(ctx context.Context, callerID string, run *program.Run, path int) (*sandbox.Outcome, error) {
	job, err := e.repeatedJob(ctx, run)
	if err != nil {
		return nil, err
	}
	job.Account, job.Path = callerID, &path
	outcome, err := e.sandbox.Run(ctx, job)
	var failed *script.RunError
	switch {
	case errors.As(err, &failed) && failed.Type == script.DataError:
		return nil, fault.New(fault.InvalidParameter, "There is no such path: %s.", failed.Message).
			With(fault.Detail{Field: "path", Message: failed.Message})
	case err != nil:
		return nil, fmt.Errorf("path %d of run %s: %w", path, run.ID, err)
	}
	return outcome, nil
}

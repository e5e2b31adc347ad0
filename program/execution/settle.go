package execution

import (
	"context"
	"time"

	"ballast/program"
)

// settleWithin bounds how long a promotion waits for its members to settle. Two
// models that are each about to hold the other would wait for ever.
const settleWithin = 5 * time.Minute

// settled has a promotion wait for members that are about to move, as a cascade
// does, so that it is computed once, on what they come to serve.
func (e *Executor) settled(ctx context.Context, run *program.Run, model *program.Model, u *program.Universe) error {
	around, err := program.Circles(ctx, e.universes, model.ID, u)
	if err != nil {
		return err
	}
	if len(around) > 0 {
		return &program.RunFailure{Failure: program.CycleFailure}
	}
	ids := make([]string, 0, len(u.Models))
	for _, m := range u.Models {
		ids = append(ids, m.ID)
	}
	if len(ids) == 0 || e.now().Sub(run.CreatedAt) > settleWithin {
		return nil
	}
	move, err := e.universes.Moving(ctx, ids)
	if err != nil {
		return err
	}
	if move {
		return program.ErrMembersPending
	}
	return nil
}

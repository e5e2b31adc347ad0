package execution

import (
	"context"
	"time"

	"ballast/program"
)

// settleWithin limits how long a promotion waits for its members to settle. Two
// models that are each about to hold the other would otherwise wait for ever.
const settleWithin = 5 * time.Minute

// awaitMembers makes a promotion wait for members that are about to change, as a cascade
// does, so that it is computed once, from what they come to serve.
func (e *Executor) awaitMembers(ctx context.Context, run *program.Run, model *program.Model, u *program.Universe) error {
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

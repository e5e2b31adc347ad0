package execution

import (
	"context"
	"errors"
	"testing"
	"time"

	"ballast/program"
)

// graph has models that may be about to change, and knows what they hold.
type graph struct {
	moving bool
	below  []program.Membership
}

func (g *graph) Moving(context.Context, []string) (bool, error) { return g.moving, nil }

func (g *graph) Below(context.Context, []string) ([]program.Membership, error) { return g.below, nil }

func (*graph) Models(context.Context, string, program.ModelFilter) ([]*program.Sheet, int, error) {
	return nil, 0, nil
}

func (*graph) ModelsByKey(context.Context, string, []string) (map[string]*program.Sheet, error) {
	return nil, nil
}

func (*graph) KeepEntries(context.Context, string, program.Entries) error { return nil }

func TestPromotionsWaitForTheirMembers(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)
	d := &graph{moving: true}
	e := NewExecutor(ExecutorConfig{Members: d, Now: func() time.Time { return now }})
	model := &program.Model{ID: "model_1"}
	u := &program.Universe{Models: map[string]*program.Sheet{"M": {Model: program.Model{ID: "model_2"}}}}
	settled := func(created time.Time) error {
		return e.awaitMembers(t.Context(), &program.Run{CreatedAt: created}, model, u)
	}
	if err := settled(now.Add(-time.Minute)); !errors.Is(err, program.ErrMembersPending) {
		t.Errorf("while a member moves: %v", err)
	}
	if err := settled(now.Add(-settleWithin - time.Second)); err != nil {
		t.Errorf("after the longest wait: %v", err)
	}
	d.moving = false
	if err := settled(now); err != nil {
		t.Errorf("with members at rest: %v", err)
	}
	// The member now holds this model and waits for it, so neither would ever end.
	d.moving, d.below = true, []program.Membership{{HolderID: "model_2", MemberID: "model_1"}}
	var failed *program.RunFailure
	if err := settled(now); !errors.As(err, &failed) || failed.Failure != program.CycleFailure {
		t.Errorf("in a circle: %v", err)
	}
}

func (*graph) OptimizerNames(context.Context, string) ([]string, error) { return nil, nil }

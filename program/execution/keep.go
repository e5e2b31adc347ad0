package execution

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ballast/internal/fault"
	"ballast/program"
)

// keep queues the points that an analysis keeps as snapshots of their models. A point
// that has a run already keeps that one, so trying again, after a crash too, adds nothing.
// What the account's limits do not allow is left out, and the log of the result says why.
// Refreshes queue nothing, because nobody has asked for more runs.
func (e *Executor) keep(ctx context.Context, run *program.Run, c *computation) error {
	for _, k := range c.outcome.Keep {
		if k.Sweep >= len(c.swept) || k.Point >= len(c.swept[k.Sweep].Points) {
			return fmt.Errorf("run %s keeps point %d of sweep %d, which does not exist", run.ID, k.Point, k.Sweep)
		}
		sweep := &c.swept[k.Sweep].Sweep
		i := slices.IndexFunc(c.members.pinned, func(m program.Member) bool { return m.Key == sweep.Model })
		runID, err := e.snapshot(ctx, run, &c.members.pinned[i], sweep.Values(k.Point), fmt.Sprintf("Point %d of a sweep", k.Point+1))
		var refused *fault.Error
		if errors.As(err, &refused) {
			c.outcome.Log = append(c.outcome.Log, fmt.Sprintf("Point %d was not kept. %s", k.Point+1, refused.Message))
			continue
		}
		if err != nil {
			return err
		}
		if runID == "" {
			continue
		}
		c.kept = append(c.kept, program.KeptPoint{Model: sweep.Model, Point: k.Point + 1, RunID: runID})
	}
	return nil
}

// snapshot returns the run of a member with these inputs. If there is none, it queues
// one, or returns "" in a refresh.
func (e *Executor) snapshot(ctx context.Context, run *program.Run, member *program.Member, values map[string]any, label string) (string, error) {
	pinned, err := e.programs.Run(ctx, member.RunID)
	if err != nil {
		return "", err
	}
	build, err := e.programs.Build(ctx, pinned.BuildID)
	if err != nil {
		return "", err
	}
	checked, err := program.CheckedScript(e.kinds, build)
	if err != nil {
		return "", err
	}
	base, err := program.BoundInputs(checked, pinned)
	if err != nil {
		return "", err
	}
	all := base.Map()
	maps.Copy(all, values)
	inputs, details := checked.Bind(all)
	if len(details) > 0 {
		return "", fmt.Errorf("bind the inputs of a point: %s %s", details[0].Field, details[0].Message)
	}
	runID, err := e.programs.RunWith(ctx, build.ID, inputs.JSON())
	if runID != "" || err != nil || run.Source.Routine() {
		return runID, err
	}
	queued, err := e.snapshots.StartRun(ctx, run.AccountID, member.ID, program.RunRequest{Inputs: all, Label: label, Intent: "test"})
	if err != nil {
		return "", err
	}
	return queued.ID, nil
}

package history

import (
	"context"
	"fmt"

	"ballast/program"
)

// memberRuns reads the runs that a run was pinned to, at every depth and as the
// reader may see them, with one query per level. The run itself must already be as
// the reader sees it.
func memberRuns(ctx context.Context, by program.Reader, run *program.Run) (map[string]*program.Run, error) {
	runs := map[string]*program.Run{run.ID: run}
	for level := []*program.Run{run}; len(level) > 0; {
		var wanted []string
		for _, r := range level {
			for _, m := range r.Members {
				if m.RunID != "" && runs[m.RunID] == nil {
					wanted = append(wanted, m.RunID)
				}
			}
		}
		level = level[:0]
		if len(wanted) == 0 {
			break
		}
		found, err := by.Store.RunsByID(ctx, wanted)
		if err != nil {
			return nil, fmt.Errorf("read member runs: %w", err)
		}
		for _, runID := range wanted {
			r, ok := found[runID]
			if ok && runs[runID] == nil {
				runs[runID] = r
				level = append(level, r)
			}
		}
		if level, err = by.Sees(ctx, level...); err != nil {
			return nil, err
		}
		for _, r := range level {
			runs[r.ID] = r
		}
	}
	return runs, nil
}

func membersByKey(run *program.Run) map[string]program.Member {
	members := make(map[string]program.Member, len(run.Members))
	for _, m := range run.Members {
		members[m.Key] = m
	}
	return members
}

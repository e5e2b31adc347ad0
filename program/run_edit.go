package program

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/internal/fault"
)

const longestRunLabel = 200 // characters

// PatchRun relabels or shares one of the caller's runs. Anyone who has the id of a
// shared run can read it until it is no longer shared.
func (s *Runs) PatchRun(ctx context.Context, accountID, ref string, p RunPatch) (*Run, error) {
	r, err := s.ownRun(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	p.Label.To = strings.TrimSpace(p.Label.To)
	if strings.ContainsFunc(p.Label.To, unicode.IsControl) || utf8.RuneCountInString(p.Label.To) > longestRunLabel {
		return nil, fault.New(fault.InvalidBody, "The run cannot have this label. Nothing has changed.").
			With(fault.Detail{Field: "label", Message: "must be up to 200 characters on one line"})
	}
	if err := s.changes.PatchRun(ctx, r.ID, p); err != nil {
		return nil, err
	}
	return s.store.Run(ctx, r.ID)
}

// DeleteRun deletes one of the caller's runs that has ended, for good. No row names
// its result objects any more, so the sweep deletes them.
func (s *Runs) DeleteRun(ctx context.Context, accountID, ref string) (runID string, err error) {
	r, err := s.ownRun(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	if err := s.changes.DeleteRun(ctx, r.ID); err != nil {
		return "", err
	}
	s.log.InfoContext(ctx, "run deleted", "run_id", r.ID, "model_id", r.ProgramID)
	return r.ID, nil
}

// ownRun reads a run that belongs to the caller. Another account's run is not found,
// even if it is shared.
func (s *Runs) ownRun(ctx context.Context, accountID, ref string) (*Run, error) {
	r, err := s.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if r.AccountID != accountID {
		return nil, fault.Missing("run", ref)
	}
	return r, nil
}

// RunPatch changes a run's label and who may read it.
type RunPatch struct {
	Label  Change[string] // "" removes the label
	Shared Change[bool]
}

package program

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"ballast/internal/fault"
)

// Strategy is what a model serves. Drafts start from it, and tests are compared with
// it. Strategies with the same hash are the same.
type Strategy struct {
	Hash   string // SHA-256 of the script
	Script string
	Prompt string // "" without
}

// SavedDraft is what an owner has changed about a strategy without publishing it.
type SavedDraft struct {
	ModelID   string
	Version   int     // grows by one with each change
	BaseHash  string  // hash of the strategy that was edited
	Script    *string // nil: the same as the strategy's
	Prompt    *string // nil: the same as the strategy's
	UpdatedAt time.Time
}

// Draft is the working copy of a model's strategy, as its owner reads it.
type Draft struct {
	ModelID    string
	Version    int // 0 of a copy that was never saved
	BaseHash   string
	Script     string
	Prompt     string // "" without
	Dirty      bool   // differs from what the model serves
	Validation *Validation
	UpdatedAt  *time.Time // nil of a copy that was never saved
}

// DraftEdit saves a draft. Fields that are nil stay the same.
type DraftEdit struct {
	ModelID         string
	ExpectedVersion int
	BaseHash        string
	Script          *string
	Prompt          *string
	Reset           bool // starts again from what the model serves
}

// DraftStore stores drafts, one per model.
type DraftStore interface {
	// Draft reads a model's saved draft, or nil if none was saved, and the strategy
	// that the model serves; fault.NotReady if it serves none.
	Draft(ctx context.Context, modelID string) (*SavedDraft, *Strategy, error)
	// SaveDraft changes a draft as DraftEdit.Apply does, and returns the same faults;
	// also fault.NotFound and fault.NotReady.
	SaveDraft(ctx context.Context, e DraftEdit) error
}

// Drafts edits what models serve: drafts, their tests, and the revisions that result.
type Drafts struct {
	models    *Models
	writer    *writer
	store     DraftStore
	revisions RevisionReader
	changes   RevisionChanges
	builds    BuildReader
	log       *slog.Logger
	now       func() time.Time
}

// Draft reads the working copy of one of the caller's models: the saved draft, or a
// copy of what the model serves. Nothing is written.
func (s *Drafts) Draft(ctx context.Context, accountID, ref string) (*Draft, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return s.draft(ctx, m)
}

// SaveDraft saves the working copy of one of the caller's models. A script is stored
// even if it is not valid. What the model serves does not change.
func (s *Drafts) SaveDraft(ctx context.Context, accountID, ref string, e DraftEdit) (*Draft, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if err := e.checked(); err != nil {
		return nil, err
	}
	e.ModelID = m.ID
	if err := s.store.SaveDraft(ctx, e); err != nil {
		return nil, err
	}
	return s.draft(ctx, m)
}

func (s *Drafts) draft(ctx context.Context, m *Sheet) (*Draft, error) {
	saved, strategy, err := s.store.Draft(ctx, m.ID)
	if err != nil {
		return nil, err
	}
	d := strategy.draft(m.ID, saved)
	c, err := check(ctx, s.writer.kind.scripts(), s.writer.names, draftOf(m), d.Script)
	if err != nil {
		return nil, err
	}
	d.Validation = c.Validation
	return d, nil
}

// draft returns the strategy with the edits applied. A draft that is the same as what
// is served is based on what is served.
func (s *Strategy) draft(modelID string, saved *SavedDraft) *Draft {
	d := &Draft{ModelID: modelID, BaseHash: s.Hash, Script: s.Script, Prompt: s.Prompt}
	if saved == nil {
		return d
	}
	d.Version, d.UpdatedAt = saved.Version, &saved.UpdatedAt
	if saved.Script != nil {
		d.Script = *saved.Script
	}
	if saved.Prompt != nil {
		d.Prompt = *saved.Prompt
	}
	if d.Dirty = d.Script != s.Script || d.Prompt != s.Prompt; d.Dirty {
		d.BaseHash = saved.BaseHash
	}
	return d
}

// checked refuses edits that make no sense.
func (e DraftEdit) checked() error {
	var details []fault.Detail
	if e.Reset && e.Script != nil {
		details = append(details, fault.Detail{Field: "script", Message: "cannot be combined with reset, which takes the script that is served"})
	}
	if e.Reset && e.Prompt != nil {
		details = append(details, fault.Detail{Field: "prompt", Message: "cannot be combined with reset, which takes the prompt that is stored"})
	}
	if e.Prompt != nil && strings.TrimSpace(*e.Prompt) == "" {
		details = append(details, fault.Detail{Field: "prompt", Message: "is empty; leave it out to keep the prompt"})
	}
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.InvalidBody, "The draft cannot be saved like this; details name each problem. Nothing has changed.").With(details...)
}

// Apply returns the draft after an edit. It returns fault.DraftConflict if the draft
// or the strategy is not the one that the caller has read.
func (e DraftEdit) Apply(saved *SavedDraft, s *Strategy, now time.Time) (*SavedDraft, error) {
	next := &SavedDraft{ModelID: e.ModelID, BaseHash: s.Hash, UpdatedAt: now}
	if saved != nil {
		next.Version = saved.Version
	}
	if err := e.fits(next.Version, s.Hash); err != nil {
		return nil, err
	}
	next.Version++
	if saved != nil && !e.Reset {
		next.Script, next.Prompt = saved.Script, saved.Prompt
	}
	if e.Script != nil {
		next.Script = e.Script
	}
	if e.Prompt != nil {
		next.Prompt = e.Prompt
	}
	if next.Script != nil && *next.Script == s.Script {
		next.Script = nil
	}
	if next.Prompt != nil && *next.Prompt == s.Prompt {
		next.Prompt = nil
	}
	return next, nil
}

// fits compares what the caller has read with the current version and hash.
func (e DraftEdit) fits(version int, hash string) error {
	var details []fault.Detail
	if e.ExpectedVersion != version {
		details = append(details, fault.Detail{
			Field: "expected_version", Message: fmt.Sprintf("is out of date: the draft is at version %d", version),
			Accepted: []string{strconv.Itoa(version)},
		})
	}
	if e.BaseHash != hash {
		details = append(details, fault.Detail{
			Field: "base_hash", Message: "is out of date: the model no longer serves the strategy that the draft started from",
			Accepted: []string{hash},
		})
	}
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.DraftConflict, "The draft or the strategy has changed since you read it; details name the field that is out of date and the accepted value. Read both, then save again with the accepted values. Nothing has changed.").With(details...)
}

// draftOf makes entries that a draft shares with the served script keep their
// meaning.
func draftOf(m *Sheet) subject {
	return subject{accountID: m.AccountID, model: &m.Model, kept: m.Build.Entries}
}

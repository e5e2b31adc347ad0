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

// Strategy is what a model serves: what drafts begin from and tests are held
// against. Two strategies with one hash are the same.
type Strategy struct {
	Hash   string // of the script
	Script string
	Prompt string // "" without
}

// SavedDraft is what an owner has edited of a strategy and not published.
type SavedDraft struct {
	ModelID   string
	Version   int     // one more with each change
	BaseHash  string  // of the strategy that was edited
	Script    *string // nil where it is the strategy's own
	Prompt    *string // likewise
	UpdatedAt time.Time
}

// Draft is the working copy of a model's strategy, as its owner reads it.
type Draft struct {
	ModelID    string
	Version    int // 0 of a copy that was never saved
	BaseHash   string
	Script     string
	Prompt     string // "" without
	Dirty      bool   // says something else than what the model serves
	Validation *Validation
	UpdatedAt  *time.Time // nil of a copy that was never saved
}

// DraftEdit saves a draft. What is nil stays as it is.
type DraftEdit struct {
	ModelID         string
	ExpectedVersion int
	BaseHash        string
	Script          *string
	Prompt          *string
	Reset           bool // starts over from what the model serves
}

// DraftStore keeps drafts, one a model.
type DraftStore interface {
	// Draft reads what was saved of a model's draft, nil where nothing was, with
	// the strategy that the model serves; fault.NotReady where it serves none.
	Draft(ctx context.Context, modelID string) (*SavedDraft, *Strategy, error)
	// SaveDraft changes a draft as DraftEdit.Apply does, whose faults it returns;
	// fault.NotFound, fault.NotReady.
	SaveDraft(ctx context.Context, e DraftEdit) error
}

// Drafts edits what models serve: drafts, their tests, and the revisions that
// come of them.
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

// Draft reads the working copy of one of the caller's models: what was saved, or
// a copy of what the model serves. Nothing is written.
func (s *Drafts) Draft(ctx context.Context, accountID, ref string) (*Draft, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return s.draft(ctx, m)
}

// SaveDraft saves the working copy of one of the caller's models. A script is
// kept whether or not it validates. Nothing that is served changes.
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
	c, err := check(ctx, s.writer.kind, s.writer.assets, s.writer.members, draftOf(m), d.Script)
	if err != nil {
		return nil, err
	}
	d.Validation = c.Validation
	return d, nil
}

// draft is the strategy with what was edited of it. A draft that says what is
// served follows what is served.
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

// checked refuses what no draft can be.
func (e DraftEdit) checked() error {
	var details []fault.Detail
	if e.Reset && e.Script != nil {
		details = append(details, fault.Detail{Field: "script", Message: "goes without reset: a draft that starts over has the script that is served"})
	}
	if e.Reset && e.Prompt != nil {
		details = append(details, fault.Detail{Field: "prompt", Message: "goes without reset: a draft that starts over has the prompt that is stored"})
	}
	if e.Prompt != nil && strings.TrimSpace(*e.Prompt) == "" {
		details = append(details, fault.Detail{Field: "prompt", Message: "is empty; leave it out to let it stay"})
	}
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.InvalidBody, "The draft cannot be saved so; details name each problem. Nothing has changed.").With(details...)
}

// Apply gives the draft after an edit. fault.DraftConflict where the draft or the
// strategy is another than the caller knows.
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

// fits holds what the caller knows against what is.
func (e DraftEdit) fits(version int, hash string) error {
	var details []fault.Detail
	if e.ExpectedVersion != version {
		details = append(details, fault.Detail{
			Field: "expected_version", Message: fmt.Sprintf("is stale: the draft is at version %d", version),
			Accepted: []string{strconv.Itoa(version)},
		})
	}
	if e.BaseHash != hash {
		details = append(details, fault.Detail{
			Field: "base_hash", Message: "is stale: the model serves another strategy than the one that was edited",
			Accepted: []string{hash},
		})
	}
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.DraftConflict, "The draft or the strategy has moved on; details name the stale guard and what is accepted. Read both, then save again with the accepted values. Nothing has changed.").With(details...)
}

// draftOf has the entries that a draft shares with what is served mean the same.
func draftOf(m *Sheet) subject {
	return subject{accountID: m.AccountID, model: &m.Model, kept: m.Build.Entries}
}

package program

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/script"
)

// ErrDraftMoved says that a draft, or the strategy under it, changed while its test
// was being prepared.
var ErrDraftMoved = errors.New("the draft changed in the meantime")

const (
	longestRequestKey = 200 // characters
	freezeTries       = 10
)

// TestDraft freezes the draft of one of the caller's models and tests it, without
// publishing anything. The same request key returns the same revision, even if the
// draft has changed since. If only the prompt was changed, a script is written for
// it: at once if the grammar understands it, otherwise in the background.
func (s *Drafts) TestDraft(ctx context.Context, accountID, ref, key string) (*Revision, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(key) == "" || utf8.RuneCountInString(key) > longestRequestKey || strings.ContainsFunc(key, unicode.IsControl) {
		return nil, fault.New(fault.InvalidBody, "A test needs a request_key of your choice. Use a new key for each test, and the same key only to repeat a request.").
			With(fault.Detail{Field: "request_key", Message: "must be 1 to 200 characters on one line"})
	}
	for range freezeTries {
		revisionID, err := s.revisions.RevisionByKey(ctx, m.ID, key)
		if err != nil {
			return nil, err
		}
		if revisionID != "" {
			return s.revisions.Revision(ctx, m.ID, revisionID)
		}
		v, err := s.freeze(ctx, m, key)
		if errors.Is(err, ErrDraftMoved) {
			continue
		}
		return v, err
	}
	return nil, fault.New(fault.DraftConflict, "The draft kept changing while its test was prepared. Test it again when nobody is saving it.")
}

// freeze starts the test of a draft as it is now. If another request has used the key
// in the meantime, it returns the test that that request started.
func (s *Drafts) freeze(ctx context.Context, m *Sheet, key string) (*Revision, error) {
	saved, strategy, err := s.store.Draft(ctx, m.ID)
	if err != nil {
		return nil, err
	}
	d := strategy.draft(m.ID, saved)
	if d.BaseHash != strategy.Hash {
		return nil, fault.New(fault.BaseChanged, "The model no longer serves the strategy that the draft started from. Save the draft with the base_hash of the strategy that is served to continue with it, or reset the draft.").
			With(fault.Detail{Of: "draft", Field: "base_hash", Message: "is stale", Accepted: []string{strategy.Hash}})
	}
	i, err := s.candidate(ctx, m, d, strategy)
	if err != nil {
		return nil, fault.Within("draft", err)
	}
	b, r := i.build(&m.Model, "revision", SourceDraftTest, s.now())
	r.Publishes = false
	kind, err := i.changes(strategy)
	if err != nil {
		return nil, err
	}
	v := &Revision{
		ID: id.New(id.Revision), AccountID: m.AccountID, ModelID: m.ID, Kind: kind, Tested: true, BaseHash: d.BaseHash,
		DraftVersion: d.Version, RequestKey: key, RunID: r.ID, BuildID: b.ID, CreatedAt: b.CreatedAt,
	}
	revisionID, err := s.changes.StartTest(ctx, Test{Revision: v, Build: b, Run: r, Symbol: i.symbol})
	if err != nil {
		return nil, fault.Within("draft", err)
	}
	if revisionID != v.ID {
		return s.revisions.Revision(ctx, m.ID, revisionID)
	}
	s.log.InfoContext(ctx, "draft tested", "model_id", m.ID, "revision_id", v.ID, "kind", v.Kind, "run_id", r.ID, "generator", b.Generator)
	return v, nil
}

// candidate returns what a draft asks to build. If both script and prompt changed,
// the script is built and the prompt only describes it.
func (s *Drafts) candidate(ctx context.Context, m *Sheet, d *Draft, served *Strategy) (*implementation, error) {
	source, prompt := d.Script, ""
	if d.Prompt != served.Prompt {
		prompt = d.Prompt
		if d.Script == served.Script {
			source = ""
		}
	}
	return s.writer.implement(ctx, draftOf(m), source, prompt)
}

// changes lists what an implementation changes about a strategy.
func (i *implementation) changes(s *Strategy) (RevisionKind, error) {
	if i.source == "" || i.generator != "" {
		return RevisionPrompt, nil
	}
	if i.hash == s.Hash {
		return RevisionScript, nil
	}
	served, err := scriptOf(ModelKind.scripts(), s.Script)
	if err != nil {
		return "", fmt.Errorf("the strategy %s: %w", s.Hash, err)
	}
	tested, err := scriptOf(ModelKind.scripts(), i.source)
	if err != nil {
		return "", err
	}
	if script.SameButDefaults(served, tested) {
		return RevisionInputs, nil
	}
	return RevisionScript, nil
}

package program

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/internal/fault"
	"ballast/internal/id"
)

// Revisions lists the revisions of one of the caller's models, newest first,
// including failed ones, with the total before paging.
func (s *Drafts) Revisions(ctx context.Context, accountID, ref string, f RevisionFilter) ([]*Revision, int, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, 0, err
	}
	return s.revisions.Revisions(ctx, m.ID, f)
}

// Revision reads a revision of one of the caller's models, with its script, which is
// "" until it is written.
func (s *Drafts) Revision(ctx context.Context, accountID, ref, revision string) (*Revision, string, error) {
	m, revisionID, err := s.revised(ctx, accountID, ref, revision)
	if err != nil {
		return nil, "", err
	}
	return s.revision(ctx, m.ID, revisionID)
}

func (s *Drafts) revision(ctx context.Context, modelID, revisionID string) (*Revision, string, error) {
	v, err := s.revisions.Revision(ctx, modelID, revisionID)
	if err != nil {
		return nil, "", err
	}
	return s.withScript(ctx, v)
}

// withScript adds a revision's script, which is "" until it is written.
func (s *Drafts) withScript(ctx context.Context, v *Revision) (*Revision, string, error) {
	b, err := s.builds.Build(ctx, v.BuildID)
	if err != nil {
		return nil, "", err
	}
	return v, b.Script, nil
}

const longestRevisionLabel = 200 // characters

// LabelRevision labels a test that has ended; "" removes the label. The strategy does
// not change, nor whether it can be applied.
func (s *Drafts) LabelRevision(ctx context.Context, accountID, ref, revision, label string) (*Revision, string, error) {
	m, revisionID, err := s.revised(ctx, accountID, ref, revision)
	if err != nil {
		return nil, "", err
	}
	label = strings.TrimSpace(label)
	if strings.ContainsFunc(label, unicode.IsControl) || utf8.RuneCountInString(label) > longestRevisionLabel {
		return nil, "", fault.New(fault.InvalidBody, "The revision cannot have this label. Nothing has changed.").
			With(fault.Detail{Field: "label", Message: "must be up to 200 characters on one line"})
	}
	if err := s.changes.LabelRevision(ctx, m.ID, revisionID, label); err != nil {
		return nil, "", err
	}
	return s.revision(ctx, m.ID, revisionID)
}

// ApplyRevision makes one of the caller's models serve a tested revision. Nothing is
// generated or run. If members or bars have changed since the test, a refresh
// follows.
func (s *Drafts) ApplyRevision(ctx context.Context, accountID, ref, revision string) (*Revision, string, error) {
	m, revisionID, err := s.revised(ctx, accountID, ref, revision)
	if err != nil {
		return nil, "", err
	}
	v, err := s.revisions.Revision(ctx, m.ID, revisionID)
	if err != nil {
		return nil, "", err
	}
	if f := v.Unappliable(); f != nil {
		return nil, "", f
	}
	if v.Current {
		return s.revision(ctx, m.ID, revisionID)
	}
	identity, err := s.identity(ctx, v)
	if err != nil {
		return nil, "", err
	}
	if err := unlisted(ctx, s.writer.names.assets, identity.Symbol, m.Symbol); err != nil {
		return nil, "", err
	}
	if v, err = s.changes.ApplyRevision(ctx, Application{ModelID: m.ID, RevisionID: v.ID, Identity: identity}); err != nil {
		return nil, "", err
	}
	s.log.InfoContext(ctx, "revision applied", "model_id", m.ID, "revision_id", v.ID, "run_id", v.RunID)
	return s.withScript(ctx, v)
}

// identity returns what a revision changes about its model. The store checks, when
// the revision is applied, that the model still serves the strategy that the revision
// started from.
func (s *Drafts) identity(ctx context.Context, v *Revision) (*Identity, error) {
	m, err := s.models.store.Sheet(ctx, v.ModelID)
	if err != nil {
		return nil, err
	}
	if m.Build.ScriptHash != v.BaseHash {
		return nil, baseChanged()
	}
	build, err := s.builds.Build(ctx, v.BuildID)
	if err != nil {
		return nil, err
	}
	now, err := CheckedScript(ModelKind.scripts(), build)
	if err != nil {
		return nil, err
	}
	return IdentityAfter(ModelKind.scripts(), m.Build, build, now)
}

// revised reads one of the caller's models, and parses the id of a revision.
func (s *Drafts) revised(ctx context.Context, accountID, ref, revision string) (*Sheet, string, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, "", err
	}
	revisionID, ok := id.Parse(id.Revision, revision)
	if !ok {
		return nil, "", fault.Missing("revision", revision)
	}
	return m, revisionID, nil
}

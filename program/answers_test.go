package program

import (
	"context"
	"log/slog"
	"testing"
)

// quickStore is a store whose workers finish everything before it can be read again:
// only what its transactions return still shows the work in progress.
type quickStore struct {
	*desk
}

func (s quickStore) ended() *Run {
	return &Run{ID: "run_ended", AccountID: "alice", ProgramID: "model_1", Status: RunComplete}
}

func (s quickStore) Run(_ context.Context, runID string) (*Run, error) {
	if r := s.runs[runID]; r != nil {
		return r, nil
	}
	return s.ended(), nil
}

func (s quickStore) CreateModel(_ context.Context, m *Model, b *Build, r *Run) (*Sheet, error) {
	return &Sheet{Model: *m, Build: b, InFlight: r}, nil
}

func (s quickStore) Rebuild(_ context.Context, b *Build, r *Run, _ string) (*Sheet, error) {
	return &Sheet{Model: s.sheet.Model, Build: b, InFlight: r}, nil
}

func (s quickStore) SymbolsInUse(context.Context, string, []string) (map[string]string, error) {
	return map[string]string{}, nil
}

func (s quickStore) CreateRun(context.Context, *Run, int) error { return nil }

func (s quickStore) Promote(context.Context, *Build, *Run, string) error { return nil }

func (s quickStore) Draft(context.Context, string) (*SavedDraft, *Strategy, error) {
	return nil, &Strategy{Hash: s.sheet.Build.ScriptHash, Script: s.sheet.Build.Script}, nil
}

func (s quickStore) SaveDraft(context.Context, DraftEdit) error { return nil }

func (s quickStore) Revisions(context.Context, string, RevisionFilter) ([]*Revision, int, error) {
	return nil, 0, nil
}

func (s quickStore) LabelRevision(context.Context, string, string, string) error { return nil }

func (s quickStore) RevisionByKey(context.Context, string, string) (string, error) { return "", nil }

func (s quickStore) StartTest(_ context.Context, t Test) (string, error) {
	t.Revision.Status = RunQueued
	return t.Revision.ID, nil
}

func (s quickStore) Revision(_ context.Context, modelID, revisionID string) (*Revision, error) {
	return &Revision{
		ID: revisionID, ModelID: modelID, BuildID: "build_1", RunID: runNumber("1"), Status: RunComplete, Tested: true,
		BaseHash: s.sheet.Build.ScriptHash, Strategy: s.sheet.Build.ScriptHash,
	}, nil
}

func (s quickStore) ApplyRevision(_ context.Context, a Application) (*Revision, error) {
	return &Revision{ID: a.RevisionID, ModelID: a.ModelID, BuildID: "build_1", Status: RunComplete, Current: true}, nil
}

// Whatever starts work returns what its own transaction stored, however soon the work
// ends.
func TestResponsesShowWhatTheirTransactionStored(t *testing.T) {
	t.Parallel()
	desk, _ := newDesk(t, promoted, promoted, `{"weight": 0.25}`)
	quick := quickStore{desk}
	s := New(Config{
		Stores: Stores{
			Models: quick, Members: quick, Builds: quick, BuildChanges: quick, Symbols: quick, Runs: quick, RunChanges: quick,
			Drafts: quick, Revisions: quick, RevisionChanges: quick,
		},
		Assets: listings{}, Logger: slog.New(slog.DiscardHandler),
	})
	const revision = "revision_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"
	inFlight := func(m *Sheet, err error) string {
		if err != nil {
			return err.Error()
		}
		if m.InFlight == nil {
			return "no run in flight"
		}
		return string(m.InFlight.Status)
	}
	queued := func(r *Run, err error) string {
		if err != nil {
			return err.Error()
		}
		return string(r.Status)
	}
	for name, act := range map[string]func(context.Context) string{
		"create": func(ctx context.Context) string {
			return inFlight(s.Builder.Create(ctx, "alice", CreateRequest{Script: promoted}))
		},
		"rebuild": func(ctx context.Context) string {
			return inFlight(s.Builder.Rebuild(ctx, "alice", "WGT", RebuildRequest{Script: promoted}))
		},
		"run":     func(ctx context.Context) string { return queued(s.Runs.StartRun(ctx, "alice", "WGT", RunRequest{})) },
		"promote": func(ctx context.Context) string { return queued(s.Runs.Promote(ctx, "alice", runNumber("1"))) },
		"test": func(ctx context.Context) string {
			v, err := s.Drafts.TestDraft(ctx, "alice", "WGT", "first")
			if err != nil {
				return err.Error()
			}
			return string(v.Status)
		},
		"apply": func(ctx context.Context) string {
			v, _, err := s.Drafts.ApplyRevision(ctx, "alice", "WGT", revision)
			if err != nil {
				return err.Error()
			}
			if !v.Current {
				return "not current"
			}
			return "queued"
		},
	} {
		if got := act(t.Context()); got != "queued" {
			t.Errorf("%s answers %s", name, got)
		}
	}
}

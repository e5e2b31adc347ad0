package program

import (
	"context"
	"encoding/json"
	"time"

	"ballast/internal/fault"
)

// RevisionKind is what a revision changed about the strategy before it.
type RevisionKind string

// Kinds of revisions.
const (
	RevisionScript RevisionKind = "script" // the script
	RevisionPrompt RevisionKind = "prompt" // the prompt, from which the script was written
	RevisionInputs RevisionKind = "inputs" // only default literals of INPUTS
)

// Revision is a strategy that a model serves or has served, or the test of a draft.
type Revision struct {
	ID           string // revision_…
	AccountID    string
	ModelID      string
	Number       int // number among the model's revisions, from 1
	Label        string
	Kind         RevisionKind
	Status       RunStatus // status of its build
	Current      bool      // the model serves it
	Tested       bool      // it was made by testing a draft
	Progress     Progress
	Inputs       json.RawMessage // every input with its value
	InputsSchema json.RawMessage
	ScriptHash   string // "" until the script is written
	BaseHash     string // hash of the strategy that it started from; "" for the first revision
	Strategy     string // hash of the strategy that the model serves
	DraftVersion int    // version of the draft that was tested; 0 if none was saved
	RequestKey   string // request key of the test
	RunID        string // "" if its owner has deleted the run
	BuildID      string
	Warning      string // for readers of its result
	Failure      *Failure
	Usage        *Usage
	CreatedAt    time.Time
	FinishedAt   *time.Time
	AppliedAt    *time.Time // when the model began to serve it
}

// Unappliable returns why a model cannot serve a revision, or nil if it can or
// already does.
func (v *Revision) Unappliable() *fault.Error {
	switch {
	case v.Current:
		return nil
	case !v.Tested:
		return fault.New(fault.NotApplicable, "The revision is not a test. Save its script as the draft and test that.")
	case v.AppliedAt != nil:
		return fault.New(fault.BaseChanged, "The revision was applied, and the model serves another strategy since. Save its script as the draft and test that.")
	case v.Status == RunFailed:
		return fault.New(fault.NotApplicable, "The test failed; its error says why. Correct the draft and test it again.")
	case v.Status != RunComplete:
		return fault.New(fault.NotApplicable, "The test has not ended. Poll the revision until it has.")
	case v.RunID == "":
		return fault.New(fault.NotApplicable, "The test's run was deleted, and its result with it. Test the draft again.")
	case v.BaseHash != v.Strategy:
		return baseChanged()
	}
	return nil
}

func baseChanged() *fault.Error {
	return fault.New(fault.BaseChanged, "The model no longer serves the strategy that the draft started from. Save the draft with the base_hash of the strategy that is served, and test it again.")
}

// Unnameable returns why a revision cannot have a label, or nil if it can: only tests
// that have ended have labels.
func (v *Revision) Unnameable() *fault.Error {
	switch {
	case !v.Tested:
		return fault.New(fault.NotApplicable, "The revision is not a test of a draft, so it cannot have a label.")
	case !v.Status.Ended():
		return fault.New(fault.NotReady, "The test has not ended. Label the revision when it has.")
	}
	return nil
}

// RevisionFilter selects revisions for a list.
type RevisionFilter struct {
	Event  string // changes: revisions that were served; tests: tests of drafts; "": all
	Limit  int
	Offset int
}

// Test is the test of a draft before it is stored.
type Test struct {
	Revision *Revision
	Build    *Build
	Run      *Run
	Symbol   string // the symbol that the script sets; "" if none
}

// Application asks a model to serve a revision.
type Application struct {
	ModelID    string
	RevisionID string
	Identity   *Identity // compared with the strategy that the revision started from
}

// RevisionReader reads revisions.
type RevisionReader interface {
	// RevisionByKey returns the id of the test with a request key, or "".
	RevisionByKey(ctx context.Context, modelID, key string) (string, error)
	// Revision reads one of a model's revisions; fault.NotFound.
	Revision(ctx context.Context, modelID, revisionID string) (*Revision, error)
	// Revisions lists a model's revisions, newest first, with the total before
	// paging.
	Revisions(ctx context.Context, modelID string, f RevisionFilter) ([]*Revision, int, error)
}

// RevisionChanges adds revisions and changes them. Each method is one transaction
// that also queues the resulting jobs.
type RevisionChanges interface {
	// StartTest adds the revision of a test with its build and run, and queues the
	// run, if the draft and the strategy are still those of the revision; otherwise
	// it returns ErrDraftMoved. It returns the id of the revision, or of an earlier
	// test with the same request key. After a new test, t.Revision is what the
	// transaction left. fault.NotFound, fault.NotReady, fault.SymbolTaken,
	// fault.InsufficientFunds.
	StartTest(ctx context.Context, t Test) (string, error)
	// LabelRevision labels a revision; fault.NotFound, and the faults of Unnameable.
	LabelRevision(ctx context.Context, modelID, revisionID, label string) error
	// ApplyRevision makes a model serve a tested revision: script, inputs, members
	// and result together. If members or bars have changed since the test, a new run
	// is queued. Applying the current revision changes nothing. It returns
	// fault.NotFound, the faults of Unappliable, fault.RunConflict or
	// fault.RebuildConflict while a default run or build is in progress, and
	// fault.ReferenceCycle if a member now holds the model. It returns the
	// revision as the transaction left it.
	ApplyRevision(ctx context.Context, a Application) (*Revision, error)
}

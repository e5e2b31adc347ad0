package program

import (
	"context"
	"encoding/json"
	"time"

	"ballast/internal/fault"
)

// RevisionKind says what a revision changed of the strategy before it.
type RevisionKind string

// The kinds of revisions.
const (
	RevisionScript RevisionKind = "script" // the implementation
	RevisionPrompt RevisionKind = "prompt" // the description, from which the script was written
	RevisionInputs RevisionKind = "inputs" // default literals of INPUTS alone
)

// Revision is a strategy that a model has served or serves, or the test of a
// draft, which it may come to serve.
type Revision struct {
	ID           string // revision_…
	AccountID    string
	ModelID      string
	Number       int // of the model's revisions, from 1
	Label        string
	Kind         RevisionKind
	Status       RunStatus // of its build
	Current      bool      // the model serves it
	Tested       bool      // it was made by testing a draft
	Progress     Progress
	Inputs       json.RawMessage // every input with its value
	InputsSchema json.RawMessage
	ScriptHash   string // "" until the script is written
	BaseHash     string // of the strategy that it began from, "" of the first
	Strategy     string // hash of the strategy that the model serves
	DraftVersion int    // of the draft that was tested, 0 where none was saved
	RequestKey   string // of the test
	RunID        string // "" where its owner has deleted the run
	BuildID      string
	Warning      string // for who follows its result
	Failure      *Failure
	Usage        *Usage
	CreatedAt    time.Time
	FinishedAt   *time.Time
	AppliedAt    *time.Time // when it became what the model serves
}

// Unappliable is why a revision cannot become what its model serves, nil where it
// can, or is.
func (v *Revision) Unappliable() *fault.Error {
	switch {
	case v.Current:
		return nil
	case !v.Tested:
		return fault.New(fault.NotApplicable, "The revision is no test. Save its script as the draft and test that.")
	case v.AppliedAt != nil:
		return fault.New(fault.BaseChanged, "The revision was applied, and the model serves another strategy since. Save its script as the draft and test that.")
	case v.Status == RunFailed:
		return fault.New(fault.NotApplicable, "The test failed; its error says why. Mend the draft and test it again.")
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
	return fault.New(fault.BaseChanged, "The model serves another strategy than the one that was edited. Save the draft on that one and test it again.")
}

// Unnameable is why a revision takes no label, nil where it takes one: labels are
// of tests that have ended.
func (v *Revision) Unnameable() *fault.Error {
	switch {
	case !v.Tested:
		return fault.New(fault.NotApplicable, "The revision is no test of a draft, so it has no label.")
	case !v.Status.Ended():
		return fault.New(fault.NotReady, "The test has not ended. Label the revision when it has.")
	}
	return nil
}

// RevisionFilter selects revisions of a list.
type RevisionFilter struct {
	Event  string // changes: those that were served; tests; "" all
	Limit  int
	Offset int
}

// Test is the test of a draft before it is stored.
type Test struct {
	Revision *Revision
	Build    *Build
	Run      *Run
	Symbol   string // that the script gives the model, "" for none
}

// Application makes a revision what its model serves.
type Application struct {
	ModelID    string
	RevisionID string
	Identity   *Identity // against the strategy that the revision began from
}

// RevisionReader reads revisions.
type RevisionReader interface {
	// RevisionByKey returns the id of the test with a request key, "" without.
	RevisionByKey(ctx context.Context, modelID, key string) (string, error)
	// Revision reads one of a model's; fault.NotFound.
	Revision(ctx context.Context, modelID, revisionID string) (*Revision, error)
	// Revisions lists a model's, the newest first, with the total before paging.
	Revisions(ctx context.Context, modelID string, f RevisionFilter) ([]*Revision, int, error)
}

// RevisionChanges adds revisions and changes them. Each method is one transaction,
// with the rows of the jobs that follow from it.
type RevisionChanges interface {
	// StartTest adds the revision of a test with its build and run, and queues the
	// run, where the draft and the strategy are still those of the revision;
	// ErrDraftMoved where they are not. It returns the revision's id: of an earlier
	// test with the same request key, where there is one; else t.Revision is then
	// what the transaction has left. fault.NotFound, fault.NotReady,
	// fault.SymbolTaken, fault.InsufficientFunds.
	StartTest(ctx context.Context, t Test) (string, error)
	// LabelRevision names one; fault.NotFound, and the faults of Unnameable.
	LabelRevision(ctx context.Context, modelID, revisionID, label string) error
	// ApplyRevision makes a tested revision what its model serves: script, inputs,
	// members and result at once. Where members or bars have moved on since the
	// test, a fresh run is queued. Of the current revision it changes nothing.
	// fault.NotFound, the faults of Unappliable, fault.RunConflict and
	// fault.RebuildConflict while work on what is served is in flight,
	// fault.ReferenceCycle where a member has come to hold the model. It returns the
	// revision as the transaction has left it.
	ApplyRevision(ctx context.Context, a Application) (*Revision, error)
}

package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ballast/internal/fault"
	"ballast/script"
)

// ErrBuildMoved says that a model now serves another build than the one that a
// change was based on.
var ErrBuildMoved = errors.New("the model now serves another build")

// promoteTries limits how often a promotion starts again because another build was
// published in the meantime.
const promoteTries = 5

// Promote makes the inputs of one of the caller's complete runs the defaults of its
// model: it rewrites the default literals of INPUTS in the served script, and queues
// a default run of that build. If the run succeeds, the build, its members and its
// result are installed together; until then, and if it fails, the model keeps serving
// what it serves.
func (s *Runs) Promote(ctx context.Context, accountID, ref string) (*Run, error) {
	from, err := s.ownRun(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if kind := KindOf(from.ProgramID); kind != KindModel {
		return nil, fault.New(fault.NotPromotable, "The run belongs to %s, and only runs of models can be promoted. Rebuild the %s with other defaults in its script.", script.WithArticle(kind), kind)
	}
	if from.Status != RunComplete {
		return nil, fault.New(fault.RunIncomplete, "The run is %s, and only a complete one can be promoted.", from.Status)
	}
	for range promoteTries {
		m, err := s.models.store.Sheet(ctx, from.ProgramID)
		if err != nil {
			return nil, err
		}
		b, r, err := s.promotion(ctx, m, from)
		if err != nil {
			return nil, err
		}
		err = s.changes.Promote(ctx, b, r, m.BuildID)
		if errors.Is(err, ErrBuildMoved) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.log.InfoContext(ctx, "run promoted", "run_id", r.ID, "promoted_run_id", from.ID, "model_id", m.ID, "build_id", b.ID)
		return r, nil
	}
	return nil, PromotionConflict()
}

// PromotionConflict refuses a promotion while other work on the model is in progress.
func PromotionConflict() *fault.Error {
	return fault.New(fault.RunConflict, "A default run or a build of the model is in progress. Wait until the model's run is null, then promote the run.")
}

// promotion creates the build and the run that promote another run.
func (s *Runs) promotion(ctx context.Context, m *Sheet, from *Run) (*Build, *Run, error) {
	if m.InFlight != nil {
		return nil, nil, PromotionConflict()
	}
	if m.Live == nil {
		return nil, nil, fault.New(fault.NotReady, "The model has no result yet, so its defaults cannot be changed. Rebuild it first.")
	}
	served, err := CheckedScript(ModelKind.scripts(), m.Build)
	if err != nil {
		return nil, nil, err
	}
	inputs, err := s.promotable(ctx, served, from)
	if err != nil {
		return nil, nil, err
	}
	// The promoted defaults hold the same members as the run did.
	u, err := s.knownUniverse(ctx, m, inputs.Universe(), entriesOf(from.Members))
	if err != nil {
		return nil, nil, fault.Within("run", err)
	}
	p, problems := served.WithDefaults(inputs)
	if len(problems) > 0 {
		f := fault.New(fault.NotPromotable, "With the run's inputs as its defaults the script would break the contract; details name how.")
		return nil, nil, fault.Within("", f.With(scriptDetails(problems)...)) // the promoted script is not part of the request
	}
	if off, _ := p.OffDefaults(inputs); len(off) > 0 {
		return nil, nil, fmt.Errorf("promote run %s: the defaults of %v were not rewritten", from.ID, off)
	}
	schema, err := json.Marshal(p.Inputs)
	if err != nil {
		return nil, nil, fmt.Errorf("encode inputs schema: %w", err)
	}
	verdict := &Validation{Valid: true, InputsSchema: schema, HarnessVersion: script.HarnessVersion}
	i, err := implementationOf(&checked{Validation: verdict, script: p, entries: u.Entries()}, m.Build.Prompt, m.Build.Generator)
	if err != nil {
		return nil, nil, err
	}
	b, r := i.build(&m.Model, "revision", SourcePromote, s.now())
	return b, r, nil
}

// promotable returns the inputs of a run if they may become its model's defaults: the
// run's script is the served one except for default values, and the run changed
// inputs that the script declares.
func (s *Runs) promotable(ctx context.Context, served *script.Script, from *Run) (script.Inputs, error) {
	ran := served
	if from.ScriptHash != served.Hash {
		b, err := s.builds.Build(ctx, from.BuildID)
		if err != nil {
			return script.Inputs{}, err
		}
		if ran, _ = script.Check(b.Script, nil); ran == nil || !script.SameButDefaults(ran, served) {
			return script.Inputs{}, fault.New(fault.ScriptChanged, "The model's script has changed beyond the default values of its inputs since this run. Run the model again with from_run_id, and promote that run.")
		}
	}
	inputs, err := BoundInputs(ran, from)
	if err != nil {
		return script.Inputs{}, err
	}
	declared, given := served.OffDefaults(inputs)
	switch {
	case len(declared)+len(given) == 0:
		return script.Inputs{}, fault.New(fault.AlreadyDefault, "The run's inputs already are the model's defaults.")
	case inputs.StartDate() != served.Defaults().StartDate():
		return script.Inputs{}, fault.New(fault.NotPromotable, "The run has a start_date, which belongs to a run and never to the model. Run the model with from_run_id and a start_date of null, and promote that run.").
			With(fault.Detail{Of: "run", Field: "inputs.start_date", Message: "is " + inputs.StartDate().String(), Accepted: []string{"null"}})
	case len(declared) == 0:
		return script.Inputs{}, fault.New(fault.NotPromotable, "The run differs from the defaults only in %s, which belongs to a run and never to the model.", strings.Join(given, ", ")).
			With(fault.Detail{Of: "run", Field: "inputs." + given[0], Message: "is not an input of the script", Accepted: served.DeclaredInputs()})
	}
	return inputs, nil
}

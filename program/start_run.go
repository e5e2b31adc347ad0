package program

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/script"
	"ballast/script/dialect"
	"ballast/timeseries"
)

// StartRun queues a run of one of the caller's models. With the default inputs it is
// the live run; with other inputs, or with intent test, it is a snapshot.
func (s *Runs) StartRun(ctx context.Context, accountID, ref string, req RunRequest) (*Run, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.Live == nil && m.Status == StatusFailed {
		return nil, fault.New(fault.NotReady, "The model's build failed, so there is nothing to run. Read the build's error and rebuild the model with a corrected script.")
	}
	if m.Build.Script == "" {
		return nil, fault.New(fault.RunConflict, "The model's script is being written. Wait until the model's run is null.")
	}
	p, err := CheckedScript(s.models.kind.scripts(), m.Build)
	if err != nil {
		return nil, err
	}
	values, kept := req.Inputs, m.Build.Entries
	if req.FromRunID != "" {
		if values, kept, err = s.overlay(ctx, m, p, req); err != nil {
			return nil, err
		}
	}
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		return nil, fault.New(fault.InvalidInputs, "The inputs do not fit the model's schema; details name each.").With(details...)
	}
	publishes := inputs.IsDefault() && req.Intent != "test"
	if req.Intent == "refresh" && !inputs.IsDefault() {
		return nil, fault.New(fault.InvalidInputs, "A refresh uses the default inputs. Omit inputs, or omit intent to run a snapshot with these inputs.")
	}
	var entries Entries
	if !inputs.IsDefault() {
		u, err := s.knownUniverse(ctx, m, inputs.Universe(), kept)
		if err != nil {
			return nil, err
		}
		entries = u.Entries()
	}
	source := SourceManual
	if req.Intent == "refresh" {
		source = SourceRefresh
	}
	r := &Run{
		ID: id.New(id.Run), AccountID: accountID, ProgramID: m.ID, BuildID: m.Build.ID, Status: RunQueued,
		Publishes: publishes, Source: source, Intent: req.Intent, Label: req.Label, Inputs: inputs.JSON(), Entries: entries,
		ScriptHash: p.Hash, HarnessVersion: script.HarnessVersion, Progress: Progress{Step: "queued"}, CreatedAt: s.now(),
		Base: timeseries.NoDate, First: timeseries.NoDate, Last: timeseries.NoDate,
	}
	if err := s.changes.CreateRun(ctx, r, s.dailyCap); err != nil {
		return nil, err
	}
	return r, nil
}

// overlay merges the request's inputs over those of another run, as far as this
// script has them. If that run belongs to the same model and the request names no
// universe, the entries keep the meanings that the run read.
func (s *Runs) overlay(ctx context.Context, m *Sheet, p *script.Script, req RunRequest) (map[string]any, Entries, error) {
	from, err := s.Run(ctx, m.AccountID, req.FromRunID)
	if err != nil {
		return nil, nil, err
	}
	values := map[string]any{}
	if err := json.Unmarshal(from.Inputs, &values); err != nil {
		return nil, nil, fmt.Errorf("decode inputs of run %s: %w", from.ID, err)
	}
	for key := range values {
		if _, known := p.Inputs.Property(key); !known {
			delete(values, key) // an input of another script, or of an earlier version
		}
	}
	maps.Copy(values, p.WithoutBlanks(req.Inputs))
	kept := m.Build.Entries
	if _, named := req.Inputs[script.UniverseInput]; !named && from.ProgramID == m.ID {
		kept = entriesOf(from.Members).Over(kept)
	}
	return values, kept, nil
}

// knownUniverse resolves the entries of a universe. It refuses entries that name
// nothing or two things, repeat a member, or would make the model hold itself. kept
// are meanings that are already known. Its faults name the field inputs.universe.
func (s *Runs) knownUniverse(ctx context.Context, model *Sheet, entries []string, kept Entries) (*Universe, error) {
	u, err := Resolve(ctx, s.assets, s.members, model.AccountID, entries, kept)
	if err != nil {
		return nil, err
	}
	around, err := Circles(ctx, s.members, model.ID, u)
	if err != nil {
		return nil, err
	}
	var details []fault.Detail
	again := u.Twice(entries)
	for i, e := range entries {
		field := fmt.Sprintf("inputs.universe[%d]", i)
		if p, bad := u.Problem(e); bad {
			details = append(details, fault.Detail{Field: field, Message: p.Message, Suggestion: p.Suggestion, Accepted: p.Accepted, Rule: dialect.RuleUniverse})
		}
		if earlier, ok := again[e]; ok {
			details = append(details, fault.Detail{Field: field, Message: fmt.Sprintf("%q names the same member as %q", e, earlier)})
		}
		if path, ok := around[e]; ok {
			return nil, fault.New(fault.ReferenceCycle, "The model cannot hold itself.").With(fault.Detail{Field: field, Message: path})
		}
	}
	if len(details) > 0 {
		return nil, fault.New(fault.UnknownMember, "The universe has entries that do not exist, are ambiguous, or name a member twice; details name each.").With(details...)
	}
	return u, nil
}

package program

import (
	"context"
	"strings"

	"ballast/internal/fault"
	"ballast/script"
)

// Rebuild replaces the implementation of one of the caller's models with a script, or
// with what a prompt or its stored prompt describes. The model serves its current
// implementation until the new one has succeeded.
func (s *Builder) Rebuild(ctx context.Context, accountID, ref string, req RebuildRequest) (*Sheet, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.InFlight != nil && m.InFlight.Source.Builds() {
		return nil, fault.New(fault.RebuildConflict, "A build of the model is in progress. Wait until the model's run is null, then rebuild it.")
	}
	prompt := req.Prompt
	if strings.TrimSpace(req.Script) == "" && strings.TrimSpace(prompt) == "" {
		if prompt = m.Prompt; strings.TrimSpace(prompt) == "" {
			return nil, fault.New(fault.InvalidBody, "The model has no stored prompt to build from. Give a prompt or a script.").
				With(fault.Detail{Field: "prompt", Message: "is missing, and none is stored"}, fault.Detail{Field: "script", Message: "is missing"})
		}
	}
	i, err := s.writer.implement(ctx, subject{accountID: accountID, model: &m.Model}, req.Script, prompt)
	if err != nil {
		return nil, err
	}
	b, r := i.build(&m.Model, "rebuild", SourceRebuild, s.now())
	rebuilt, err := s.store.Rebuild(ctx, b, r, i.symbol)
	if err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "model rebuilding", "model_id", m.ID, "build_id", b.ID, "run_id", r.ID, "generator", b.Generator)
	return s.models.whole(ctx, rebuilt)
}

// IdentityAfter returns what changes about a model when a build replaces another.
func IdentityAfter(kinds script.Kinds, before, build *Build, now *script.Script) (*Identity, error) {
	former, err := CheckedScript(kinds, before)
	if err != nil {
		return nil, err
	}
	i := &Identity{Description: now.Description, Prompt: build.Prompt, Yields: build.Generator != ""}
	if now.Name != former.Name {
		i.Name = now.Name
	}
	if now.Symbol != former.Symbol {
		i.Symbol = now.Symbol
	}
	if now.Start != former.Start {
		i.StartRule = string(now.Start)
	}
	return i, nil
}

// With returns the model with the name and symbol of a build.
func (m *Model) With(i *Identity) *Model {
	if i == nil || i.Name == "" && i.Symbol == "" {
		return m
	}
	named := *m
	if i.Name != "" && (!i.Yields || !m.OwnName) {
		named.Name = i.Name
	}
	if i.Symbol != "" && (!i.Yields || !m.OwnSymbol) {
		named.Symbol = i.Symbol
	}
	return &named
}

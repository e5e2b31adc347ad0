package program

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/script"
	"ballast/script/download"
)

// ScriptFile is a model's script as a file that runs by itself.
type ScriptFile struct {
	Name string // file name
	Text []byte
}

// Script returns the standalone file of a model's script. The owner may use any
// reference, others the slug of a public model. url is the service's public address,
// "" if it is not known.
func (s *Models) Script(ctx context.Context, accountID, ref, url string) (*ScriptFile, error) {
	m, err := s.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.Build.Script == "" {
		return nil, fault.New(fault.NotReady, "The model has no script: it is still being written, or writing it failed. Read the model's run and error.")
	}
	p, err := CheckedScript(s.kind.scripts(), m.Build)
	if err != nil {
		return nil, err
	}
	rules, err := s.downloadedOptimizers(ctx, accountID, m, p)
	if err != nil {
		return nil, err
	}
	if name := p.SweepFunction(); name != "" {
		return nil, fault.New(fault.NotReady, "The script calls %s, which runs one of your models with other inputs. A file that runs by itself does not have the model; download the model's own script and vary its inputs there.", name)
	}
	if name := p.UnexportedFunction(); name != "" {
		return nil, fault.New(fault.NotReady, "The script calls %s, which a file that runs by itself does not have. Read its result from the service, or run it with ballast run.", name)
	}
	members, err := s.downloaded(ctx, accountID, m)
	if err != nil {
		return nil, err
	}
	text, err := download.Render(p, download.Options{Model: m.ID, URL: url, Members: members, Series: downloadedSeries(m), Optimizers: rules})
	if err != nil {
		return nil, err
	}
	return &ScriptFile{Name: m.Slug + ".py", Text: text}, nil
}

// downloaded returns the meanings of a script's universe, with the symbols that the
// assets and models have now. Models that the reader may not see are left out.
func (s *Models) downloaded(ctx context.Context, accountID string, m *Sheet) (map[string]download.Member, error) {
	var assetIDs, modelIDs []string
	for _, e := range m.Build.Entries {
		if e.Kind == MemberModel {
			modelIDs = append(modelIDs, e.ID)
		} else {
			assetIDs = append(assetIDs, e.ID)
		}
	}
	_, assets, models, err := lookUp(ctx, s.assets, s.members, m.AccountID, nil, assetIDs, modelIDs)
	if err != nil {
		return nil, err
	}
	var public map[string]bool
	if accountID != m.AccountID && len(modelIDs) > 0 {
		if public, err = s.sharing.PublicModels(ctx, modelIDs); err != nil {
			return nil, err
		}
	}
	members := make(map[string]download.Member, len(m.Build.Entries))
	for entry, e := range m.Build.Entries {
		if a := assets[e.ID]; a != nil {
			members[entry] = download.Member{Kind: string(e.Kind), ID: e.ID, Symbol: a.Symbol}
		} else if held := models[e.ID]; held != nil && (accountID == m.AccountID || public[e.ID]) {
			members[entry] = download.Member{Kind: string(e.Kind), ID: e.ID, Symbol: held.Symbol}
		}
	}
	return members, nil
}

// downloadedSeries returns the terms of the series that a model's live run has read.
func downloadedSeries(m *Sheet) map[string]download.Series {
	var sources map[string]SeriesSource
	switch {
	case m.Live == nil:
	case m.Live.Summary != nil:
		sources = m.Live.Summary.SeriesSources
	case m.Live.Answer != nil:
		sources = m.Live.Answer.SeriesSources
	}
	terms := map[string]download.Series{}
	for reference, source := range sources {
		if name, _, ok := series.Reference(reference); ok {
			terms[name] = download.Series{Monthly: source.Frequency == series.Monthly, Lag: source.Lag, Kind: string(source.Kind)}
		}
	}
	return terms
}

// downloadedOptimizers returns the versions of optimizers that the live run has used, with
// the members that their tags meant. They are the owner's alone: what another reader of
// the model may see of them are the weights.
func (s *Models) downloadedOptimizers(ctx context.Context, accountID string, m *Sheet, p *script.Script) (map[string]download.Optimizer, error) {
	if len(p.Optimizers) == 0 {
		return nil, nil
	}
	if accountID != m.AccountID {
		return nil, fault.New(fault.NotReady, "The script uses the optimizer %s, which belongs to the model's owner alone, so only the owner can download a file that runs by itself.", p.Optimizers[0])
	}
	if m.Live == nil || m.Live.Summary == nil || m.Live.Summary.Optimizers == nil {
		return nil, fault.New(fault.NotReady, "The script uses the optimizer %s. The file gets the versions that the live run has used, and the model has no live run yet. Wait for its run to end.", p.Optimizers[0])
	}
	used := make(map[string]download.Optimizer, len(p.Optimizers))
	for _, u := range *m.Live.Summary.Optimizers {
		d, err := s.rules.OptimizerDefinition(ctx, u.ID, u.Version)
		if err != nil {
			return nil, err
		}
		if lacks := download.Unsupported(*d); lacks != "" {
			return nil, fault.New(fault.NotReady, "The script uses the optimizer %s. A file that runs by itself cannot solve %s. Change the optimizer and run the model again, or run the script with ballast run.", u.Name, lacks)
		}
		used[u.Name] = download.Optimizer{Version: u.Version, Definition: d.Resolve(u.Tags)}
	}
	for _, name := range p.Optimizers {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(used)), func(known string) bool { return strings.EqualFold(known, name) }) {
			return nil, fault.New(fault.NotReady, "The script uses the optimizer %s, which the live run has not used. Run the model again.", name)
		}
	}
	return used, nil
}

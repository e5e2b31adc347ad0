package execution

import (
	"context"
	"fmt"
	"strings"

	"ballast/catalog"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/timeseries"
)

// members are the resolved and pinned entries of a universe, with their series.
type members struct {
	pinned  []program.Member
	sources []timeseries.Source
	assets  map[string]*catalog.Asset // by entry
	version int64                     // version of the bar store for the assets
	read    int64                     // latest version read, including by the member models' runs
	depth   int

	backfills map[string]*backfills.Backfill // current backfills, by asset id
	pins      map[string]int64               // versions of their proxies' bars, by asset id
}

// members resolves a universe, pins what it reads, and loads the series: bars of the
// assets at one version, returns of the member models' live runs.
func (e *Executor) members(ctx context.Context, run *program.Run, build *program.Build, model *program.Model, entries []string, progress *progressWriter, t *turn) (*members, error) {
	u, err := program.Resolve(ctx, e.assets, e.universes, model.AccountID, entries, run.Entries.Over(build.Entries))
	if err != nil {
		return nil, err
	}
	if err := unresolved(u, model.ID, entries); err != nil {
		return nil, err
	}
	if build.Entries == nil && run.Entries == nil { // the run was queued before meanings were stored
		if err := e.universes.KeepEntries(ctx, build.ID, u.Entries()); err != nil {
			return nil, err
		}
	}
	if run.Source == program.SourcePromote {
		if err := e.awaitMembers(ctx, run, model, u); err != nil {
			return nil, err
		}
	}
	progress.set("bars", 0, len(entries))
	if err := e.bring(ctx, u, entries, progress, t); err != nil {
		return nil, err
	}
	m := &members{assets: u.Assets}
	var assetIDs []string
	for _, entry := range entries {
		a := u.Assets[entry]
		if a == nil {
			continue
		}
		assetIDs = append(assetIDs, a.ID)
		m.version = max(m.version, a.BarsVersion)
	}
	if err := e.backfills(ctx, m, model.AccountID, assetIDs); err != nil {
		return nil, err
	}
	m.read = m.version
	series := map[string]timeseries.Series{}
	if len(assetIDs) > 0 {
		if series, err = e.bars.Load(ctx, assetIDs, m.version); err != nil {
			return nil, fmt.Errorf("load bars: %w", err)
		}
	}
	for i, entry := range entries {
		if a := u.Assets[entry]; a != nil {
			err = e.addAsset(ctx, m, entry, a, series)
		} else {
			err = e.addModel(ctx, m, entry, u.Models[entry])
		}
		if err != nil {
			return nil, err
		}
		progress.set("bars", i+1, len(entries))
	}
	return m, nil
}

// backfills reads the account's backfills of the assets, and the versions of the
// proxies' bars.
func (e *Executor) backfills(ctx context.Context, m *members, accountID string, assetIDs []string) (err error) {
	if len(assetIDs) == 0 {
		return nil
	}
	if m.backfills, err = e.backfilled.BackfillsOf(ctx, accountID, assetIDs); err != nil || len(m.backfills) == 0 {
		return err
	}
	if m.pins, err = e.splicer.Pins(ctx, m.backfills); err != nil {
		return err
	}
	m.version = max(m.version, backfills.LatestVersion(m.pins))
	return nil
}

func (e *Executor) addAsset(ctx context.Context, m *members, entry string, a *catalog.Asset, series map[string]timeseries.Series) error {
	s, ok := series[a.ID]
	if !ok || s.Empty() {
		return program.DataError("%s is in the catalog but has no stored bars. Import its bars, or leave it out of the universe.", a.Symbol)
	}
	var use *program.BackfillUse
	if b := m.backfills[a.ID]; b != nil {
		own := s.Base
		spliced, stretches, err := e.splicer.Before(ctx, b, s, a.SevenDay, m.version)
		if err != nil {
			return err
		}
		s, use = spliced, b.Use(own, stretches, m.pins)
	}
	m.pinned = append(m.pinned, program.Member{
		Key: entry, Kind: program.MemberAsset, ID: a.ID, Symbol: a.Symbol, Name: a.Name,
		BarsVersion: a.BarsVersion, SevenDay: a.SevenDay, Delisted: a.Delisted, First: s.Base, Last: s.Last(), Backfill: use,
	})
	m.sources = append(m.sources, timeseries.Source{Key: entry, Series: s, SevenDay: a.SevenDay, Delisted: a.Delisted})
	return nil
}

// addModel pins a member model's live run and reads its returns.
func (e *Executor) addModel(ctx context.Context, m *members, entry string, member *program.Sheet) error {
	if member.Live == nil {
		if member.Status == program.StatusFailed {
			return program.DataError("The member model %q has no result: its build failed. Correct it first, or leave it out of the universe.", entry)
		}
		return program.ErrMembersPending
	}
	s, sevenDay, err := e.results.Series(ctx, member.Live)
	if err != nil {
		return err
	}
	m.pinned = append(m.pinned, program.Member{
		Key: entry, Kind: program.MemberModel, ID: member.ID, Symbol: member.Symbol, Name: member.Name,
		RunID: member.Live.ID, SevenDay: sevenDay, First: s.Base, Last: s.Last(), Depth: member.Depth,
	})
	m.sources = append(m.sources, timeseries.Source{Key: entry, Series: s, SevenDay: sevenDay})
	m.depth = max(m.depth, member.Depth+1)
	m.read = max(m.read, program.BarsVersion(member.Live.DataVersion))
	return nil
}

// unresolved fails if entries cannot be held, or if the model is its own member.
func unresolved(u *program.Universe, modelID string, entries []string) error {
	var problems []string
	again := u.Twice(entries)
	for _, entry := range entries {
		if earlier, ok := again[entry]; ok {
			return program.DataError("The universe names one member twice, as %q and as %q.", earlier, entry)
		}
		if p, bad := u.Problem(entry); bad {
			if p.Suggestion != "" {
				p.Message += fmt.Sprintf(" (did you mean %s?)", p.Suggestion)
			}
			problems = append(problems, p.Message)
		}
		if held := u.Models[entry]; held != nil && held.ID == modelID {
			return program.DataError("The model names itself in its universe, as %q.", entry)
		}
	}
	if len(problems) > 0 {
		return program.DataError("The universe cannot be used: %s.", strings.Join(problems, "; "))
	}
	return nil
}

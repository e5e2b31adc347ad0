package program

import (
	"context"
	"fmt"
	"strings"

	"ballast/catalog"
	"ballast/timeseries"
)

// members are the resolved and pinned entries of a universe, with their series.
type members struct {
	pinned  []Member
	sources []timeseries.Source
	version int64 // of the bar store, as far as the assets go
	read    int64 // the same, with what the member models' runs have read
	depth   int

	backfills map[string]*Backfill // in force, by asset id
	pins      map[string]int64     // versions of their proxies' bars, by asset id
}

// members finds what a universe holds, pins what it read, and loads the series:
// bars of the assets as of one version, returns of the member models' live runs.
func (e *Executor) members(ctx context.Context, run *Run, build *Build, model *Model, entries []string, progress *progressWriter, t *turn) (*members, error) {
	u, err := resolve(ctx, e.assets, e.store, model.AccountID, entries, run.Entries.over(build.Entries))
	if err != nil {
		return nil, err
	}
	if err := unresolved(u, model.ID, entries); err != nil {
		return nil, err
	}
	if build.Entries == nil && run.Entries == nil { // it was queued before meanings were kept
		if err := e.store.KeepEntries(ctx, build.ID, u.entries()); err != nil {
			return nil, err
		}
	}
	if run.Source == SourcePromote {
		if err := e.settled(ctx, run, model, u); err != nil {
			return nil, err
		}
	}
	progress.set("bars", 0, len(entries))
	if err := e.bring(ctx, u, entries, progress, t); err != nil {
		return nil, err
	}
	m := &members{}
	var assetIDs []string
	for _, entry := range entries {
		a := u.assets[entry]
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
		if a := u.assets[entry]; a != nil {
			err = e.addAsset(ctx, m, entry, a, series)
		} else {
			err = e.addModel(ctx, m, entry, u.models[entry])
		}
		if err != nil {
			return nil, err
		}
		progress.set("bars", i+1, len(entries))
	}
	return m, nil
}

// backfills reads what the account has chosen to stand before assets' own bars,
// and which versions the proxies' bars are at.
func (e *Executor) backfills(ctx context.Context, m *members, accountID string, assetIDs []string) (err error) {
	if len(assetIDs) == 0 {
		return nil
	}
	if m.backfills, err = e.store.BackfillsOf(ctx, accountID, assetIDs); err != nil || len(m.backfills) == 0 {
		return err
	}
	if m.pins, err = e.splicer.pins(ctx, m.backfills); err != nil {
		return err
	}
	m.version = max(m.version, latest(m.pins))
	return nil
}

func (e *Executor) addAsset(ctx context.Context, m *members, entry string, a *catalog.Asset, series map[string]timeseries.Series) error {
	s, ok := series[a.ID]
	if !ok || s.Empty() {
		return dataError("%s is in the catalog but no bars of it are stored. Import its bars, or leave it out of the universe.", a.Symbol)
	}
	var use *BackfillUse
	if b := m.backfills[a.ID]; b != nil {
		own := s.Base
		spliced, stretches, err := e.splicer.before(ctx, b, s, a.SevenDay, m.version)
		if err != nil {
			return err
		}
		s, use = spliced, b.use(own, stretches, m.pins)
	}
	m.pinned = append(m.pinned, Member{
		Key: entry, Kind: MemberAsset, ID: a.ID, Symbol: a.Symbol, Name: a.Name,
		BarsVersion: a.BarsVersion, SevenDay: a.SevenDay, Delisted: a.Delisted, First: s.Base, Last: s.Last(), Backfill: use,
	})
	m.sources = append(m.sources, timeseries.Source{Key: entry, Series: s, SevenDay: a.SevenDay, Delisted: a.Delisted})
	return nil
}

// addModel pins a member model's live run and reads its returns.
func (e *Executor) addModel(ctx context.Context, m *members, entry string, member *Sheet) error {
	if member.Live == nil {
		if member.Status == StatusFailed {
			return dataError("The member model %q has no result: its build failed. Mend it first, or leave it out of the universe.", entry)
		}
		return ErrMembersPending
	}
	s, sevenDay, err := e.results.Series(ctx, member.Live)
	if err != nil {
		return err
	}
	m.pinned = append(m.pinned, Member{
		Key: entry, Kind: MemberModel, ID: member.ID, Symbol: member.Symbol, Name: member.Name,
		RunID: member.Live.ID, SevenDay: sevenDay, First: s.Base, Last: s.Last(), Depth: member.Depth,
	})
	m.sources = append(m.sources, timeseries.Source{Key: entry, Series: s, SevenDay: sevenDay})
	m.depth = max(m.depth, member.Depth+1)
	m.read = max(m.read, BarsVersion(member.Live.DataVersion))
	return nil
}

// unresolved says which entries cannot be held, and refuses the model itself.
func unresolved(u *universe, modelID string, entries []string) error {
	var problems []string
	again := u.twice(entries)
	for _, entry := range entries {
		if earlier, ok := again[entry]; ok {
			return dataError("The universe names one member twice, as %q and as %q.", earlier, entry)
		}
		if p, bad := u.problem(entry); bad {
			if p.Suggestion != "" {
				p.Message += fmt.Sprintf(" (did you mean %s?)", p.Suggestion)
			}
			problems = append(problems, p.Message)
		}
		if held := u.models[entry]; held != nil && held.ID == modelID {
			return dataError("The model names itself in its universe, as %q.", entry)
		}
	}
	if len(problems) > 0 {
		return dataError("The universe cannot be held: %s.", strings.Join(problems, "; "))
	}
	return nil
}

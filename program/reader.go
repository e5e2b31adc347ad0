package program

import (
	"context"
	"maps"
	"slices"
)

// Sharing reads the runs that results were computed from, and tells which models are
// shared.
type Sharing interface {
	// RunsByID reads several runs in one query. Runs that do not exist are left out;
	// runs of models in the Trash are included, because results were computed from
	// them.
	RunsByID(ctx context.Context, ids []string) (map[string]*Run, error)
	// PublicModels reports which of the models are shared by slug and not in the Trash.
	PublicModels(ctx context.Context, ids []string) (map[string]bool, error)
}

// Reader is someone who reads a run. The owner of a run sees everything in it. For a
// member model that its owner does not share, anybody else sees only what the holding
// model itself sees: the key that the script uses, and its returns as a part of the
// model's own. Its id, name and holdings stay private.
type Reader struct {
	Store     Sharing
	AccountID string // "" for someone without an account
}

// Sees returns runs as the reader may see them. A run from which something is hidden
// is a copy.
func (r Reader) Sees(ctx context.Context, runs ...*Run) ([]*Run, error) {
	var members []string
	foreign := false
	for _, run := range runs {
		if run.AccountID == r.AccountID {
			continue
		}
		foreign = true
		for _, m := range run.Members {
			if m.Kind == MemberModel {
				members = append(members, m.ID)
			}
		}
	}
	if !foreign {
		return runs, nil
	}
	var public map[string]bool
	if len(members) > 0 {
		var err error
		if public, err = r.Store.PublicModels(ctx, members); err != nil {
			return nil, err
		}
	}
	seen := make([]*Run, len(runs))
	for i, run := range runs {
		seen[i] = run
		if run.AccountID != r.AccountID {
			seen[i] = run.hiding(func(m Member) bool { return m.Kind == MemberModel && !public[m.ID] })
		}
	}
	return seen, nil
}

// seesSheet applies Sees to the run that a model serves, and to the lags of its
// members.
func (r Reader) seesSheet(ctx context.Context, m *Sheet) (*Sheet, error) {
	var err error
	if m.Live, err = r.seesOne(ctx, m.Live); err != nil || m.Live == nil {
		return m, err
	}
	for i := range m.Lags { // one per member
		if member := m.Live.Members[i]; member.Private {
			m.Lags[i].Reference = Reference{Name: member.Name, Symbol: member.Symbol}
		}
	}
	return m, nil
}

// seesOne applies Sees to one run, which may be nil.
func (r Reader) seesOne(ctx context.Context, run *Run) (*Run, error) {
	if run == nil {
		return nil, nil
	}
	seen, err := r.Sees(ctx, run)
	if err != nil {
		return nil, err
	}
	return seen[0], nil
}

// Stored returns a run as it is stored, to run it again. Use it only for results that
// show nothing but returns.
func (s *Runs) Stored(ctx context.Context, run *Run) (*Run, error) {
	if !slices.ContainsFunc(run.Members, func(m Member) bool { return m.Private }) {
		return run, nil
	}
	return s.store.Run(ctx, run.ID)
}

// hiding returns the run with private members reduced to what its script says about
// them.
func (r *Run) hiding(private func(Member) bool) *Run {
	c := *r
	c.Members = make([]Member, len(r.Members))
	hidden := map[string]bool{}
	for i, m := range r.Members {
		if private(m) {
			hidden[m.Key] = true
			m = Member{Key: m.Key, Kind: m.Kind, Symbol: m.Key, Name: m.Key, Private: true, SevenDay: m.SevenDay, First: m.First, Last: m.Last}
		}
		c.Members[i] = m
	}
	if r.Summary != nil {
		s := *r.Summary
		s.MemberSources, s.SeriesSources = withoutIDs(s.MemberSources, hidden), withoutSeriesIDs(s.SeriesSources)
		c.Summary = &s
	}
	if r.Answer != nil {
		a := *r.Answer
		a.MemberSources, a.SeriesSources = withoutIDs(a.MemberSources, hidden), withoutSeriesIDs(a.SeriesSources)
		c.Answer = &a
	}
	return &c
}

// withoutIDs returns a copy without the ids of hidden members.
func withoutIDs(sources map[string]MemberSource, hidden map[string]bool) map[string]MemberSource {
	out := maps.Clone(sources)
	for key := range hidden {
		if source, ok := out[key]; ok {
			source.ID, source.RunID = "", ""
			out[key] = source
		}
	}
	return out
}

// withoutSeriesIDs returns a copy without the ids of series. A script that is shared
// says which series it reads.
func withoutSeriesIDs(sources map[string]SeriesSource) map[string]SeriesSource {
	out := maps.Clone(sources)
	for name, source := range out {
		source.ID = ""
		out[name] = source
	}
	return out
}

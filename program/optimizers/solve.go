package optimizers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ballast/catalog"
	"ballast/internal/fair"
	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/program"
	"ballast/timeseries"
)

// MostMembers is how many members a universe of Solve may have, and mostCells how many
// squared members times bars.
const (
	MostMembers = 500
	mostCells   = 1 << 30
)

// SolveRequest names what weights are wanted for.
type SolveRequest struct {
	Universe []string
	EndDate  timeseries.Date    // NoDate: the last session
	Current  map[string]float64 // by entry of the universe; nil: nothing is held
	Lookback int                // bars that a script gets; 0: 252. The definition says it for other objectives
}

// Solved is an answer with where it comes from.
type Solved struct {
	*optimizer.Answer
	Universe    []string
	First, Last timeseries.Date // of the returns that were used
	Bars        int
	Tags        []optimizer.Tagged // of the groups
}

// Solve computes the weights of an optimizer for a universe of assets and own models, and
// stores nothing. fault.UnknownMember, fault.InvalidBody.
func (s *Service) Solve(ctx context.Context, accountID, ref string, r SolveRequest) (*Solved, error) {
	o, err := s.Find(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if n := len(r.Universe); n == 0 || n > MostMembers {
		return nil, refuse("universe", "The universe has %d members; 1 to %d are accepted.", n, MostMembers)
	}
	scripted := o.Definition.Objective == optimizer.Scripted
	bars := r.Lookback
	switch {
	case !scripted && bars != 0:
		return nil, refuse("lookback", "The lookback is for optimizers that are scripts. %s is not one: its lookback is part of its definition.", o.Name)
	case !scripted:
		bars = o.Definition.Covariance.Lookback
	case bars == 0:
		bars = defaultLookback
	}
	if e := o.Definition.Expected; e != nil {
		bars = max(bars, e.Lookback)
	}
	if cells := len(r.Universe) * len(r.Universe) * bars; cells > mostCells {
		return nil, refuse("universe", "%d members over %d bars are too much work for one request. Use fewer members or a shorter lookback: members squared times bars is at most %d.", len(r.Universe), bars, mostCells)
	}
	place, err := s.turns.Take(ctx, fair.Claim{Account: accountID})
	if err != nil {
		return nil, err
	}
	defer place.Give()
	frame, assets, err := s.frame(ctx, accountID, r.Universe)
	if err != nil {
		return nil, err
	}
	out := &Solved{Universe: r.Universe, Tags: Resolve(&o.Definition, r.Universe, assets)}
	in, err := out.input(frame, r, bars)
	if err != nil {
		return nil, err
	}
	resolved := *o
	resolved.Definition = o.Definition.Resolve(out.Tags)
	in = resolved.Definition.Bounded(in)
	if scripted {
		out.Answer, err = s.call(ctx, accountID, &resolved, frame, out, in)
	} else {
		out.Answer, err = resolved.Definition.Solve(in)
	}
	var unsolved *optimizer.Error
	if errors.As(err, &unsolved) {
		return nil, refuse("universe", "The optimizer %s has no answer: %s.", o.Name, unsolved.Message)
	}
	return out, err
}

func refuse(field, format string, args ...any) error {
	f := fault.New(fault.InvalidBody, format, args...)
	return f.With(fault.Detail{Field: field, Message: strings.TrimSuffix(f.Message, ".")})
}

// frame reads the returns of a universe, aligned as those of a model are, and its assets by
// entry.
func (s *Service) frame(ctx context.Context, accountID string, entries []string) (*timeseries.Frame, map[string]*catalog.Asset, error) {
	u, err := program.Resolve(ctx, s.assets, s.members, accountID, entries, nil)
	if err != nil {
		return nil, nil, err
	}
	again := u.Twice(entries)
	sources := make([]timeseries.Source, 0, len(entries))
	var ids []string
	version := int64(0)
	for i, entry := range entries {
		field := fmt.Sprintf("universe[%d]", i)
		if p, bad := u.Problem(entry); bad {
			return nil, nil, fault.New(fault.UnknownMember, "%s.", p.Message).With(fault.Detail{Field: field, Message: p.Message, Accepted: p.Accepted, Suggestion: p.Suggestion})
		}
		if earlier, ok := again[entry]; ok {
			return nil, nil, refuse(field, "The universe names one member twice, as %q and as %q.", earlier, entry)
		}
		if a := u.Assets[entry]; a != nil {
			ids, version = append(ids, a.ID), max(version, a.BarsVersion)
		}
	}
	loaded, err := s.bars.Load(ctx, ids, version)
	if err != nil {
		return nil, nil, fmt.Errorf("load bars: %w", err)
	}
	for i, entry := range entries {
		field := fmt.Sprintf("universe[%d]", i)
		if a := u.Assets[entry]; a != nil {
			own, ok := loaded[a.ID]
			if !ok || own.Empty() {
				return nil, nil, refuse(field, "%s has no stored bars. Import them, or leave it out of the universe.", a.Symbol)
			}
			spliced, _, err := s.splicer.Splice(ctx, accountID, a, own)
			if err != nil {
				return nil, nil, err
			}
			sources = append(sources, timeseries.Source{Key: entry, Series: spliced, SevenDay: a.SevenDay, Delisted: a.Delisted})
			continue
		}
		m := u.Models[entry]
		if m.Live == nil {
			return nil, nil, refuse(field, "The model %s has no result yet.", entry)
		}
		returns, sevenDay, err := s.results.Series(ctx, m.Live)
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, timeseries.Source{Key: entry, Series: returns, SevenDay: sevenDay})
	}
	frame, err := timeseries.Align(sources)
	return frame, u.Assets, err
}

// input takes the last bars that all members have up to the end date.
func (o *Solved) input(f *timeseries.Frame, r SolveRequest, bars int) (optimizer.Input, error) {
	end := len(f.Axis)
	if r.EndDate != timeseries.NoDate {
		end, _ = slices.BinarySearch(f.Axis, r.EndDate+1)
	}
	first := 0
	for _, m := range f.Members {
		first = max(first, m.First+1)
	}
	if first+2 > end {
		spans := make([]string, len(f.Members))
		for i, m := range f.Members {
			spans[i] = fmt.Sprintf("%s begins %s", m.Key, f.Axis[m.First])
		}
		return optimizer.Input{}, refuse("universe", "The members have fewer than two returns in common up to the end date: %s.", strings.Join(spans, ", "))
	}
	first = max(first, end-bars)
	o.First, o.Last, o.Bars = f.Axis[first], f.Axis[end-1], end-first
	in := optimizer.Input{Current: r.Current, BarsPerYear: f.BarsPerYear}
	for s, w := range r.Current {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return in, refuse("current."+s, "The current weight of %s is not a finite number.", s)
		}
	}
	for _, m := range f.Members {
		in.Symbols, in.Returns = append(in.Symbols, m.Key), append(in.Returns, m.Returns[first:end])
	}
	return in, nil
}

package backfills

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"ballast/catalog"
	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// fit gives a backfill its sources, with terms fitted on the bars that are stored
// now, and the spans that they provide. The returned check is called with the
// account's graph, so that a circle is reported before sources that provide nothing.
func (s *Service) fit(ctx context.Context, b *Backfill, a *catalog.Asset, requests []SourceRequest) (check func(Graph) error, err error) {
	if a.FirstPriceDate == timeseries.NoDate {
		return nil, refusedBackfill("symbol", "No bars of %s are stored, so there is nothing to extend. Import its bars, or read its history if a provider has them.", a.Symbol)
	}
	if n := len(requests); n == 0 || n > MostSources {
		return nil, refusedBackfill("sources", "A backfill has 1 to %d sources; %d are given.", MostSources, n)
	}
	f := &fitting{Service: s, b: b, asset: a, sessions: metrics.DefaultBarsPerYear}
	if a.SevenDay {
		f.sessions = daysOfYear
	}
	loaded, err := s.splice.bars.Load(ctx, []string{a.ID}, a.BarsVersion)
	if err != nil {
		return nil, fmt.Errorf("load the bars of %s: %w", a.Symbol, err)
	}
	f.own = loaded[a.ID]
	b.Sources = make([]Source, 0, len(requests))
	for i := range requests {
		if err := f.add(ctx, i, &requests[i]); err != nil {
			return nil, err
		}
	}
	_, stretches, err := s.splice.Before(ctx, b, f.own, a.SevenDay, f.version)
	if err != nil {
		return nil, err
	}
	b.Spliced = b.splices(stretches)
	return func(g Graph) error {
		if err := acyclicBackfill(b, g); err != nil {
			return err
		}
		return f.used(stretches)
	}, nil
}

// daysOfYear is the number of sessions per year for an asset that trades every day.
const daysOfYear = 365

// fitting is a version that is being made.
type fitting struct {
	*Service
	b        *Backfill
	asset    *catalog.Asset
	own      timeseries.Series
	sessions int   // sessions per year
	version  int64 // version of the proxies' bars
}

// add resolves, reads and fits one source.
func (f *fitting) add(ctx context.Context, i int, r *SourceRequest) error {
	at := fmt.Sprintf("sources[%d]", i)
	source, proxy, err := f.source(ctx, at, r)
	if err != nil {
		return err
	}
	for _, earlier := range f.b.Sources {
		if earlier.ID == source.ID {
			return refusedBackfill(at, "%s is a source of the backfill twice.", source.Symbol)
		}
	}
	if source.ID == f.b.AssetID {
		f.b.Sources = append(f.b.Sources, *source)
		return acyclicBackfill(f.b, nil)
	}
	if proxy != nil {
		f.version = max(f.version, proxy.BarsVersion)
	}
	series, err := f.splice.read(ctx, source, f.version)
	if err != nil {
		return fmt.Errorf("read %s: %w", source.Symbol, err)
	}
	overlap := backfill.Common(f.own, series)
	leverage := 1.0
	if proxy != nil && proxy.Leverage != 0 {
		leverage = f.asset.Leverage / proxy.Leverage
	}
	source.Scale, source.Basis, err = backfill.Scale(source.Method, overlap, leverage)
	if err != nil {
		return f.unfit(at, source, err)
	}
	if source.Expense, err = f.expense(at, source, proxy); err != nil {
		return err
	}
	costs := backfill.Costs{Expense: source.Expense}
	if source.FinancingRate != nil {
		costs.Financing = *source.FinancingRate
	}
	terms := backfill.NewTerms(source.Scale, costs, f.sessions)
	source.Drag, source.Tracking = terms.Drag, backfill.Track(overlap, terms, f.sessions)
	f.b.Sources = append(f.b.Sources, *source)
	return nil
}

// source finds what a request names. The asset is nil for a model.
func (f *fitting) source(ctx context.Context, at string, r *SourceRequest) (*Source, *catalog.Asset, error) {
	s := &Source{
		Method: r.Method, ExpenseAdjust: r.ExpenseAdjust, ExpenseDifference: r.ExpenseDifference, FinancingRate: r.FinancingRate,
	}
	switch {
	case (r.Symbol == "") == (r.Model == ""):
		return nil, nil, refusedBackfill(at, "A source has either symbol, for an asset, or model, for one of your models.")
	case r.ExpenseDifference != nil && !r.ExpenseAdjust:
		return nil, nil, refusedBackfill(at+".expense_difference", "expense_difference has an effect only with expense_adjust: true.")
	case r.Model != "":
		return s, nil, f.model(ctx, at+".model", r.Model, s)
	}
	a, err := f.Service.asset(ctx, r.Symbol, at+".symbol")
	if err != nil {
		return nil, nil, err
	}
	if a.FirstPriceDate == timeseries.NoDate {
		return nil, nil, refusedBackfill(at+".symbol", "No bars of %s are stored. Import its bars, or read its history if a provider has them.", a.Symbol)
	}
	s.Kind, s.ID, s.Symbol, s.Name, s.SevenDay = program.MemberAsset, a.ID, a.Symbol, a.Name, a.SevenDay
	return s, a, nil
}

// model pins the live run of one of the account's models.
func (f *fitting) model(ctx context.Context, field, ref string, s *Source) error {
	found, err := f.members.ModelsByKey(ctx, f.b.AccountID, []string{ref})
	if err != nil {
		return err
	}
	m := found[ref]
	switch {
	case m == nil:
		near, err := f.nearModel(ctx, ref)
		if err != nil {
			return err
		}
		return unknownMember(ref, field, "is not one of your models", near)
	case m.Namesakes != nil:
		return refusedBackfill(field, "%q is the name of several of your models (%s): name one by its symbol or id.", ref, strings.Join(m.Namesakes, ", "))
	case m.Live == nil:
		return fault.New(fault.NotReady, "The model %s has no result to read yet.", m.Symbol).With(fault.Detail{Field: field, Message: "has no result yet"})
	}
	_, s.SevenDay, err = f.splice.results.Series(ctx, m.Live)
	s.Kind, s.ID, s.Symbol, s.Name, s.RunID = program.MemberModel, m.ID, m.Symbol, m.Name, m.Live.ID
	return err
}

// nearModel returns the symbol of the account's model that is most similar to a
// reference.
func (f *fitting) nearModel(ctx context.Context, ref string) (string, error) {
	sheets, _, err := f.members.Models(ctx, f.b.AccountID, program.ModelFilter{Limit: program.MostModelNames})
	if err != nil {
		return "", err
	}
	symbols := make([]string, len(sheets))
	for i, m := range sheets {
		symbols[i] = m.Symbol
	}
	return nearest.Match(strings.ToUpper(ref), symbols), nil
}

// expense returns the annual cost to subtract, if that was asked for.
func (f *fitting) expense(at string, s *Source, proxy *catalog.Asset) (float64, error) {
	switch {
	case !s.ExpenseAdjust:
		return 0, nil
	case s.ExpenseDifference != nil:
		return *s.ExpenseDifference, nil
	}
	own, err := expenseOf(at, f.asset)
	if err != nil || proxy == nil {
		return own, err
	}
	charged, err := expenseOf(at, proxy)
	return backfill.Expense(own, charged, s.Scale), err
}

// expenseOf returns an asset's expense ratio, which is 0 for stocks and coins.
func expenseOf(at string, a *catalog.Asset) (float64, error) {
	switch {
	case a.ExpenseRatio != nil:
		return *a.ExpenseRatio, nil
	case a.Type == "stock" || a.Type == "crypto":
		return 0, nil
	}
	return math.NaN(), refusedBackfill(at+".expense_adjust", "The catalog has no expense ratio for %s. Give the annual difference as expense_difference, or leave expense_adjust out.", a.Symbol)
}

// unfit explains why a method cannot be fitted.
func (f *fitting) unfit(at string, s *Source, err error) error {
	var short *backfill.TooShort
	var flat *backfill.Flat
	switch {
	case errors.As(err, &short):
		return refusedBackfill(at+".method", "The method %s needs sessions that both %s and %s have: there are %d, and %d are needed. Use raw, or a proxy with more common sessions.",
			s.Method, f.asset.Symbol, s.Symbol, short.Have, backfill.MinOverlap)
	case errors.As(err, &flat):
		return refusedBackfill(at+".method", "The method %s cannot be fitted: %s or %s does not move on their common sessions. Use raw.", s.Method, f.asset.Symbol, s.Symbol)
	}
	return err
}

// used refuses sources that add no days.
func (f *fitting) used(stretches []backfill.Stretch) error {
	from := make([]timeseries.Date, len(f.b.Sources))
	for i := range from {
		from[i] = timeseries.NoDate
	}
	for _, s := range stretches {
		from[s.Proxy] = s.Start
	}
	join := f.own.Base
	for i, source := range f.b.Sources {
		if from[i] == timeseries.NoDate {
			return refusedBackfill(fmt.Sprintf("sources[%d]", i),
				"%s adds no days: a source must have bars before %s that reach to within %d days of it. Leave it out, or move it to another position.",
				source.Symbol, join, backfill.Reach)
		}
		join = from[i]
	}
	return nil
}

func refusedBackfill(field, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	return fault.New(fault.InvalidBody, "%s", message).With(fault.Detail{Field: field, Message: message})
}

// requestsOf returns the requests that sources were made from.
func requestsOf(sources []Source) []SourceRequest {
	requests := make([]SourceRequest, len(sources))
	for i, s := range sources {
		requests[i] = SourceRequest{
			Method: s.Method, ExpenseAdjust: s.ExpenseAdjust, ExpenseDifference: s.ExpenseDifference, FinancingRate: s.FinancingRate,
		}
		if s.Kind == program.MemberModel {
			requests[i].Model = s.ID
		} else {
			requests[i].Symbol = s.Symbol
		}
	}
	return requests
}

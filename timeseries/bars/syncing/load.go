package syncing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ballast/internal/fault"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/reports"
)

const (
	// overlap is how many days before the last stored bar are requested again, to
	// check that they have not changed.
	overlap = 45
	// wholeEvery is how often the whole history of an asset is requested, to detect
	// changes further back.
	wholeEvery = 30 * 24 * time.Hour
)

// load requests bars and stores them. It returns no error: the End says how it went.
func (l *Syncer) load(ctx context.Context, a Asset, s State, r request) End {
	end := End{Outcome: Unchanged, Provider: s.Provider, Quiet: s.Quiet + 1}
	err := l.bring(ctx, a, s, r, &end)
	if err != nil {
		end.Provider, end.Whole = s.Provider, false
	}
	log := l.c.Logger.With("asset_id", a.ID, "symbol", a.Symbol)
	switch {
	case err == nil && end.Outcome == Brought:
		end.Quiet = 0
		if last, err := l.last(ctx, a); err == nil && last < l.expected(a) {
			end.Wait = quietWait(0) // the provider is late: request the rest again, but not at once
		}
		log.InfoContext(ctx, "bars loaded", "provider", end.from)
	case err == nil:
		end.Wait = quietWait(s.Quiet)
	case ctx.Err() != nil:
		end.Outcome, end.Message, end.Quiet = Failed, stopped.Message, s.Quiet
	case provider.KindOf(err) == provider.Unknown:
		end.Outcome, end.Wait = NotKnown, time.Hour
		end.Message = fmt.Sprintf("No provider has bars of %s.", a.Symbol)
	default:
		end.Outcome, end.Wait, end.refused = Failed, failedWait(err, s.Quiet), isRefusal(err)
		end.Message = public(a, err)
		log.WarnContext(ctx, "could not load bars", "error", err, "again_in", end.Wait)
	}
	return end
}

// quietWait is how long to wait after a load that brought nothing.
func quietWait(quiet int) time.Duration { return min(15*time.Minute<<min(quiet, 6), 6*time.Hour) }

// failedWait is how long to wait after a failed load.
func failedWait(err error, quiet int) time.Duration {
	wait := min(time.Minute<<min(quiet, 6), time.Hour)
	switch provider.KindOf(err) {
	case provider.Denied, provider.Malformed:
		wait = time.Hour
	}
	if isRefusal(err) {
		wait = 24 * time.Hour
	}
	return max(wait, provider.WaitOf(err))
}

// refusal is the error for bars that contradict the stored ones; its text is public.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func isRefusal(err error) bool {
	var refused *refusal
	return errors.As(err, &refused)
}

// public tells callers why no bars came, without details that concern only the
// operator and the provider.
func public(a Asset, err error) string {
	var refused *refusal
	if errors.As(err, &refused) {
		return refused.text
	}
	switch provider.KindOf(err) {
	case provider.Throttled:
		return fmt.Sprintf("The provider has reached its request limit. The bars of %s will be requested again later.", a.Symbol)
	case provider.Denied:
		return fmt.Sprintf("The provider rejected the request for bars of %s. The reason is in the log of the service.", a.Symbol)
	case provider.Unavailable:
		return fmt.Sprintf("The provider cannot be reached. The bars of %s will be requested again later.", a.Symbol)
	case provider.Malformed:
		return fmt.Sprintf("The provider's bars of %s cannot be used. The reason is in the log of the service.", a.Symbol)
	}
	return fmt.Sprintf("The bars of %s could not be loaded. They will be requested again later.", a.Symbol)
}

// stored reads what the bar store has of an asset.
func (l *Syncer) stored(ctx context.Context, a Asset) (bars.Loaded, error) {
	loaded, err := l.c.Reader.LoadAssets(ctx, []string{a.ID}, bars.Latest)
	if err != nil {
		return bars.Loaded{}, err
	}
	if len(loaded) != 1 {
		return bars.Loaded{}, fmt.Errorf("asset %s no longer exists", a.ID)
	}
	return loaded[0], nil
}

func (l *Syncer) last(ctx context.Context, a Asset) (timeseries.Date, error) {
	s, err := l.stored(ctx, a)
	return s.Series.Last(), err
}

// bring requests the missing bars and imports them.
func (l *Syncer) bring(ctx context.Context, a Asset, s State, r request, end *End) error {
	have, err := l.stored(ctx, a)
	if err != nil {
		return err
	}
	if last := have.Series.Last(); !r.replace && last != a.Last && last >= l.expected(a) && !have.Series.Empty() {
		end.Outcome = Brought // another load has brought them since the caller looked
		return nil
	}
	end.Whole = have.Series.Empty() || r.replace || s.Provider != "" && s.WholeAge > wholeEvery
	answer, from, err := l.ask(ctx, a, s.Provider, have.Series, &end.Whole)
	if err != nil {
		return err
	}
	end.from = from.Name()
	if answer.File != "" {
		end.Whole, end.Provider = true, from.Name()
		return l.take(ctx, a, have, answer.File, end)
	}
	days := complete(answer.Bars, l.expected(a))
	differs := difference(have.Series, days, answer.Rounding)
	if differs != "" && !end.Whole {
		// The answer covers only the end of the history; the rest may have changed too.
		end.Whole = true
		if answer, err = from.Bars(ctx, provider.Request{Symbol: a.Symbol, Coin: a.Coin, From: timeseries.NoDate}); err != nil {
			return err
		}
		days = complete(answer.Bars, l.expected(a))
		differs = difference(have.Series, days, answer.Rounding)
	}
	p := plan{have: have, days: days, differs: differs, owned: s.Provider != "" || r.replace, replace: r.replace}
	content, err := p.content(a.Symbol)
	if err != nil {
		return err
	}
	if end.Whole && (have.Series.Empty() || p.owned) {
		end.Provider = from.Name()
	}
	if content == nil {
		return nil
	}
	file, remove, err := l.write(from.Name(), content)
	if err != nil {
		return err
	}
	defer remove()
	return l.take(ctx, a, have, file, end)
}

// ask asks the provider of the stored bars first, then the others in order, until one has
// the symbol. It asks a provider that did not supply the stored bars for the whole
// history.
func (l *Syncer) ask(ctx context.Context, a Asset, owner string, have timeseries.Series, whole *bool) (*provider.Answer, provider.Provider, error) {
	r := provider.Request{Symbol: a.Symbol, Coin: a.Coin, From: timeseries.NoDate}
	if !*whole {
		r.From = have.Last() - overlap
	}
	var failed error
	for i, p := range l.order(owner) {
		if owner != "" && p.Name() != owner {
			*whole, r.From = true, timeseries.NoDate
		}
		answer, err := p.Bars(ctx, r)
		if err == nil {
			return answer, p, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		// The failure of a provider that may have the symbol is more informative than the
		// "unknown" of the others.
		if failed == nil || provider.KindOf(failed) == provider.Unknown {
			failed = err
		}
		if i == 0 && p.Name() == owner && provider.KindOf(err) != provider.Unknown {
			return nil, nil, err // no other provider extends this history while its own still has the symbol
		}
	}
	return nil, nil, failed
}

// order lists the providers, with the one of the stored bars first.
func (l *Syncer) order(owner string) []provider.Provider {
	list := make([]provider.Provider, 0, len(l.c.Providers))
	for _, p := range l.c.Providers {
		if p.Name() == owner {
			list = append(list, p)
		}
	}
	for _, p := range l.c.Providers {
		if p.Name() != owner {
			list = append(list, p)
		}
	}
	return list
}

// take imports a file, and reports whether that changed stored bars.
func (l *Syncer) take(ctx context.Context, a Asset, have bars.Loaded, path string, end *End) error {
	report, err := l.c.Importer.ImportSymbol(ctx, path, a.Symbol)
	if err != nil {
		if errors.Is(err, reports.ErrRefused) {
			for _, p := range report.Problems {
				if p.Severity == reports.Error {
					l.c.Logger.WarnContext(ctx, "provider's bars refused", "symbol", a.Symbol, "kind", p.Kind, "date", p.Date, "message", p.Message)
					return &refusal{fmt.Sprintf("The provider's bars of %s do not fit the stored ones: %s.", a.Symbol, p.Message)}
				}
			}
		}
		if fault.TypeOf(err) == fault.InvalidBody {
			return &provider.Error{Provider: end.from, Kind: provider.Malformed, Detail: err.Error()}
		}
		return err
	}
	if report.Added+report.Changed == 0 {
		return nil
	}
	end.Outcome = Brought
	if !have.Series.Empty() && report.Restated > 0 {
		l.restated(ctx, a)
	}
	return nil
}

// restated reports that the stored history of an asset has changed: the change is
// committed and has made a new data version. If the report fails, the next
// recurring refresh finds the change.
func (l *Syncer) restated(ctx context.Context, a Asset) {
	l.c.Logger.InfoContext(ctx, "asset restated", "asset_id", a.ID, "symbol", a.Symbol)
	if l.c.Restated == nil {
		return
	}
	if err := l.c.Restated(ctx, a.ID); err != nil {
		l.c.Logger.ErrorContext(ctx, "models with a restated asset not refreshed", "asset_id", a.ID, "symbol", a.Symbol, "error", err)
	}
}

// Introduce imports the whole history of a symbol that the catalog does not know,
// which adds the symbol to the catalog. Its errors are *provider.Error and those
// of the importer.
func (l *Syncer) Introduce(ctx context.Context, symbol string) error {
	coin, whole := provider.Coin(symbol), true
	a := Asset{Symbol: symbol, Coin: coin, SevenDay: coin, Last: timeseries.NoDate}
	answer, from, err := l.ask(ctx, a, "", timeseries.Series{Base: timeseries.NoDate}, &whole)
	if err != nil {
		return err
	}
	path, remove := answer.File, func() {}
	if path == "" {
		days := complete(answer.Bars, l.expected(a))
		if len(days) == 0 {
			return &provider.Error{Provider: from.Name(), Kind: provider.Unknown, Detail: "has no bars of " + symbol + " for finished sessions yet"}
		}
		if path, remove, err = l.write(from.Name(), rows(days)); err != nil {
			return err
		}
	}
	defer remove()
	_, err = l.c.Importer.ImportSymbol(ctx, path, symbol)
	return err
}

// complete omits the bars of days that are not over.
func complete(days []provider.Bar, last timeseries.Date) []provider.Bar {
	n := len(days)
	for n > 0 && days[n-1].Date > last {
		n--
	}
	return days[:n]
}

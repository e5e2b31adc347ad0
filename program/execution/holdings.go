package execution

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ballast/backtest"
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
	"ballast/timeseries"
)

// mostHoldings limits the values that one run reads of what its members hold.
const mostHoldings = 8_000_000

// holdings puts on a frame what the models among its members hold: the weights and the
// contributions of their results, the returns of what they hold today, which are those
// that their own runs have read, and with ledger their trades.
func (e *Executor) holdings(ctx context.Context, members []program.Member, frame *timeseries.Frame, ledger bool) error {
	total := 0
	for _, m := range members {
		if m.Kind != program.MemberModel {
			continue
		}
		run, err := e.programs.Run(ctx, m.RunID)
		if err != nil {
			return fmt.Errorf("read the run of member %s: %w", m.Key, err)
		}
		columns, err := e.heldBy(ctx, m.Key, run)
		if err != nil {
			return err
		}
		if ledger {
			trades, err := e.tradesOf(ctx, m.Key, run)
			if err != nil {
				return err
			}
			columns = append(columns, trades...)
		}
		for _, c := range columns {
			if total += len(c.dates); total > mostHoldings {
				return program.DataError("What the members hold has more than %d values. Name fewer models, or models with fewer members.", mostHoldings)
			}
			frame.Outside = append(frame.Outside, timeseries.NewOutside(c.Key(), frame.Axis, c.dates, c.dates, c.values))
		}
	}
	return nil
}

// holding is one column of what a model holds.
type holding struct {
	script.Holding
	dates  []timeseries.Date
	values []float64
}

// heldBy returns the columns of one model. Missing values are left out.
func (e *Executor) heldBy(ctx context.Context, key string, run *program.Run) ([]holding, error) {
	daily, err := e.results.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	var out []holding
	today := map[string]bool{}
	for _, what := range []string{script.Weights, script.Contributions} {
		part := result.PartWeights
		if what == script.Contributions {
			part = result.PartContributions
		}
		columns, err := e.results.Keyed(ctx, run, part)
		if err != nil {
			return nil, err
		}
		for i, name := range columns.Keys {
			h := holding{Holding: script.Holding{What: what, Member: key, Name: name}}
			for t, v := range columns.Values[i] {
				if !math.IsNaN(v) {
					h.dates, h.values = append(h.dates, daily.Dates[t]), append(h.values, v)
				}
			}
			out = append(out, h)
			if n := len(columns.Values[i]); what == script.Weights && name != backtest.CashKey && n > 0 {
				v := columns.Values[i][n-1]
				today[name] = v != 0 && !math.IsNaN(v)
			}
		}
	}
	sources, err := e.pinned(ctx, run)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if today[s.Key] && !s.Series.Empty() {
			h := holding{Holding: script.Holding{What: script.Held, Member: key, Name: s.Key}}
			h.dates = append([]timeseries.Date{s.Series.Base}, s.Series.Dates...)
			h.values = append([]float64{0}, s.Series.Returns...)
			out = append(out, h)
		}
	}
	return out, nil
}

// tradesOf returns the ledger of one model: a column for each of script.LedgerColumns, and
// the number of each name in it.
func (e *Executor) tradesOf(ctx context.Context, key string, run *program.Run) ([]holding, error) {
	l, err := e.results.Ledger(ctx, run)
	if err != nil {
		return nil, err
	}
	columns := make([]holding, len(script.LedgerColumns))
	for i, name := range script.LedgerColumns {
		columns[i].Holding = script.Holding{What: script.LedgerColumn, Member: key, Name: name}
	}
	numbers := map[string]float64{}
	var names []holding
	for _, event := range l.Between(timeseries.NoDate, run.Last) {
		reason := slices.Index(backtest.Reasons, backtest.Reason(event.Reason))
		for _, t := range event.Trades {
			number, known := numbers[t.Key]
			if !known {
				number = float64(len(numbers))
				numbers[t.Key] = number
				names = append(names, holding{script.Holding{What: script.LedgerKey, Member: key, Name: t.Key}, []timeseries.Date{0}, []float64{number}})
			}
			row := timeseries.Date(len(columns[0].dates)) // several rows have one day, and the dates of a column are different
			for i, v := range []float64{float64(event.Date), float64(event.Decided), float64(reason), number, t.Before, t.Target, t.Traded} {
				columns[i].dates, columns[i].values = append(columns[i].dates, row), append(columns[i].values, v)
			}
		}
	}
	return append(columns, names...), nil
}

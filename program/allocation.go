package program

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/backtest"
	"ballast/storage/duck"
	"ballast/timeseries"
)

// allocation resolves the weights of rows from to to down to tickers, and reads
// the trades whose fills the window has. A window that begins with the model
// has the establishing trade, which is filled on the base. end is the last date
// that was asked for, which may lie before the base.
func (s *Service) allocation(ctx context.Context, run *Run, d *daily, from, to int, end timeseries.Date) (*Allocation, []Label, error) {
	tree, err := memberRuns(ctx, s.store, run)
	if err != nil {
		return nil, nil, err
	}
	t := &tickers{service: s, runs: tree, tables: map[string]*daily{run.ID: d}, dates: d.dates[from+1 : to]}
	if err := t.add(ctx, run, nil); err != nil {
		return nil, nil, err
	}
	a := &Allocation{}
	var labels []Label
	for _, key := range t.order {
		a.Keys = append(a.Keys, key)
		a.Weights = append(a.Weights, t.weights[key])
		labels = append(labels, t.labels[key])
	}
	begin := d.dates[from]
	if from > 0 {
		begin++
	}
	end = min(end, d.dates[to-1])
	if a.Rebalances, err = s.results.rebalances(ctx, run, begin, end); err != nil {
		return nil, nil, err
	}
	// Trades name the model's own members, which the leaves need not.
	for _, m := range run.Members {
		if _, labelled := t.labels[m.Key]; !labelled {
			labels = append(labels, Label{Key: m.Key, Kind: string(m.Kind), ID: m.ID, Symbol: m.Symbol, Name: m.Name})
		}
	}
	return a, labels, nil
}

// memberRuns reads the runs that a run was pinned to, at every depth, a query a level.
func memberRuns(ctx context.Context, store Store, run *Run) (map[string]*Run, error) {
	runs := map[string]*Run{run.ID: run}
	for level := []*Run{run}; len(level) > 0; {
		var wanted []string
		for _, r := range level {
			for _, m := range r.Members {
				if m.RunID != "" && runs[m.RunID] == nil {
					wanted = append(wanted, m.RunID)
				}
			}
		}
		level = level[:0]
		if len(wanted) == 0 {
			break
		}
		found, err := store.RunsByID(ctx, wanted)
		if err != nil {
			return nil, fmt.Errorf("read member runs: %w", err)
		}
		for _, runID := range wanted {
			r, ok := found[runID]
			if !ok {
				return nil, fmt.Errorf("run %s, which run %s was computed on, is gone", runID, run.ID)
			}
			if runs[runID] == nil {
				runs[runID] = r
				level = append(level, r)
			}
		}
	}
	return runs, nil
}

// tickers adds up the weights of a tree's leaves.
type tickers struct {
	service *Service
	runs    map[string]*Run
	tables  map[string]*daily // by run id
	dates   []timeseries.Date // of the window
	weights map[string][]float64
	labels  map[string]Label
	order   []string
}

// add walks a run's members, share being what the run itself weighs on each
// date of the window: 1 where share is nil.
func (t *tickers) add(ctx context.Context, run *Run, share []float64) error {
	table := t.tables[run.ID]
	if table == nil {
		var err error
		if table, err = t.service.results.daily(ctx, run, true); err != nil {
			return err
		}
		t.tables[run.ID] = table
	}
	members := make(map[string]Member, len(run.Members))
	for _, m := range run.Members {
		members[m.Key] = m
	}
	for i, key := range table.keys {
		weights := onDates(table, table.weights[i], t.dates, share)
		m, held := members[key]
		switch {
		case key == backtest.CashKey:
			t.leaf(Label{Key: backtest.CashKey, Kind: "cash", Name: "Cash"}, weights)
		case !held:
			return fmt.Errorf("run %s has weights of %s, which is not a member", run.ID, key)
		case m.Kind == MemberModel:
			if err := t.add(ctx, t.runs[m.RunID], weights); err != nil {
				return err
			}
		default:
			t.leaf(Label{Key: m.Symbol, Kind: "asset", ID: m.ID, Symbol: m.Symbol, Name: m.Name}, weights)
		}
	}
	return nil
}

// leaf adds a ticker's weights; cash comes last in the order.
func (t *tickers) leaf(l Label, weights []float64) {
	if t.weights == nil {
		t.weights, t.labels = map[string][]float64{}, map[string]Label{}
	}
	sum, seen := t.weights[l.Key]
	if !seen {
		t.weights[l.Key], t.labels[l.Key] = weights, l
		if n := len(t.order); n > 0 && t.order[n-1] == backtest.CashKey {
			t.order = append(t.order[:n-1], l.Key, backtest.CashKey)
		} else {
			t.order = append(t.order, l.Key)
		}
		return
	}
	for i, w := range weights {
		sum[i] += w
	}
}

// onDates gives a column at the given dates, each from the last row up to it
// (0 before the first), times share.
func onDates(table *daily, column []float64, dates []timeseries.Date, share []float64) []float64 {
	out := make([]float64, len(dates))
	row := -1
	for i, date := range dates {
		for row+1 < len(table.dates) && table.dates[row+1] <= date {
			row++
		}
		if row < 0 {
			continue
		}
		out[i] = column[row]
		if share != nil {
			out[i] *= share[i]
		}
	}
	return out
}

// rebalances reads the events of a run that were filled from begin to end.
func (r *Results) rebalances(ctx context.Context, run *Run, begin, end timeseries.Date) ([]Rebalance, error) {
	file, err := r.bucket.Path(ctx, run.Result.Ledger)
	if err != nil {
		return nil, fmt.Errorf("ledger of run %s: %w", run.ID, err)
	}
	records, err := r.db.Query(ctx, fmt.Sprintf(
		"SELECT fill, decided, reason, turnover, key, before, target, traded FROM read_parquet(%s) WHERE fill BETWEEN %s::DATE AND %s::DATE",
		duck.Literal(file), duck.Literal(begin.String()), duck.Literal(end.String())))
	if err != nil {
		return nil, fmt.Errorf("ledger of run %s: %w", run.ID, err)
	}
	defer duck.Release(records)
	events := []Rebalance{}
	for _, record := range records {
		if events, err = appendRebalances(events, record); err != nil {
			return nil, fmt.Errorf("ledger of run %s: %w", run.ID, err)
		}
	}
	return events, nil
}

// appendRebalances gathers the rows of an event, which follow each other.
func appendRebalances(events []Rebalance, record arrow.RecordBatch) ([]Rebalance, error) {
	fill, ok1 := record.Column(0).(*array.Date32)
	decided, ok2 := record.Column(1).(*array.Date32)
	reason, ok3 := record.Column(2).(*array.String)
	turnover, ok4 := record.Column(3).(*array.Float64)
	key, ok5 := record.Column(4).(*array.String)
	before, ok6 := record.Column(5).(*array.Float64)
	target, ok7 := record.Column(6).(*array.Float64)
	traded, ok8 := record.Column(7).(*array.Float64)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || !ok7 || !ok8 {
		return nil, fmt.Errorf("unexpected columns %s", record.Schema())
	}
	for i := range int(record.NumRows()) {
		date, day := timeseries.Date(fill.Value(i)), timeseries.Date(decided.Value(i))
		n := len(events)
		if n == 0 || events[n-1].Date != date || events[n-1].Decided != day || events[n-1].Reason != reason.Value(i) {
			events = append(events, Rebalance{Date: date, Decided: day, Reason: strings.Clone(reason.Value(i)), Turnover: turnover.Value(i)})
			n++
		}
		events[n-1].Trades = append(events[n-1].Trades, Trade{
			Key: strings.Clone(key.Value(i)), Before: before.Value(i), Target: target.Value(i), Traded: traded.Value(i),
		})
	}
	return events, nil
}

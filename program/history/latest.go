package history

import (
	"context"

	"ballast/backtest"
	"ballast/program"
	"ballast/program/result"
	"ballast/timeseries"
)

// latest reads how a result ends. Everything is at the result's last session, or at
// its base if there are no returns yet, whatever the window.
func (w *window) latest(ctx context.Context, x *expansion) (*Latest, error) {
	d := w.daily
	l := &Latest{AsOf: d.Dates[len(d.Dates)-1]}
	l.Decision.Date = d.Decision.Date
	now, err := x.on(l.AsOf).children(ctx, w.run, nil)
	if err != nil {
		return nil, err
	}
	l.Allocation = standing(flatten(now))

	decided := decisionOf(w.run, d)
	l.Decision.Weights = decided
	if l.Target, err = x.through(ctx, w.run, decided, x.target); err != nil {
		return nil, err
	}
	then := x.on(d.Decision.Date)
	l.Decision.Resolved, err = x.through(ctx, w.run, decided, func(ctx context.Context, member *program.Run) (Weights, error) {
		nodes, err := then.children(ctx, member, nil)
		return standing(flatten(nodes)), err
	})
	return l, err
}

// decisionOf returns a run's last decision in the order of its universe, and CASH
// last with the rest.
func decisionOf(run *program.Run, d *result.Daily) Weights {
	w := Weights{}
	cash := 1.0
	for _, m := range run.Members {
		if target := d.Decision.Weights[m.Key]; target != 0 {
			w = append(w, Weight{m.Key, target})
			cash -= target
		}
	}
	if cash < rounding && cash > -rounding {
		cash = 0
	}
	return append(w, Weight{backtest.CashKey, cash})
}

// rounding is the share of equity below which the rest counts as a rounding error of
// the sum, as in the engine.
const rounding = 1e-13

// target returns a run's last decision, with every member model at its own last
// decision.
func (x *expansion) target(ctx context.Context, run *program.Run) (Weights, error) {
	d, err := x.results.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	return x.through(ctx, run, decisionOf(run, d), x.target)
}

// through replaces the member models in a run's own weights by the weights that see
// returns for them, and adds up by ticker.
func (x *expansion) through(ctx context.Context, run *program.Run, own Weights, see func(context.Context, *program.Run) (Weights, error)) (Weights, error) {
	members := membersByKey(run)
	sum := newSum()
	for _, w := range own {
		m, held := members[w.Key]
		switch {
		case !held:
			sum.add(x.names.cash(), w.Value)
		case m.Kind == program.MemberAsset || x.runs[m.RunID] == nil: // a member whose run was deleted is not expanded
			sum.add(x.names.member(m), w.Value)
		default:
			below, err := see(ctx, x.runs[m.RunID])
			if err != nil {
				return nil, err
			}
			for _, b := range below {
				sum.add(b.Key, w.Value*b.Value)
			}
		}
	}
	return sum.weights(), nil
}

// standing returns the first row of columns as weights.
func standing(c result.Columns) Weights {
	sum := newSum()
	for i, key := range c.Keys {
		sum.add(key, c.Values[i][0])
	}
	return sum.weights()
}

// sum adds up weights by key.
type sum struct {
	at map[string]int
	w  Weights
}

func newSum() *sum { return &sum{at: map[string]int{}} }

func (s *sum) add(key string, value float64) {
	i, ok := s.at[key]
	if !ok {
		i = len(s.w)
		s.at[key], s.w = i, append(s.w, Weight{Key: key})
	}
	s.w[i].Value += value
}

// weights returns the sums that are not 0, and CASH, which comes last.
func (s *sum) weights() Weights {
	out := make(Weights, 0, len(s.w)+1)
	cash := 0.0
	for _, w := range s.w {
		switch {
		case w.Key == backtest.CashKey:
			cash = w.Value
		case w.Value != 0:
			out = append(out, w)
		}
	}
	return append(out, Weight{backtest.CashKey, cash})
}

// Latest is how a result ends, whatever the window: its current weights, its targets,
// and the last decision. CASH is always included; other keys with weight 0 are left
// out.
type Latest struct {
	AsOf       timeseries.Date
	Allocation Weights // by ticker, at the last close
	Target     Weights // by ticker: the last decision, with every member model at its own last decision
	Decision   LatestDecision
}

// LatestDecision is the last decision of a model.
type LatestDecision struct {
	Date     timeseries.Date
	Weights  Weights // by the model's own members
	Resolved Weights // by ticker: the decision, with every member model as it stood at that date's close
}

package backtest

import (
	"context"
	"errors"
	"math/rand/v2"

	"ballast/internal/number"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Causality is the evidence that a result does not depend on the future: the
// outcome of repeating the run on bars that end at decision sessions.
type Causality struct {
	Causal     bool        `json:"causal"`               // every repetition gave the same rows up to its cut
	Cuts       []Cut       `json:"cuts"`                 // the repetitions, in order of date
	Difference *Difference `json:"difference,omitempty"` // the first value that differs, if any
}

// Cut is one repetition.
type Cut struct {
	Date timeseries.Date `json:"date"` // the decision session at which the bars ended
	Rows int             `json:"rows"` // rows compared, including the base
}

// Difference is a value that changed when the future was taken away.
type Difference struct {
	Cut    timeseries.Date `json:"cut"`
	Date   timeseries.Date `json:"date"`             // of the row that differs
	Column string          `json:"column"`           // what differs: one of Columns
	Symbol string          `json:"symbol,omitempty"` // the member, or the name of the series
	Whole  number.Float    `json:"whole"`            // with all bars; null if the series has no value
	Past   number.Float    `json:"past"`             // with the bars up to the cut
}

// The columns of a difference.
const (
	ColumnView         = "view"     // a value of a member that the decider was shown
	ColumnDecision     = "decision" // a target that would be filled after the cut
	ColumnTrade        = "trade"    // a ledger row: target, weight before it, turnover or reason
	ColumnWeight       = "weight"
	ColumnContribution = "contribution"
	ColumnCustom       = "custom"
	ColumnReturn       = "return"
	ColumnEquity       = "equity"
	ColumnGross        = "gross_exposure"
	ColumnTraded       = "traded"
	ColumnError        = "error" // the repetition failed but the run did not; Past is 1
)

// Columns are the columns of a difference. If several differ on one date, the first
// in this order is reported.
var Columns = []string{
	ColumnTrade, ColumnWeight, ColumnContribution, ColumnCustom, ColumnReturn, ColumnEquity, ColumnGross, ColumnTraded,
	ColumnDecision, ColumnView, ColumnError,
}

// CheckCausality repeats the run that produced whole, from f and spec with the
// option Everything, on bars that end at some of its decision sessions, and compares
// the rows up to each cut bit by bit. The cuts are the first decision session, the
// last one that is followed by bars, and up to three between them, which seed
// chooses. Sessions on which nothing was traded count as well. decider returns a
// fresh decider over a cut frame. The shortest repetition comes first, and
// CheckCausality stops at the first one that differs.
//
// The error is that of ctx or decider, or internal. A decision that fails only in a
// repetition is a difference, not an error.
func CheckCausality(ctx context.Context, f *timeseries.Frame, spec Spec, whole *Result, seed uint64, decider func(*timeseries.Frame) (Decider, error)) (*Causality, error) {
	dates, err := cutDates(f, spec, whole, seed)
	if err != nil {
		return nil, err
	}
	verdict := &Causality{Causal: true, Cuts: make([]Cut, 0, len(dates))}
	for _, date := range dates {
		r := repetition{frame: f, spec: spec, whole: whole, cut: date}
		difference, err := r.run(ctx, decider)
		if err != nil {
			return nil, err
		}
		verdict.Cuts = append(verdict.Cuts, Cut{Date: date, Rows: timeseries.Through(whole.Dates, date)})
		if difference != nil {
			difference.Cut = date
			verdict.Causal, verdict.Difference = false, difference
			break
		}
	}
	return verdict, nil
}

// between is the maximum number of cuts between the first and the last.
const between = 3

// MostCuts is the maximum number of repetitions in a check.
const MostCuts = between + 2

// cutDates chooses the cuts, in ascending order: the first and last decision
// session, and one at random in each third of the sessions between them.
func cutDates(f *timeseries.Frame, spec Spec, whole *Result, seed uint64) ([]timeseries.Date, error) {
	cal, err := calendar.Named(f.Calendar)
	if err != nil {
		return nil, err
	}
	sessions, err := decisionSessions(f, spec, cal)
	if err != nil {
		return nil, err
	}
	end := f.Axis[len(f.Axis)-1]
	if whole.Summary.Ruined {
		end = min(end, whole.Summary.RuinDate)
	}
	n := 0
	for n < len(sessions) && f.Axis[sessions[n]] < end {
		n++
	}
	dates := make([]timeseries.Date, 0, MostCuts)
	add := func(k int) { dates = append(dates, f.Axis[sessions[k]]) }
	if n > 0 {
		add(0)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	inner := max(n-2, 0)
	for third := range between {
		from, to := third*inner/between, (third+1)*inner/between
		if to > from {
			add(1 + from + rng.IntN(to-from))
		}
	}
	if n > 1 {
		add(n - 1)
	}
	return dates, nil
}

// repetition is a run on the bars up to a cut, compared with the whole run.
type repetition struct {
	frame *timeseries.Frame
	spec  Spec
	whole *Result
	cut   timeseries.Date
}

func (r *repetition) run(ctx context.Context, decider func(*timeseries.Frame) (Decider, error)) (*Difference, error) {
	past := r.frame.Cut(r.cut)
	d, err := decider(past)
	if err != nil {
		return nil, err
	}
	w := &witness{Decider: d}
	result, err := Run(ctx, past, r.spec, w, Everything)
	var (
		failed *DecisionError
		seen   *ViewError
		idle   *StartError
	)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &failed) && errors.As(err, &seen):
		return &Difference{
			Date: failed.Date, Column: ColumnView, Symbol: seen.Key, Whole: number.Float(seen.Whole), Past: number.Float(seen.Past),
		}, nil
	case errors.As(err, &failed):
		return &Difference{Date: failed.Date, Column: ColumnError, Symbol: failed.Key, Past: 1}, nil
	case errors.As(err, &idle): // nothing filled up to the cut
		result = &Result{Keys: r.whole.Keys}
	case err != nil:
		return nil, err
	}
	if difference := compare(r.whole, result, r.cut); difference != nil {
		return difference, nil
	}
	return r.pending(w), nil
}

// witness remembers the last decision, which may not be filled yet.
type witness struct {
	Decider
	date   timeseries.Date
	traded bool
	target []float64
}

// Decide implements Decider.
func (w *witness) Decide(s *Session, target []float64) (bool, error) {
	trade, err := w.Decider.Decide(s, target)
	w.date, w.traded = s.Date, trade
	w.target = append(w.target[:0], target...)
	return trade, err
}

// pending compares a decision at the cut that would be filled after it with what the
// whole run filled.
func (r *repetition) pending(w *witness) *Difference {
	if r.spec.Fill == FillClose || w.date != r.cut {
		return nil
	}
	at := timeseries.From(r.frame.Axis, r.cut+1)
	fill := r.frame.Axis[at]
	if r.whole.Summary.Ruined && r.whole.Summary.RuinDate <= fill {
		return nil
	}
	if fill < r.whole.ledgerFrom() {
		return nil
	}
	want := make([]float64, len(w.target))
	decided := false
	for i := range r.whole.Ledger {
		if e := &r.whole.Ledger[i]; e.Decided == r.cut && e.Fill == fill {
			decided = true
			for _, t := range e.Trades {
				if t.Member != CashMember {
					want[t.Member] = t.Target
				}
			}
			break
		}
	}
	if !w.traded {
		clear(w.target)
	}
	for i, past := range w.target {
		m := &r.frame.Members[i]
		// If the member has no bar on the day of the fill, its target may have stayed
		// in cash.
		if past == want[i] || want[i] == 0 && decided && m.Bars[at>>3]>>(at&7)&1 == 0 {
			continue
		}
		return &Difference{Date: r.cut, Column: ColumnDecision, Symbol: m.Key, Whole: number.Float(want[i]), Past: number.Float(past)}
	}
	if w.traded != decided { // one of them is all cash
		return &Difference{Date: r.cut, Column: ColumnDecision, Symbol: CashKey, Whole: truth(decided), Past: truth(w.traded)}
	}
	return nil
}

func truth(b bool) number.Float {
	if b {
		return 1
	}
	return 0
}

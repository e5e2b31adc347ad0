package backtest

import (
	"errors"
	"math"

	"ballast/backtest/internal/drift"
)

var (
	errNotFinite = errors.New("the target is not a finite number")
	errNoBarYet  = errors.New("the target is for a member that has no bar yet")
)

// decide calls the decider on session t and checks its targets.
func (e *engine) decide(t int) (bool, error) {
	date := e.frame.Axis[t]
	e.weigh()
	clear(e.asked)
	s := &e.session
	s.T, s.Date, s.Equity, s.Cash = t, date, e.equity, e.cash
	trade, err := e.decider.Decide(s, e.asked)
	if err != nil {
		return false, &DecisionError{Date: date, Err: err}
	}
	if !trade {
		return false, nil
	}
	e.target, e.asked = e.asked, e.target
	e.allTradable = e.untradable == 0 && drift.Finite(e.target)
	if !e.allTradable {
		if err := e.checkTarget(t); err != nil {
			return false, err
		}
	}
	s.Last = t
	e.decided = append(e.decided, t)
	return true, nil
}

// checkTarget returns an error for the first target that is not finite or is for a
// member that has no bar yet.
func (e *engine) checkTarget(t int) error {
	date := e.frame.Axis[t]
	for i, w := range e.target {
		if w == 0 || e.tradable[i] && w-w == 0 {
			continue
		}
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return &DecisionError{Date: date, Key: e.frame.Members[i].Key, Err: errNotFinite}
		}
		if first := e.frame.Members[i].First; first < 0 || first > t {
			return &DecisionError{Date: date, Key: e.frame.Members[i].Key, Err: errNoBarYet}
		}
	}
	return nil
}

package backtest

import (
	"errors"
	"math"
)

var (
	errNotFinite = errors.New("the target is not a finite number")
	errNoBarYet  = errors.New("the target is on a member without a bar yet")
)

// decide asks the decider on session t and checks its answer.
func (e *engine) decide(t int) (bool, error) {
	date := e.frame.Axis[t]
	e.weigh()
	clear(e.target)
	s := &e.session
	s.T, s.Date, s.Equity, s.Cash = t, date, e.equity, e.cash
	trade, err := e.decider.Decide(s, e.target)
	if err != nil {
		return false, &DecisionError{Date: date, Err: err}
	}
	if !trade {
		return false, nil
	}
	tradable := e.tradable[:len(e.target)]
	for i, w := range e.target {
		if w == 0 || tradable[i] && math.Abs(w) <= math.MaxFloat64 {
			continue
		}
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return false, &DecisionError{Date: date, Key: e.frame.Members[i].Key, Err: errNotFinite}
		}
		if first := e.frame.Members[i].First; first < 0 || first > t {
			return false, &DecisionError{Date: date, Key: e.frame.Members[i].Key, Err: errNoBarYet}
		}
	}
	s.Last = t
	e.decided = append(e.decided, t)
	return true, nil
}

package sandbox

import (
	"io"
	"sync/atomic"
	"time"

	"ballast/backtest"
	"ballast/script"
)

// A child reports its progress if the request asks for it. A note is a header
// without a control part, whose body field is a number instead of a size: the
// number of sessions done during a run, the percentage during a causality check.
const (
	noteEvery = 250 * time.Millisecond
	mostNotes = 1 << 16 // in one message, enough for hours; a sound child never sends more
)

// CausalityTotal is the total that Job.Progress gets for the causality check.
const CausalityTotal = 100

// notes sends notes until it is stopped.
type notes struct {
	quit, done chan struct{}
}

// startNotes sends the value of at whenever it has changed. With nil it sends
// nothing.
func startNotes(w io.Writer, id uint64, at *atomic.Int64) *notes {
	if at == nil {
		return nil
	}
	n := &notes{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(n.done)
		tick := time.NewTicker(noteEvery)
		defer tick.Stop()
		sent := int64(0)
		for {
			select {
			case <-n.quit:
				return
			case <-tick.C:
			}
			if now := at.Load(); now != sent {
				sent = now
				if _, err := w.Write(header{id: id, body: uint64(now)}.bytes()); err != nil {
					return // sending the answer fails with the same error
				}
			}
		}
	}()
	return n
}

// stop returns after the last note has been sent.
func (n *notes) stop() {
	if n != nil {
		close(n.quit)
		<-n.done
	}
}

// readAnswer reads notes until the header of an answer, which it returns.
func readAnswer(r io.Reader, id uint64, told func(at int)) (header, error) {
	for range mostNotes {
		h, err := readHeader(r)
		if err != nil || h.control > 0 {
			return h, err
		}
		if h.id != id || told == nil {
			return h, damaged("an unexpected note")
		}
		told(int(h.body))
	}
	return header{}, damaged("%d notes without an answer", mostNotes)
}

// noteHandler returns the function that handles the notes of a stage, or nil if the
// job does not ask for them.
func (m *message) noteHandler(s stage) func(at int) {
	if m.progress == nil {
		return nil
	}
	name, total := Running, len(m.of.Axis)
	if s == stageCausality {
		name, total = Checking, CausalityTotal
	}
	return func(at int) { m.progress(name, min(at, total), total) }
}

// Stage is the part of a job that Job.Progress reports on.
type Stage string

// The stages.
const (
	Running  Stage = "backtest"
	Checking Stage = "causality"
)

// noting is a runner that passes the current session to leave before each decision.
type noting struct {
	*script.Runner
	leave func(session int)
}

// Decide implements backtest.Decider.
func (n noting) Decide(s *backtest.Session, target []float64) (bool, error) {
	n.leave(s.T)
	return n.Runner.Decide(s, target)
}

package sandbox

import (
	"io"
	"sync/atomic"
	"time"

	"ballast/backtest"
	"ballast/script"
)

// While a child computes it tells how far it is, where the request asks for it: a
// note is a header without a control part, whose body field is a number instead of
// a size. In a run it is the sessions that are done, in the check of causality the
// percentage.
const (
	noteEvery = 250 * time.Millisecond
	mostNotes = 1 << 16 // of one message, hours of them; more is not a sound child's
)

// CausalityTotal is what Job.Progress counts the check of causality to.
const CausalityTotal = 100

// notes sends them, from its start to its stop.
type notes struct {
	quit, done chan struct{}
}

// startNotes sends what at holds whenever it has changed; nil sends nothing.
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
					return // the answer fails the same way, and says so
				}
			}
		}
	}()
	return n
}

// stop returns when nothing more is sent.
func (n *notes) stop() {
	if n != nil {
		close(n.quit)
		<-n.done
	}
}

// readAnswer reads the header of an answer, and the notes before it.
func readAnswer(r io.Reader, id uint64, told func(at int)) (header, error) {
	for range mostNotes {
		h, err := readHeader(r)
		if err != nil || h.control > 0 {
			return h, err
		}
		if h.id != id || told == nil {
			return h, damaged("a note that nobody asked for")
		}
		told(int(h.body))
	}
	return header{}, damaged("%d notes and no answer", mostNotes)
}

// noted is what is done with the notes of a stage, nil where none are asked for.
func (m *message) noted(s stage) func(at int) {
	if m.progress == nil {
		return nil
	}
	name, total := Running, len(m.of.Axis)
	if s == stageCausality {
		name, total = Checking, CausalityTotal
	}
	return func(at int) { m.progress(name, min(at, total), total) }
}

// Stage is what Job.Progress is told of.
type Stage string

// The stages.
const (
	Running  Stage = "backtest"
	Checking Stage = "causality"
)

// noting is a runner that leaves its session where notes are taken from.
type noting struct {
	*script.Runner
	leave func(session int)
}

// Decide implements backtest.Decider.
func (n noting) Decide(s *backtest.Session, target []float64) (bool, error) {
	n.leave(s.T)
	return n.Runner.Decide(s, target)
}

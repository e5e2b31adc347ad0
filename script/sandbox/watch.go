package sandbox

import (
	"context"
	"time"

	"ballast/internal/fair"
)

const (
	grace      = 500 * time.Millisecond // from the deadline, when a child is asked to stop, to its end
	watchEvery = 20 * time.Millisecond
	// shortRun is the processor time from which a run is slow: it computes on what
	// short runs leave of the processors, and may be asked to leave its child.
	shortRun = 500 * time.Millisecond
)

// cause says why the pool killed a child.
type cause int

const (
	causeNone cause = iota
	causeCanceled
	causeDeadline
	causeMemory
	causeDisplaced
)

// watch follows a run: it kills the child when the run is canceled, takes more
// time or memory than it may, or has to leave.
type watch struct {
	place *fair.Place
	spent time.Duration // processor time of the child before the run
	stage stage         // of the goroutine that reads
	next  chan struct{}
	quit  chan struct{}
	why   chan cause
}

func (c *child) watch(ctx context.Context, m *message, place *fair.Place) *watch {
	w := &watch{place: place, spent: c.proc.cpu(), next: make(chan struct{}, 1), quit: make(chan struct{}), why: make(chan cause, 1)}
	most := c.proc.bounds(m)
	go func() {
		why := c.follow(ctx, m, most, w)
		if why != causeNone {
			_ = c.cmd.Process.Kill() // it may have ended already
		}
		w.why <- why
	}()
	return w
}

// check gives the check of causality a deadline of its own.
func (w *watch) check() {
	w.stage = stageCausality
	w.next <- struct{}{}
}

// stop ends the watch and returns why it killed the child, if it did.
func (w *watch) stop() cause {
	close(w.quit)
	return <-w.why
}

func (c *child) follow(ctx context.Context, m *message, most usage, w *watch) cause {
	limit, frame := m.limits.Deadline+grace, m.frame.bytes()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	slow := false
	for {
		select {
		case <-w.quit:
			return causeNone
		case <-w.next:
			deadline.Reset(limit)
		case <-ctx.Done():
			return causeCanceled
		case <-deadline.C:
			return causeDeadline
		case <-w.place.Asked():
			return causeDisplaced
		case <-tick.C:
			if !slow && c.proc.cpu()-w.spent > shortRun {
				slow = true
				c.lowered = c.proc.lower()
				w.place.Slow()
			}
			if used, err := c.proc.usage(frame); err == nil && used.exceeds(most) {
				return causeMemory
			}
		}
	}
}

// usage is what a process has of the machine. Addresses and threads cost memory
// that is not counted as the process's: the kernel's own, and what it swaps out.
type usage struct {
	memory    uint64 // bytes
	addresses uint64 // bytes
	threads   int
}

func (u usage) exceeds(most usage) bool {
	return u.memory > most.memory || u.addresses > most.addresses || u.threads > most.threads
}

// maxThreads is more than the runtime of a sound child ever starts.
const maxThreads = 128

// bounds are those of a process that begins with m. A sound one limits its
// addresses more narrowly itself; one that was taken over can lift that.
func (p *process) bounds(m *message) usage {
	memory := uint64(m.limits.Memory)
	now, _ := p.usage(0) // of a process that has ended nothing is known, and need not be
	return usage{
		memory:    memory,
		addresses: now.addresses + m.frame.bytes() + memory + headroom + maxControl + maxBody,
		threads:   maxThreads,
	}
}

// rest is the beginning of the time in which a child has nothing to do.
type rest struct {
	at  time.Time
	cpu time.Duration
	use usage
}

// A child at rest collects what its last run left: that takes no longer than
// atRest, and afterwards next to nothing.
const (
	atRest     = time.Second
	atRestRate = 0.05 // processors
)

// rest notes that the child is to do nothing from now on.
func (c *child) rest() {
	use, _ := c.proc.usage(0) // unfit looks again
	c.rested = rest{at: time.Now(), cpu: c.proc.cpu(), use: use}
}

// unfit says why a child at rest cannot take a run, "" where it can.
func (c *child) unfit() string {
	select {
	case <-c.done:
		return "died"
	default:
	}
	used, err := c.proc.usage(0)
	most := usage{memory: keptMemory, addresses: c.rested.use.addresses + headroom, threads: maxThreads}
	cpu, idle := c.proc.cpu()-c.rested.cpu, time.Since(c.rested.at)
	switch {
	case err != nil:
		return "died"
	case !c.link.quiet():
		return "spoke unasked"
	case c.runs >= runsOfChild:
		return "old"
	case used.exceeds(most):
		return "large"
	case cpu > atRest+time.Duration(atRestRate*float64(idle)):
		return "busy"
	}
	return ""
}

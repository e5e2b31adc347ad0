package sandbox

import (
	"context"
	"time"

	"ballast/internal/fair"
)

const (
	grace      = 500 * time.Millisecond // between the deadline, when a child is asked to stop, and killing it
	watchEvery = 20 * time.Millisecond
	// shortRun is the processor time after which a run counts as slow: it then gets
	// only the processor time that short runs leave, and may be displaced.
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

// watch observes a run. It kills the child if the run is canceled, exceeds its time
// or memory, or is displaced.
type watch struct {
	place *fair.Place
	spent time.Duration // processor time of the child before the run
	stage stage         // owned by the goroutine that reads
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

// check starts a new deadline for the causality check.
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

// usage is what a process uses of the machine. Addresses and threads are limited
// because they cost memory that is not counted as the process's: that of the kernel,
// and swapped pages.
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

// bounds returns the limits of a process that starts m. A sound process limits its
// own addresses more tightly; a script that took over its process could lift that.
func (p *process) bounds(m *message) usage {
	memory := uint64(m.limits.Memory)
	now, _ := p.usage(0) // fails only if the process has ended, which the run will report
	return usage{
		memory:    memory,
		addresses: now.addresses + m.frame.bytes() + memory + headroom + maxControl + maxBody,
		threads:   maxThreads,
	}
}

// rest is the state of a child when it became idle.
type rest struct {
	at  time.Time
	cpu time.Duration
	use usage
}

// The processor time that an idle child may use: atRest for collecting the garbage
// of its last run, and then a small fraction of the time.
const (
	atRest     = time.Second
	atRestRate = 0.05 // fraction of one processor
)

// rest records that the child is idle from now on.
func (c *child) rest() {
	use, _ := c.proc.usage(0) // unfit reports an error
	c.rested = rest{at: time.Now(), cpu: c.proc.cpu(), use: use}
}

// unfit says why an idle child cannot take a run, or returns "" if it can.
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

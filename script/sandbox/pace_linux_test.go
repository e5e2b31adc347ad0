package sandbox

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pace measures how much other load slows the machine down. A limit must end a run within
// one second on a machine without other load.
type pace struct {
	mu    sync.Mutex
	spins []spin
	quit  chan struct{}
}

// spin does a few milliseconds of work.
type spin struct {
	end  time.Time
	slow float64 // wall time divided by processor time
}

const spinTime = 8 * time.Millisecond

func newPace(t *testing.T) *pace {
	p := &pace{quit: make(chan struct{})}
	p.spin()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-p.quit:
				return
			case <-time.After(100 * time.Millisecond):
				p.spin()
			}
		}
	}()
	t.Cleanup(func() {
		close(p.quit)
		<-done
	})
	return p
}

func (p *pace) spin() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began, before := time.Now(), threadTime()
	for threadTime()-before < spinTime {
		continue
	}
	end := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spins = append(p.spins, spin{end, float64(end.Sub(began)) / float64(threadTime()-before)})
}

// slowest returns the largest factor by which the machine was slowed down since began, or
// 1 without other load.
func (p *pace) slowest(began time.Time) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	most := p.spins[len(p.spins)-1].slow
	for i := len(p.spins) - 1; i >= 0 && p.spins[i].end.After(began); i-- {
		most = max(most, p.spins[i].slow)
	}
	return max(most, 1)
}

// holds fails the test if a run took longer than its deadline plus one second, adjusted
// for other load.
func (p *pace) holds(t *testing.T, name string, began time.Time, took time.Duration, l Limits) {
	t.Helper()
	slow := p.slowest(began)
	if limit := l.Deadline + time.Duration(slow*float64(time.Second)); took > limit {
		t.Errorf("%s: took %s, more than %s, where the machine was slower by a factor of %.1f", name, took, limit, slow)
	}
}

func threadTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err) // the clock always exists
	}
	return time.Duration(now.Nano())
}

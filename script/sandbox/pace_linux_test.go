package sandbox

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pace knows how much slower than its processor the machine is at times, since
// others work on it too: the second in which a limit ends a run is a second of
// a machine that has time for it.
type pace struct {
	mu    sync.Mutex
	spins []spin
	quit  chan struct{}
}

// spin is a piece of work of a few milliseconds.
type spin struct {
	end  time.Time
	slow float64 // time on the wall over processor time
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

// slowest is the factor by which the machine was slower since began, at worst; 1
// where nobody was in the way.
func (p *pace) slowest(began time.Time) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	most := p.spins[len(p.spins)-1].slow
	for i := len(p.spins) - 1; i >= 0 && p.spins[i].end.After(began); i-- {
		most = max(most, p.spins[i].slow)
	}
	return max(most, 1)
}

// holds fails the test where a run that began then took longer than its deadline
// and the second after it.
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
		panic(err) // the clock is there
	}
	return time.Duration(now.Nano())
}

package testenv

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// Cost is the memory and time that a piece of work took.
type Cost struct {
	Bytes uint64        // allocated by the whole process during the work
	Time  time.Duration // processor time on Linux, elapsed time on other systems
}

// CostOf measures work on one thread. Tests that call it must not run in parallel.
func CostOf(work func()) Cost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := threadTime()
	work()
	took := threadTime() - begin
	runtime.ReadMemStats(&after)
	return Cost{Bytes: after.TotalAlloc - before.TotalAlloc, Time: took}
}

// Linear fails the test if the cost of work grows faster than the length of its text,
// from short to long, or exceeds perByte bytes of memory or 10 µs per byte of text. It
// measures again before it fails, because other goroutines and the garbage collector
// may have added to the cost. It measures nothing under the race detector, which makes
// work take several times longer.
func Linear(tb testing.TB, short, long string, perByte uint64, work func(text string)) {
	tb.Helper()
	if race {
		return
	}
	var err error
	for range 4 {
		if err = linear(short, long, perByte, work); err == nil {
			return
		}
	}
	tb.Error(err)
}

func linear(short, long string, perByte uint64, work func(text string)) error {
	const slack = 1 << 20 // what work on any text takes
	a, b := CostOf(func() { work(short) }), CostOf(func() { work(long) })
	grown := float64(len(long)) / float64(len(short))
	switch {
	case float64(b.Bytes) > 1.5*grown*float64(a.Bytes)+slack:
		return fmt.Errorf("%d bytes of text took %d KiB, %d bytes %d KiB: more than in proportion", len(short), a.Bytes>>10, len(long), b.Bytes>>10)
	case b.Bytes > perByte*uint64(len(long))+slack:
		return fmt.Errorf("%d bytes of text took %d KiB", len(long), b.Bytes>>10)
	case b.Time > 10*time.Millisecond && b.Time.Seconds() > 3*grown*max(a.Time.Seconds(), 1e-3):
		return fmt.Errorf("%d bytes of text took %v, %d bytes %v: more than in proportion", len(short), a.Time, len(long), b.Time)
	case b.Time > time.Duration(len(long))*10*time.Microsecond+100*time.Millisecond:
		return fmt.Errorf("%d bytes of text took %v", len(long), b.Time)
	}
	return nil
}

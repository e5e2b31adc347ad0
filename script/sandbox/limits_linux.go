package sandbox

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// limiter sets a child's own limits for a run, which end what the watch over
// the child is too slow for, or what goes on without it. The child does it
// itself: a parent without the capability may not limit a process of another
// user, and the script has no way to.
type limiter struct {
	data uint64 // bytes of writable memory, mapped but not necessarily used, before the first run
}

// newLimiter is called before the process is hardened.
func newLimiter() (*limiter, error) {
	statm, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil, err
	}
	defer statm.Close()
	pages, err := readStatm(statm)
	return &limiter{data: pages[statmData] * pageSize}, err
}

// arena is what Go's heap grows by; the collector and threads need room besides.
const arena = 64 << 20

// set sets the limits for the run of r.
func (l *limiter) set(r request) error {
	if err := setSoft(unix.RLIMIT_DATA, l.data+uint64(r.Memory)+2*arena); err != nil {
		return fmt.Errorf("limit memory: %w", err)
	}
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("processor time: %w", err)
	}
	seconds := float64(used.Utime.Nano()+used.Stime.Nano())/1e9 + processors*(r.Deadline+grace).Seconds()
	if err := setSoft(unix.RLIMIT_CPU, uint64(math.Ceil(seconds))+1); err != nil {
		return fmt.Errorf("limit processor time: %w", err)
	}
	return nil
}

// setSoft changes a soft limit; the hard one could not be raised again for the next run.
func setSoft(resource int, value uint64) error {
	var old unix.Rlimit
	if err := unix.Prlimit(0, resource, nil, &old); err != nil {
		return err
	}
	return unix.Prlimit(0, resource, &unix.Rlimit{Cur: min(value, old.Max), Max: old.Max}, nil)
}

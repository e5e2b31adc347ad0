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
	statm *os.File // opened before paths are closed to the process
}

// newLimiter is called before the process is hardened.
func newLimiter() (*limiter, error) {
	statm, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil, err
	}
	return &limiter{statm: statm}, nil
}

// files are those that the limiter keeps open.
func (l *limiter) files() []*os.File { return []*os.File{l.statm} }

// set sets the limits for the run of r.
func (l *limiter) set(r request) error {
	// Of addresses, not of data: the heap takes addresses first and uses them
	// afterwards, which a limit of data does not stop, but then nothing else
	// finds memory, and the process dies in many ways instead of the one that
	// says why.
	pages, err := readStatm(l.statm)
	if err != nil {
		return fmt.Errorf("limit memory: %w", err)
	}
	if err := setSoft(unix.RLIMIT_AS, pages[statmSize]*pageSize+uint64(r.Memory)+headroom); err != nil {
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

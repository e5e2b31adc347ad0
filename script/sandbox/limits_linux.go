package sandbox

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// limiter sets a child's own resource limits for a run. They end what the
// parent's watch is too slow for, or a child whose parent is gone. The child
// sets them itself, because a parent without the capability cannot limit a
// process of another user. A script has no way to change them.
type limiter struct {
	statm *os.File // opened before the process loses access to paths
}

// newLimiter must be called before the process is hardened.
func newLimiter() (*limiter, error) {
	statm, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil, err
	}
	return &limiter{statm: statm}, nil
}

// files returns the files that must stay open.
func (l *limiter) files() []*os.File { return []*os.File{l.statm} }

// set sets the limits for the run of r.
func (l *limiter) set(r request) error {
	// Limit addresses, not data. The heap reserves addresses first and uses them
	// later, which a limit on data does not stop. Other allocations would then
	// fail, and the process would die in various ways instead of with a message
	// that names the cause.
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

// setSoft changes a soft limit. A hard limit could not be raised again for the next
// run.
func setSoft(resource int, value uint64) error {
	var old unix.Rlimit
	if err := unix.Prlimit(0, resource, nil, &old); err != nil {
		return err
	}
	return unix.Prlimit(0, resource, &unix.Rlimit{Cur: min(value, old.Max), Max: old.Max}, nil)
}

//go:build !linux

package sandbox

import (
	"os"
	"syscall"
	"time"

	"ballast/internal/confine"
)

// process is the parent's view of a child: the clock on the wall alone.
type process struct{ started time.Time }

func newProcess(int, string) (*process, error) { return &process{started: time.Now()}, nil }

func (*process) close() {}

func (*process) usage(uint64) (usage, error) { return usage{}, nil }

func (p *process) cpu() time.Duration { return time.Since(p.started) }

// lower would lower the priority of the process.
func (*process) lower() bool { return false }

// ended returns the processor time that a process had used in the end.
func ended(s *os.ProcessState) (cpu time.Duration, overCPU bool) {
	return s.UserTime() + s.SystemTime(), false
}

func attributes() *syscall.SysProcAttr { return nil }

func coarseTimers() {}

// watched adds to r what the parent of a process would do for it.
func (*process) watched(r *confine.Report) {
	r.Note("memory_watch", "", confine.ErrNotLinux)
	r.Note("sealed_frames", "", confine.ErrNotLinux)
}

// limiter leaves a child's limits to its parent.
type limiter struct{}

func newLimiter() (*limiter, error) { return &limiter{}, nil }

func (*limiter) set(request) error { return nil }

func (*limiter) files() []*os.File { return nil }

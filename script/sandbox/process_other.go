//go:build !linux

package sandbox

import (
	"os"
	"syscall"
	"time"

	"ballast/internal/confine"
)

// process is the parent's view of a child: only its wall time.
type process struct{ started time.Time }

func newProcess(int, string) (*process, error) { return &process{started: time.Now()}, nil }

func (*process) close() {}

func (*process) usage(uint64) (usage, error) { return usage{}, nil }

func (p *process) cpu() time.Duration { return time.Since(p.started) }

// lower does not change the priority and reports false.
func (*process) lower() bool { return false }

// ended returns the total processor time of a process.
func ended(s *os.ProcessState) (cpu time.Duration, overCPU bool) {
	return s.UserTime() + s.SystemTime(), false
}

func attributes() *syscall.SysProcAttr { return nil }

func coarseTimers() {}

// watched adds to r the guards that the parent does not provide on this system.
func (*process) watched(r *confine.Report) {
	r.Note("memory_watch", "", confine.ErrNotLinux)
	r.Note("sealed_frames", "", confine.ErrNotLinux)
}

// limiter sets no limits; only the parent's watch applies.
type limiter struct{}

func newLimiter() (*limiter, error) { return &limiter{}, nil }

func (*limiter) set(request) error { return nil }

func (*limiter) files() []*os.File { return nil }

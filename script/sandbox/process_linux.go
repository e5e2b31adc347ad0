package sandbox

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ballast/internal/confine"
)

// process is the parent's view of a child.
type process struct {
	pid   int
	statm *os.File
	tasks *os.File // the folder of its threads
	files uint64   // bytes of the program and its libraries, which are shared at most
}

// libraries is more than the system's libraries take.
const libraries = 32 << 20

// newProcess watches the process of this id, which runs the program of the path.
func newProcess(pid int, path string) (*process, error) {
	program, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("watch the sandbox: %w", err)
	}
	statm, err := os.Open(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return nil, fmt.Errorf("watch the sandbox: %w", err)
	}
	tasks, err := os.Open(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		statm.Close()
		return nil, fmt.Errorf("watch the sandbox: %w", err)
	}
	return &process{pid: pid, statm: statm, tasks: tasks, files: uint64(program.Size()) + libraries}, nil
}

func (p *process) close() {
	p.statm.Close()
	p.tasks.Close()
}

var pageSize = uint64(os.Getpagesize())

// usage returns what the process uses now. Memory that is shared is not its own,
// as far as it can be the frame, whose bytes are given, and the program.
func (p *process) usage(frame uint64) (usage, error) {
	pages, err := readStatm(p.statm)
	if err != nil {
		return usage{}, err
	}
	var tasks unix.Stat_t
	if err := unix.Fstat(int(p.tasks.Fd()), &tasks); err != nil {
		return usage{}, err
	}
	resident, shared := pages[statmResident]*pageSize, pages[statmShared]*pageSize
	return usage{
		memory:    resident - min(resident, shared, p.files+frame),
		addresses: pages[statmSize] * pageSize,
		threads:   int(tasks.Nlink) - 2, // a folder has two links beside those of what is in it
	}, nil
}

// The fields of statm.
const (
	statmSize     = 0
	statmResident = 1
	statmShared   = 2
	statmFields   = 7
)

func readStatm(file *os.File) (pages [statmFields]uint64, err error) {
	var b [256]byte
	n, err := file.ReadAt(b[:], 0)
	if n == 0 {
		return pages, err
	}
	fields := bytes.Fields(b[:n])
	if len(fields) < len(pages) {
		return pages, fmt.Errorf("statm reads %q", b[:n])
	}
	for i := range pages {
		if pages[i], err = strconv.ParseUint(string(fields[i]), 10, 64); err != nil {
			return pages, fmt.Errorf("statm reads %q: %w", b[:n], err)
		}
	}
	return pages, nil
}

// cpu returns the processor time of the child so far, on the parent's word.
func (p *process) cpu() time.Duration {
	const scheduler = 2 // CPUCLOCK_SCHED of the whole process: clock ids of others are made of their pid
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^p.pid<<3|scheduler), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// slowNice is the priority of runs that take long: a third of the weight of others.
// Their deadline is of the clock on the wall, so that it leaves them enough.
const slowNice = 5

// lower lowers the priority of all threads of the process, and of those that it
// starts later. It reports whether it did.
func (p *process) lower() bool {
	// The process leads a group of its own (attributes); by itself its id would
	// name its first thread alone.
	return unix.Setpriority(unix.PRIO_PGRP, p.pid, slowNice) == nil
}

// ended returns the processor time that a process had used in the end, and
// whether the kernel ended it for that.
func ended(s *os.ProcessState) (cpu time.Duration, overCPU bool) {
	status, ok := s.Sys().(syscall.WaitStatus)
	return s.UserTime() + s.SystemTime(), ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}

// attributes has the child die with the thread that starts it, and keeps the
// terminal's signals from it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// timerSlack is by how much the kernel may delay the timers of children, in nanoseconds.
const timerSlack = 1_000_000

// coarseTimers has the kernel delay the timers of the processes that this thread
// starts, to wake them less often: the watch of Go's runtime over a child that
// works for a millisecond wakes every 20 µs otherwise, and took a fifth of its
// processor time.
func coarseTimers() {
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, timerSlack, 0, 0, 0) // without it children only take more
}

// watched adds to r what the parent of a process does for it.
func (p *process) watched(r *confine.Report) {
	_, err := p.usage(0)
	r.Note("memory_watch", "", err)
	s, err := seal(func(io.Writer) error { return nil })
	if err == nil {
		s.close()
	}
	r.Note("sealed_frames", "", err)
}

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
	files uint64   // bytes of the program and its libraries, the most that can be shared
}

// libraries is an upper bound, in bytes, of the system's libraries in a process.
const libraries = 32 << 20

// newProcess opens what is needed to watch process pid, which runs the program at
// path.
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

// usage returns what the process uses now. Shared memory is not counted, up to the
// size of the program and of the frame, which is given in bytes.
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
		threads:   int(tasks.Nlink) - 2, // a directory has two links besides those of its subdirectories
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

// cpu returns the processor time of the child so far, as measured by the parent.
func (p *process) cpu() time.Duration {
	const scheduler = 2 // CPUCLOCK_SCHED of the whole process; the clock id of another process is computed from its pid
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^p.pid<<3|scheduler), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// slowNice is the niceness of long runs, which gives them a third of the weight of
// others. Their deadline is in wall time and generous enough for that.
const slowNice = 5

// lower lowers the priority of all threads of the process, including those that it
// starts later. It reports whether it succeeded.
func (p *process) lower() bool {
	// The process leads its own process group (see attributes). With PRIO_PROCESS the
	// id would name only its first thread.
	return unix.Setpriority(unix.PRIO_PGRP, p.pid, slowNice) == nil
}

// ended returns the total processor time of a process, and whether the kernel ended
// it for exceeding its limit.
func ended(s *os.ProcessState) (cpu time.Duration, overCPU bool) {
	status, ok := s.Sys().(syscall.WaitStatus)
	return s.UserTime() + s.SystemTime(), ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}

// attributes make the child die with the thread that starts it, and keep the
// terminal's signals from it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// timerSlack is how long the kernel may delay the timers of children, in nanoseconds.
const timerSlack = 1_000_000

// coarseTimers lets the kernel delay the timers of the processes that this thread
// starts, so that they wake less often. Otherwise the monitor thread of Go's runtime
// wakes every 20 µs, which took a fifth of the processor time of a child that works
// for a millisecond.
func coarseTimers() {
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, timerSlack, 0, 0, 0) // if it fails, children only use more processor time
}

// watched adds to r the guards that the parent of a process provides.
func (p *process) watched(r *confine.Report) {
	_, err := p.usage(0)
	r.Note("memory_watch", "", err)
	s, err := seal(func(io.Writer) error { return nil })
	if err == nil {
		s.close()
	}
	r.Note("sealed_frames", "", err)
}

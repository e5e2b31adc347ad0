package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"

	"ballast/internal/sysuser"
)

// Harden takes from this process everything that the plan does not keep. The caller
// must stay locked to its thread for the life of the process, because the kernel
// sends the signal of the parent's death to that thread only.
//
// The order matters. Descriptors are listed in /proc, which a process that is not
// dumpable cannot read. A change of user resets the signal of the parent's death and
// the dumpable flag. What seccomp forbids must be set up before it.
func Harden(p Plan) Report {
	var r Report
	os.Clearenv()
	r.Note("empty_environment", "", nil)
	r.Note("closed_descriptors", "", closeOthers(p))
	r.Note("resource_limits", "", limitResources(p))
	if p.KeepUser {
		r.Note("no_capabilities", "", dropCapabilities())
	} else {
		r.Note("unprivileged_user", "", dropUser())
	}
	r.Note("no_dump", "", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	r.Note("parent_death", "", dieWithParent())
	r.Note("no_new_privileges", "", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	version, err := restrictFiles(p)
	r.Note("landlock", fmt.Sprintf("version %d", version), err)
	r.Note("seccomp", "", filterCalls(p))
	return r
}

// closeOthers closes every descriptor except those of the plan and of the runtime's
// poller. Inherited descriptors lack the close-on-exec flag. The runtime also holds
// the control group's files, which it no longer reads once the number of processors
// is set.
func closeOthers(p Plan) error {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= p.LastDescriptor {
			continue
		}
		if slices.ContainsFunc(p.Keep, func(f *os.File) bool { return int(f.Fd()) == fd }) {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil { // the descriptor that listed the folder, which is closed by now
			continue
		}
		of, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err != nil {
			return err
		}
		if flags&unix.FD_CLOEXEC != 0 && (of == "anon_inode:[eventpoll]" || of == "anon_inode:[eventfd]") {
			continue
		}
		if err := unix.Close(fd); err != nil {
			return fmt.Errorf("close %d: %w", fd, err)
		}
	}
	return nil
}

func limitResources(p Plan) error {
	for _, l := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_NOFILE, p.Descriptors},
		{unix.RLIMIT_FSIZE, p.FileBytes},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_MEMLOCK, 0},
		{unix.RLIMIT_MSGQUEUE, 0},
	} {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.most, Max: l.most}); err != nil {
			return fmt.Errorf("limit of resource %d: %w", l.resource, err)
		}
	}
	// The pool limits the processor time of each run. The runtime would ignore the
	// limit's signal; the kernel's default action ends the process.
	var byKernel [32]byte
	if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGXCPU), uintptr(unsafe.Pointer(&byKernel)), 0, 8, 0, 0); errno != 0 {
		return fmt.Errorf("action of SIGXCPU: %w", errno)
	}
	return nil
}

// dropUser changes from root to the sandbox's user. Any other user is kept.
func dropUser() error {
	if os.Geteuid() != 0 {
		return nil
	}
	if err := syscall.Setgroups([]int{}); err != nil {
		return fmt.Errorf("setgroups: %w", err)
	}
	if err := syscall.Setgid(sysuser.Sandbox); err != nil {
		return fmt.Errorf("setgid: %w", err)
	}
	if err := syscall.Setuid(sysuser.Sandbox); err != nil {
		return fmt.Errorf("setuid: %w", err)
	}
	return nil
}

// dropCapabilities removes every capability from the process.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
	if errno != 0 {
		return fmt.Errorf("capset: %w", errno)
	}
	return nil
}

// dieWithParent makes the kernel end this process with its parent. If the parent has
// died before, the process notices that its socket is closed.
func dieWithParent() error {
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// restrictFiles allows only the paths of the plan, and no ports, as far as the
// kernel's version of landlock can. It returns that version.
func restrictFiles(p Plan) (int, error) {
	version, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0, fmt.Errorf("the kernel has no landlock: %w", err)
	}
	most := landlock.V11
	// Early kernels treat the threads of a process as foreign to each other, but
	// the runtime signals its own threads. seccomp confines signals instead.
	most.Scoped &^= ll.ScopeSignal
	var rules []landlock.Rule
	if len(p.Read) > 0 {
		rules = append(rules, landlock.ROFiles(p.Read...))
	}
	if len(p.Write) > 0 {
		rules = append(rules, landlock.RWDirs(p.Write...))
	}
	return version, most.BestEffort().Restrict(rules...)
}

// filterCalls installs the filter of system calls on all threads.
func filterCalls(p Plan) error {
	// The poller opens its descriptors when the first timer is set, which would not be possible later.
	time.Sleep(time.Nanosecond)
	program, err := filter(os.Getpid(), p.opens())
	if err != nil {
		return err
	}
	code := make([]unix.SockFilter, len(program))
	for i, op := range program {
		code[i] = unix.SockFilter{Code: op.Op, Jt: op.Jt, Jf: op.Jf, K: op.K}
	}
	fprog := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	thread, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&fprog)))
	runtime.KeepAlive(code)
	switch {
	case errno != 0:
		return fmt.Errorf("seccomp: %w", errno)
	case thread != 0:
		return errors.New("seccomp: a thread has a filter of its own")
	}
	return nil
}

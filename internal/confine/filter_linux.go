package confine

import (
	"errors"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// calls are the system calls that Go's runtime, the C library's threads and memory,
// and the socket need. None opens a file, or starts another process or signals it.
// Those that differ between architectures are in machineCalls.
var calls = []uint32{
	unix.SYS_FUTEX, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CTL, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
	unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_WRITE, unix.SYS_RECVMSG, unix.SYS_CLOSE,
	unix.SYS_MADVISE, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_BRK, unix.SYS_MINCORE,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETPID, unix.SYS_GETTID,
	unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_GETRUSAGE, unix.SYS_GETRANDOM,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_RESTART_SYSCALL, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// fileCalls are the further system calls of a process that may open files. Landlock
// decides which files. None of the calls changes owners, modes or links.
var fileCalls = []uint32{
	unix.SYS_OPENAT, unix.SYS_FSTAT, machineStat, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_LSEEK,
	unix.SYS_PWRITE64, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_UNLINKAT, unix.SYS_MKDIRAT,
	unix.SYS_GETDENTS64, unix.SYS_FCNTL, unix.SYS_READLINKAT, unix.SYS_STATFS, unix.SYS_FSTATFS, unix.SYS_GETCWD,
	unix.SYS_SYSINFO, unix.SYS_UNAME, unix.SYS_FADVISE64, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_SCHED_SETAFFINITY, unix.SYS_GETCPU,
}

// Offsets in struct seccomp_data.
const (
	offsetCall = 0
	offsetArch = 4
	offsetArgs = 16 // the lower half of the first argument; the next ones follow 8 bytes apart
)

// The kernel's actions for a call.
const (
	allow  = unix.SECCOMP_RET_ALLOW
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	// absent makes the C library fall back to clone, whose flags the filter can see.
	absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	kill   = unix.SECCOMP_RET_KILL_PROCESS
)

// newSpaces are the flags of clone that create namespaces.
const newSpaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// filter assembles the filter for the process with this id. files says whether it may
// open files.
func filter(pid int, files bool) ([]bpf.RawInstruction, error) {
	if machine == 0 {
		return nil, errors.New("the system calls of this machine are not known")
	}
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: machine, SkipTrue: 1},
		bpf.RetConstant{Val: kill},
		bpf.LoadAbsolute{Off: offsetCall, Size: 4},
	}
	lists := [][]uint32{calls, machineCalls}
	if files {
		lists = append(lists, fileCalls, machineFileCalls)
	}
	for _, list := range lists {
		for _, call := range list {
			program = append(program,
				bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: 1},
				bpf.RetConstant{Val: allow})
		}
	}
	program = append(program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE3, SkipFalse: 1}, bpf.RetConstant{Val: absent})
	for _, call := range []struct {
		number, argument uint32
		test             bpf.JumpTest
		value            uint32
	}{
		{unix.SYS_MPROTECT, 2, bpf.JumpBitsNotSet, unix.PROT_EXEC},
		{unix.SYS_TGKILL, 0, bpf.JumpEqual, uint32(pid)},
		{unix.SYS_PRCTL, 0, bpf.JumpEqual, unix.PR_SET_VMA},
	} {
		program = append(program,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: call.number, SkipFalse: 4},
			bpf.LoadAbsolute{Off: offsetArgs + 8*call.argument, Size: 4},
			bpf.JumpIf{Cond: call.test, Val: call.value, SkipFalse: 1},
			bpf.RetConstant{Val: allow},
			bpf.RetConstant{Val: refuse})
	}
	program = append(program, // no executable memory, and no shared memory of its own: the watch counts shared memory as the frame
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_MMAP, SkipFalse: 7},
		bpf.LoadAbsolute{Off: offsetArgs + 8*2, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.PROT_EXEC, SkipTrue: 4},
		bpf.LoadAbsolute{Off: offsetArgs + 8*3, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: unix.MAP_SHARED, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.MAP_ANONYMOUS, SkipTrue: 1},
		bpf.RetConstant{Val: allow},
		bpf.RetConstant{Val: refuse})
	program = append(program, // threads, not processes
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE, SkipFalse: 5},
		bpf.LoadAbsolute{Off: offsetArgs, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: unix.CLONE_THREAD, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: newSpaces, SkipTrue: 1},
		bpf.RetConstant{Val: allow},
		bpf.RetConstant{Val: refuse})
	program = append(program, // no change of its own limits on memory and processor time
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_PRLIMIT64, SkipFalse: 6},
		bpf.LoadAbsolute{Off: offsetArgs, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 4},
		bpf.LoadAbsolute{Off: offsetArgs + 8, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.RLIMIT_AS, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.RLIMIT_CPU, SkipTrue: 1},
		bpf.RetConstant{Val: allow},
		bpf.RetConstant{Val: refuse})
	return bpf.Assemble(program)
}

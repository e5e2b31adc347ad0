package confine

import "golang.org/x/sys/unix"

// machine is the kernel's name for the calling convention.
const machine uint32 = unix.AUDIT_ARCH_X86_64

var machineCalls = []uint32{unix.SYS_EPOLL_WAIT}

// machineStat is the system call that describes a file by its path.
const machineStat = unix.SYS_NEWFSTATAT

// machineFileCalls are older calls that the C library still uses.
var machineFileCalls = []uint32{
	unix.SYS_OPEN, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_UNLINK, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_READLINK,
}

package confine

import "golang.org/x/sys/unix"

// machine is the kernel's name for the calling convention.
const machine uint32 = unix.AUDIT_ARCH_AARCH64

var machineCalls []uint32

// machineStat is the system call that describes a file by its path.
const machineStat = unix.SYS_FSTATAT

var machineFileCalls []uint32

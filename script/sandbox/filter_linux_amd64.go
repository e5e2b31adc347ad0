package sandbox

import "golang.org/x/sys/unix"

// machine is the kernel's name for the calling convention.
const machine uint32 = unix.AUDIT_ARCH_X86_64

var machineCalls = []uint32{unix.SYS_EPOLL_WAIT}

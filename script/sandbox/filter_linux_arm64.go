package sandbox

import "golang.org/x/sys/unix"

// machine is the kernel's name for the calling convention.
const machine uint32 = unix.AUDIT_ARCH_AARCH64

var machineCalls []uint32

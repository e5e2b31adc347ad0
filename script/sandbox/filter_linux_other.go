//go:build linux && !amd64 && !arm64

package sandbox

// machine is 0 where the system calls have not been looked up.
const machine uint32 = 0

var machineCalls []uint32

//go:build linux && !amd64 && !arm64

package confine

// machine is 0 because the system calls of this architecture are not known here.
const machine uint32 = 0

var machineCalls []uint32

const machineStat = 0

var machineFileCalls []uint32

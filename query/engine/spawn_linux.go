package engine

import (
	"os"
	"syscall"
)

// attributes have the kernel end a child with the thread that started it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// overTime reports whether the kernel ended the process for its processor time.
func overTime(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}

//go:build !linux

package engine

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func overTime(*os.ProcessState) bool { return false }

//go:build unix && !linux

package embedded

import "os/exec"

func detach(*exec.Cmd) {}

//go:build unix && !linux

package embedded

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// command prepares a PostgreSQL program to run as the owner, in a session of its own: a
// terminal's interrupt is for the service, which then stops it.
func command(ctx context.Context, l layout, u owner, program string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = "/"
	cmd.Env = environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if u.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.gid)}
	}
	return cmd, nil
}

// commandLine returns the arguments of a process, or nil if it has ended. It splits a
// folder's name at spaces, so a server in such a folder is not recognised.
func commandLine(pid int) []string {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

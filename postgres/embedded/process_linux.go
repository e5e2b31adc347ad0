package embedded

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// command prepares a PostgreSQL program to run as the owner. It gets a session of its
// own, because a terminal's interrupt is for the service, which then stops it. It is
// killed when the thread that started it ends.
func command(ctx context.Context, l layout, u owner, program string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = "/" // capabilities take effect with the program, too late to enter l.root
	cmd.Env = environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGQUIT}
	if !u.drop {
		return cmd, nil
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.gid)}
	if reachable(l.root, u) {
		return cmd, nil
	}
	// The owner cannot enter a folder above, such as /root. One capability lets the
	// server through without changing anybody's folders.
	permitted, err := permittedCapabilities()
	if err != nil {
		return nil, err
	}
	for _, c := range []uintptr{unix.CAP_DAC_READ_SEARCH, unix.CAP_DAC_OVERRIDE} {
		if permitted&(1<<c) != 0 {
			cmd.SysProcAttr.AmbientCaps = []uintptr{c}
			return cmd, nil
		}
	}
	return nil, fmt.Errorf("user id %d, which runs the database, cannot enter %s, and this process is not allowed to give it access; choose a data folder that other users can enter (chmod o+x its parent folders)", u.uid, l.root)
}

// reachable reports whether the owner can enter the folder and all its parents, according
// to their permission bits.
func reachable(dir string, u owner) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil {
			return false
		}
		uid, gid := ownerOf(info)
		bit := os.FileMode(0o001)
		switch {
		case uid == u.uid:
			bit = 0o100
		case gid == u.gid:
			bit = 0o010
		}
		if info.Mode().Perm()&bit == 0 {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

// permittedCapabilities reads the process's permitted capabilities.
func permittedCapabilities() (uint64, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("read own capabilities: %w", err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if set, ok := strings.CutPrefix(s.Text(), "CapPrm:"); ok {
			return strconv.ParseUint(strings.TrimSpace(set), 16, 64)
		}
	}
	return 0, fmt.Errorf("read own capabilities: /proc/self/status does not list them")
}

// commandLine returns the arguments of a process, or nil if it has ended. Unlike its
// working folder they can be read without any privilege.
func commandLine(pid int) []string {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err != nil || len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

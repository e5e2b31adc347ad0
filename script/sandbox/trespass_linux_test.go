package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// trespass tries, inside a child, everything that a script must not be able to do.
func trespass(what string) string {
	var err error
	switch what {
	case "read":
		_, err = os.ReadFile("/etc/passwd")
	case "proc":
		_, err = os.ReadFile("/proc/self/environ")
	case "list":
		_, err = os.ReadDir("/")
	case "write":
		err = os.WriteFile(filepath.Join(os.TempDir(), "ballast-trespass"), []byte("x"), 0o600)
	case "tcp":
		_, err = net.DialTimeout("tcp", "127.0.0.1:1", time.Second)
	case "unix":
		_, err = net.Dial("unix", "/run/x.sock")
	case "socket":
		_, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	case "exec":
		err = exec.Command("/bin/true").Run()
	case "execve":
		err = syscall.Exec("/bin/true", []string{"true"}, nil)
	case "fork":
		_, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		err = error(errno)
	case "ptrace":
		err = unix.PtraceAttach(unix.Getppid())
	case "kill":
		err = unix.Kill(1, 0)
	case "killparent":
		err = unix.Tgkill(unix.Getppid(), unix.Getppid(), unix.SIGTERM)
	case "code":
		_, err = unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	case "protect":
		var b []byte
		if b, err = unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON); err == nil {
			err = unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC)
		}
	case "memfd":
		_, err = unix.MemfdCreate("x", 0)
	case "limit":
		err = unix.Prlimit(0, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}, nil)
	case "dump":
		err = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)
	case "root":
		err = syscall.Setuid(0)
	case "filter":
		_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&[4]byte{})))
		err = error(errno)
	case "uring":
		_, _, errno := unix.RawSyscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&[128]byte{})), 0)
		err = error(errno)
	case "environment":
		if len(os.Environ()) == 0 {
			return "empty"
		}
		return fmt.Sprint(os.Environ())
	}
	if err == nil || errors.Is(err, syscall.Errno(0)) {
		return "it worked"
	}
	return "refused: " + err.Error()
}

func TestChildHasNothing(t *testing.T) {
	p := testPool(t, 1)
	if missing := p.Guards().Missing(); len(missing) > 0 {
		t.Skipf("this system lacks %v", missing)
	}
	for _, what := range []string{
		"read", "proc", "list", "write", "tcp", "unix", "socket", "exec", "execve", "fork", "ptrace", "kill",
		"killparent", "code", "protect", "memfd", "limit", "dump", "root", "filter", "uring",
	} {
		t.Run(what, func(t *testing.T) {
			got := failed(t, p, "try "+what)
			if !strings.HasPrefix(got.Message, "refused: ") {
				t.Errorf("%s: %s", what, got.Message)
			}
		})
	}
	if got := failed(t, p, "try environment"); got.Message != "empty" {
		t.Errorf("environment: %s", got.Message)
	}
}

package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// parent is a process that starts a child, prints its id and waits to be killed.
func parent() {
	p, err := NewPool(context.Background(), Config{Command: []string{"/proc/self/exe", "sandbox"}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, err = p.Run(context.Background(), Job{Source: "pid", Frame: panel(&testing.B{}, 1, 10)})
	_, pid, _ := strings.Cut(err.Error(), ": ")
	fmt.Println(pid)
	_, _ = p.Run(context.Background(), Job{Source: "spin", Frame: panel(&testing.B{}, 1, 10)})
}

func TestChildDiesWithItsParent(t *testing.T) {
	cmd := exec.Command("/proc/self/exe", "parent")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line)
	}
	for range 200 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("child %d outlives its parent", pid)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// zombie reports whether a process has ended and waits for its new parent.
func zombie(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return strings.Contains(string(stat), ") Z ")
}

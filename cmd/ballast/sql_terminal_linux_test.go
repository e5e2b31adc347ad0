package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal with what was written to it.
type terminal struct {
	keys *os.File
	mu   sync.Mutex
	said bytes.Buffer
}

// openTerminal returns a terminal of 80 columns and the end that a command uses.
func openTerminal(t *testing.T) (_ *terminal, end *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	fd := int(keys.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		t.Fatal(err)
	}
	if end, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	c := &terminal{keys: keys}
	go func() {
		for b := make([]byte, 4096); ; {
			n, err := keys.Read(b)
			if err != nil {
				return
			}
			c.mu.Lock()
			c.said.Write(b[:n])
			c.mu.Unlock()
		}
	}()
	return c, end
}

// press types keys, and waits until the terminal has shown each of the texts after that
// and stands at a prompt.
func (c *terminal) press(t *testing.T, keys string, want ...string) {
	t.Helper()
	c.mu.Lock()
	c.said.Reset()
	c.mu.Unlock()
	if _, err := c.keys.WriteString(keys); err != nil {
		t.Fatal(err)
	}
	c.await(t, keys, "> ", want...)
}

func (c *terminal) await(t *testing.T, keys, end string, want ...string) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		said := strings.ReplaceAll(c.said.String(), "\r\n", "\n")
		c.mu.Unlock()
		missing := ""
		for _, w := range want {
			if !strings.Contains(said, w) {
				missing = w
			}
		}
		if missing == "" && strings.HasSuffix(said, end) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%q: the terminal does not show %q, but\n%s", keys, missing, said)
		}
	}
}

// TestSQLAtATerminal holds a session with ballast sql: statements over several lines,
// history, errors, wide answers, and Ctrl-C and Ctrl-D.
func TestSQLAtATerminal(t *testing.T) {
	t.Parallel()
	c, end := openTerminal(t)
	cmd := exec.CommandContext(t.Context(), binary.Path(t), "sql", "--data-dir", t.TempDir(), "--log-level", "error")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = end, end, end
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has usually ended
	_ = end.Close()
	c.await(t, "", "sql> ", "Tables: models, runs")

	c.press(t, "select 40 + 2 as answer, null as nothing;\r", "answer  nothing", "    42     NULL")
	c.press(t, "select 1\r", "...> ")
	c.press(t, "+ 6 as seven;\r", "seven\n-----\n    7\n")
	c.press(t, "select 11 as a; select 12 as b;\r", "11\n", "12\n")
	c.press(t, "select * from metricx;\r", "Did you mean metrics?", "              ^\n")
	c.press(t, "select symbol from models;\r", "0 rows")
	c.press(t, "select repeat('x', 50) as one, repeat('y', 50) as two;\r", "-- row 1 --\none  xxx")
	c.press(t, "\x1b[A\r", "-- row 1 --\none  xxx") // the line before
	if _, err := c.keys.WriteString("select 5"); err != nil {
		t.Fatal(err)
	}
	c.press(t, "\x03")
	c.press(t, "select 1,\r", "...> ")
	c.press(t, "\x03")
	c.press(t, "select 8 as eight;\r", "eight\n-----\n    8\n")

	c.mu.Lock()
	c.said.Reset()
	c.mu.Unlock()
	if _, err := c.keys.WriteString("select count(*) from range(1000000) a, range(10000000) b where a.range + b.range = 7;\r"); err != nil {
		t.Fatal(err)
	}
	// The statement takes minutes. An interrupt before it has begun only clears a line.
	interrupting, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(interrupting)
		for {
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Millisecond):
				_, _ = c.keys.WriteString("\x03") // the wait below fails if it does not arrive
			}
		}
	}()
	c.await(t, "Ctrl-C", "> ", "The statement was interrupted.")
	close(stop)
	<-interrupting
	c.press(t, "select 9 as nine;\r", "nine\n----\n   9\n")
	if _, err := c.keys.WriteString("\x04"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the session ends with %v", err)
		}
	case <-time.After(2 * time.Minute):
		t.Error("Ctrl-D does not end the session")
	}
}

package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// leftoverPatience is how long a server may take to end after its service has died.
const leftoverPatience = 20 * time.Second

// pidFile is what a running server writes about itself to postmaster.pid.
type pidFile struct {
	pid    int
	data   string // the cluster's folder, as the server was told
	socket string // folder of its socket, "" until it listens
	ready  bool   // accepts connections
}

// readPidFile reads the cluster's postmaster.pid, and reports false if there is none.
func readPidFile(data string) (pidFile, bool) {
	b, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return pidFile{}, false
	}
	return parsePidFile(string(b))
}

// parsePidFile reads the lines pid, data folder, start time, port, socket folder, listen
// address, shared memory key, status. While a server starts, only the first of them are
// written.
func parsePidFile(text string) (pidFile, bool) {
	lines := strings.Split(text, "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid <= 0 {
		return pidFile{}, false
	}
	p := pidFile{pid: pid}
	if len(lines) > 1 {
		p.data = strings.TrimSpace(lines[1])
	}
	if len(lines) > 4 {
		p.socket = strings.TrimSpace(lines[4])
	}
	if len(lines) > 7 {
		p.ready = strings.TrimSpace(lines[7]) == "ready"
	}
	return p, true
}

// Attach returns the connection string of a server that another process runs in the data
// folder. It reports false if no server accepts connections there.
func Attach(dir string) (string, bool) {
	l, err := layoutOf(dir)
	if err != nil {
		return "", false
	}
	p, ok := readPidFile(l.data)
	if !ok || !p.ready || p.socket == "" {
		return "", false
	}
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(context.Background(), "unix", filepath.Join(p.socket, socketName))
	if err != nil {
		return "", false
	}
	_ = conn.Close()
	return dsn(p.socket, Role), true
}

// endLeftover ends the server of a service that has died. If the pid in postmaster.pid
// now belongs to some other program, it returns that pid, otherwise 0.
func endLeftover(ctx context.Context, data string) (stranger int, err error) {
	p, ok := readPidFile(data)
	if !ok || !alive(p.pid) {
		return 0, nil
	}
	if !p.isServer() {
		return p.pid, nil
	}
	ctx, cancel := context.WithTimeout(ctx, leftoverPatience)
	defer cancel()
	if err := syscall.Kill(p.pid, syscall.SIGQUIT); err != nil && !errors.Is(err, syscall.ESRCH) {
		return 0, fmt.Errorf("stop the PostgreSQL that a former service left running (process %d): %w", p.pid, err)
	}
	for alive(p.pid) && p.isServer() {
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("the PostgreSQL that a former service left running (process %d) does not stop: %w", p.pid, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return 0, nil
}

// alive reports whether a process has that id.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// isServer reports whether the process is the one that wrote the file, rather than
// another that now has its pid.
func (p pidFile) isServer() bool {
	args := commandLine(p.pid)
	if len(args) == 0 || filepath.Base(args[0]) != "postgres" {
		return false
	}
	i := slices.Index(args, "-D")
	return i >= 0 && i+1 < len(args) && args[i+1] == p.data
}

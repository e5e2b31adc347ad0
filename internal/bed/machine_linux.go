package bed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Machine is one machine of a bed.
type Machine struct {
	Name    string
	Address string // of its only interface
	Dir     string // for its files

	bed             *Bed
	namespace, link string
	group           *group // its share of the processors; nil without a limit

	mu        sync.Mutex
	processes []*Process
}

// Command is what a machine runs.
type Command struct {
	Path string
	Args []string
	Env  []string // added to the environment
	User string   // root if it is empty
}

// Process is a running command. Its output is in Log.
type Process struct {
	Log  string
	cmd  *exec.Cmd
	done chan struct{}
}

// Start starts a command on the machine.
func (m *Machine) Start(c Command) (*Process, error) {
	log, err := os.CreateTemp(m.Dir, filepath.Base(c.Path)+"-*.log")
	if err != nil {
		return nil, fmt.Errorf("start %s on %s: %w", c.Path, m.Name, err)
	}
	defer log.Close()
	p := &Process{Log: log.Name(), cmd: m.command(context.Background(), c), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s on %s: %w", c.Path, m.Name, err)
	}
	m.mu.Lock()
	m.processes = append(m.processes, p)
	m.mu.Unlock()
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.done)
	}()
	return p, nil
}

// Run runs a command on the machine to its end, and returns what it printed.
func (m *Machine) Run(ctx context.Context, c Command) (string, error) {
	out, err := m.command(ctx, c).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(out), fmt.Errorf("%s %v on %s: %w: %s", c.Path, c.Args, m.Name, err, exit.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("%s on %s: %w", c.Path, m.Name, err)
	}
	return string(out), nil
}

// command enters the namespace, the group and the user of a command, and becomes it.
func (m *Machine) command(ctx context.Context, c Command) *exec.Cmd {
	args := []string{"--net=/run/netns/" + m.namespace}
	if m.group != nil {
		args = append(args, "sh", "-c", `echo $$ > "$0" && exec "$@"`, m.group.members())
	}
	if c.User != "" {
		args = append(args, "setpriv", "--reuid", c.User, "--regid", c.User, "--clear-groups")
	}
	cmd := exec.CommandContext(ctx, "nsenter", append(append(args, c.Path), c.Args...)...) //nolint:gosec // the caller's own command
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Dir = m.Dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	return cmd
}

// Stop asks the process to end and waits for it, at most as long as given.
func (p *Process) Stop(most time.Duration) error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.done:
		return nil
	case <-time.After(most):
		p.Kill()
		return fmt.Errorf("%s did not stop within %v", p.cmd.Args, most)
	}
}

// Kill ends the process and its children at once.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // they may have ended
	<-p.done
}

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Pid returns the process ID.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Cut takes the machine's link down: every packet to and from it is lost.
func (m *Machine) Cut(ctx context.Context) error {
	return ip(ctx, "-n "+m.bed.name+" link set "+m.link+" down")
}

// Mend takes the machine's link up again.
func (m *Machine) Mend(ctx context.Context) error {
	return ip(ctx, "-n "+m.bed.name+" link set "+m.link+" up")
}

// Dial connects from the machine, as net.Dialer does. Addresses are not looked up by name.
func (m *Machine) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	runtime.LockOSThread()
	own, err := unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("dial from %s: %w", m.Name, err)
	}
	defer func() { _ = unix.Close(own) }() // read alone
	there, err := unix.Open("/run/netns/"+m.namespace, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("dial from %s: %w", m.Name, err)
	}
	defer func() { _ = unix.Close(there) }() // read alone
	if err := unix.Setns(there, unix.CLONE_NEWNET); err != nil {
		return nil, fmt.Errorf("dial from %s: %w", m.Name, err)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if back := unix.Setns(own, unix.CLONE_NEWNET); back != nil {
		panic(back) // other goroutines would be on the machine
	}
	runtime.UnlockOSThread()
	if err != nil {
		return nil, fmt.Errorf("dial %s from %s: %w", address, m.Name, err)
	}
	return conn, nil
}

// remove ends the machine's processes and removes its namespace and group.
func (m *Machine) remove(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.processes {
		if !p.Ended() {
			p.Kill()
		}
	}
	err := ip(ctx, "netns del "+m.namespace)
	if m.group != nil {
		err = errors.Join(err, m.group.remove())
	}
	return err
}

// Files returns the path of one of the machine's files.
func (m *Machine) Files(name string) string { return filepath.Join(m.Dir, name) }

func microseconds(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }

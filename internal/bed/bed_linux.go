package bed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// network is the first part of every address: 10.77.0.1 is the first machine.
const network = "10.77.0."

// Bed is a set of machines. Its methods are safe for concurrent use.
type Bed struct {
	Dir string // for files of its machines

	name     string // of the namespace with the bridge, and of all others before a hyphen
	mu       sync.Mutex
	machines []*Machine
}

// New makes a bed without machines, in a temporary folder.
func New(ctx context.Context) (*Bed, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("make a bed of machines: namespaces and cgroups need root")
	}
	if err := removeLeft(ctx); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bed-")
	if err != nil {
		return nil, fmt.Errorf("make a bed of machines: %w", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // the database of another user is below it
		return nil, fmt.Errorf("make a bed of machines: %w", err)
	}
	b := &Bed{Dir: dir, name: fmt.Sprintf("bed%d", os.Getpid())}
	for _, args := range []string{
		"netns add " + b.name,
		"-n " + b.name + " link add bridge0 type bridge",
		"-n " + b.name + " link set bridge0 up",
	} {
		if err := ip(ctx, args); err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	return b, nil
}

// removeLeft ends the processes of beds whose own process was killed, and removes their
// namespaces.
func removeLeft(ctx context.Context) error {
	namespaces, _ := filepath.Glob("/run/netns/bed*") // the pattern is well formed
	for _, path := range namespaces {
		name := filepath.Base(path)
		var pid int
		if n, err := fmt.Sscanf(name, "bed%d", &pid); n != 1 || err != nil || syscall.Kill(pid, 0) == nil {
			continue
		}
		inside, err := exec.CommandContext(ctx, "ip", "netns", "pids", name).Output()
		if err != nil {
			return fmt.Errorf("look into the left namespace %s: %w", name, err)
		}
		for _, field := range strings.Fields(string(inside)) {
			if pid, err := strconv.Atoi(field); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			}
		}
		if err := ip(ctx, "netns del "+name); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the processes of all machines and removes them.
func (b *Bed) Close() error {
	ctx := context.Background()
	b.mu.Lock()
	machines := b.machines
	b.machines = nil
	b.mu.Unlock()
	var errs []error
	for _, m := range machines {
		errs = append(errs, m.remove(ctx))
	}
	return errors.Join(append(errs, ip(ctx, "netns del "+b.name), os.RemoveAll(b.Dir))...)
}

// Machine adds a machine to the bed. Cores is the processor time that all of its
// processes together get per second; 0 is no limit.
func (b *Bed) Machine(ctx context.Context, name string, cores float64) (*Machine, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := len(b.machines) + 1
	m := &Machine{
		Name: name, Address: fmt.Sprintf("%s%d", network, number), Dir: filepath.Join(b.Dir, name),
		bed: b, namespace: b.name + "-" + name, link: fmt.Sprintf("v%d", number),
	}
	if err := os.MkdirAll(m.Dir, 0o755); err != nil { //nolint:gosec // the database of another user is below it
		return nil, fmt.Errorf("make the machine %s: %w", name, err)
	}
	for _, args := range []string{
		"netns add " + m.namespace,
		fmt.Sprintf("-n %s link add %s type veth peer name eth0 netns %s", b.name, m.link, m.namespace),
		fmt.Sprintf("-n %s link set %s master bridge0", b.name, m.link),
		fmt.Sprintf("-n %s link set %s up", b.name, m.link),
		fmt.Sprintf("-n %s addr add %s/24 dev eth0", m.namespace, m.Address),
		fmt.Sprintf("-n %s link set eth0 up", m.namespace),
		fmt.Sprintf("-n %s link set lo up", m.namespace),
	} {
		if err := ip(ctx, args); err != nil {
			return nil, fmt.Errorf("make the machine %s: %w", name, err)
		}
	}
	if cores > 0 {
		group, err := newGroup(m.namespace, cores)
		if err != nil {
			return nil, fmt.Errorf("make the machine %s: %w", name, err)
		}
		m.group = group
	}
	b.machines = append(b.machines, m)
	return m, nil
}

// ip runs iproute2's ip.
func ip(ctx context.Context, args string) error {
	out, err := exec.CommandContext(ctx, "ip", strings.Fields(args)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", args, err, strings.TrimSpace(string(out)))
	}
	return nil
}

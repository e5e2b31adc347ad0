package bed

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// group is a control group that limits processor time, of either version of cgroups.
type group struct{ dir string }

// period is the time within which a group may use its share.
const period = 50 * time.Millisecond

// newGroup makes a group whose processes together get at most this much processor time per
// second: 0.2 is a fifth of one processor.
func newGroup(name string, cores float64) (*group, error) {
	quota := microseconds(time.Duration(cores * float64(period)))
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		g := &group{filepath.Join("/sys/fs/cgroup", name)}
		_ = os.WriteFile("/sys/fs/cgroup/cgroup.subtree_control", []byte("+cpu"), 0o644) //nolint:gosec // where it is on already, or cannot be, the next write says so
		if err := os.Mkdir(g.dir, 0o755); err != nil {                                   //nolint:gosec // as every group
			return nil, fmt.Errorf("make a control group: %w", err)
		}
		return g, g.set("cpu.max", quota+" "+microseconds(period))
	}
	g := &group{filepath.Join("/sys/fs/cgroup/cpu", name)}
	if err := os.Mkdir(g.dir, 0o755); err != nil { //nolint:gosec // as every group
		return nil, fmt.Errorf("make a control group: %w", err)
	}
	return g, errors.Join(g.set("cpu.cfs_period_us", microseconds(period)), g.set("cpu.cfs_quota_us", quota))
}

func (g *group) set(file, value string) error {
	if err := os.WriteFile(filepath.Join(g.dir, file), []byte(value), 0o644); err != nil { //nolint:gosec // a file of the kernel
		return fmt.Errorf("set a limit of processor time: %w", err)
	}
	return nil
}

// members is the file to which a process writes its ID to join.
func (g *group) members() string { return filepath.Join(g.dir, "cgroup.procs") }

// remove removes the group. Its processes have been killed and may take a moment to end.
func (g *group) remove() error {
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := os.Remove(g.dir)
		if err == nil || !errors.Is(err, syscall.EBUSY) || time.Now().After(deadline) {
			return err
		}
	}
}

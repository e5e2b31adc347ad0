package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// relative is a process as /proc shows it. The start time distinguishes it from a
// later process with the same number.
type relative struct {
	pid, parent int
	state       string
	started     string
	command     string
}

// everyone lists all processes.
func everyone() []relative {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // fails only for a malformed pattern
	var all []relative
	for _, path := range stats {
		if r, ok := look(filepath.Dir(path)); ok {
			all = append(all, r)
		}
	}
	return all
}

// look reads one process, which may have ended in the meantime.
func look(dir string) (relative, bool) {
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return relative{}, false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return relative{}, false
	}
	pid, _ := strconv.Atoi(filepath.Base(dir))
	parent, _ := strconv.Atoi(fields[1])
	command, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
	return relative{
		pid: pid, parent: parent, state: fields[0], started: fields[19],
		command: strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " ")),
	}, true
}

// family lists the descendants of a process.
func family(pid int) []relative {
	all := everyone()
	in := map[int]bool{pid: true}
	var found []relative
	for grown := true; grown; {
		grown = false
		for _, r := range all {
			if in[r.parent] && !in[r.pid] {
				in[r.pid], grown = true, true
				found = append(found, r)
			}
		}
	}
	return found
}

// sandboxes returns the processes of a family in which scripts run.
func sandboxes(members []relative) []relative {
	var found []relative
	for _, r := range members {
		if strings.HasSuffix(r.command, " sandbox") {
			found = append(found, r)
		}
	}
	return found
}

func (r relative) alive() bool {
	now, ok := look(fmt.Sprintf("/proc/%d", r.pid))
	return ok && now.started == r.started && now.state != "Z" && now.state != "X"
}

// gone fails the test if a member is still alive after the time.
func gone(t *testing.T, members []relative, within time.Duration) {
	t.Helper()
	deadline := time.Now().Add(within)
	for _, r := range members {
		for ; r.alive(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("process %d (%s) lives %v after its service has ended", r.pid, r.command, within)
				break
			}
		}
	}
}

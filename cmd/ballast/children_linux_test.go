package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A sandbox process of the real service keeps open only what docs/sandbox.md lists,
// even after it has run scripts, and runs as another user than the database.
func TestSandboxKeepsNothingOpen(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p, url := serveProcess(t, data)
	c := caller(t, data, url)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	for i := range 3 {
		startModel(t, c, fixedWeights(fmt.Sprintf("Open %d", i), fmt.Sprintf("OPEN%d", i), "KA", 0.5, "KB", 0.5))
	}
	sandboxes, databases := childrenOf(t, p.cmd.Process.Pid)
	if len(sandboxes) != 2 || len(databases) != 1 {
		t.Fatalf("sandboxes %v, databases %v", sandboxes, databases)
	}
	for _, pid := range sandboxes {
		want := []*regexp.Regexp{
			regexp.MustCompile(`^/dev/null$`), regexp.MustCompile(`^/dev/null$`), regexp.MustCompile(`^pipe:`), regexp.MustCompile(`^socket:`),
			regexp.MustCompile(fmt.Sprintf(`^(/proc/%d/statm|anon_inode:\[(eventpoll|eventfd)\])$`, pid)),
		}
		open := descriptorsOf(t, pid)
		if len(open) > 7 {
			t.Errorf("%d descriptors: %v", len(open), open)
		}
		for fd, of := range open {
			if !want[min(fd, len(want)-1)].MatchString(of) {
				t.Errorf("descriptor %d of a sandbox is %s", fd, of)
			}
		}
	}
	if os.Geteuid() == 0 {
		apart(t, sandboxes[0], databases[0])
	}
}

// On a system without the user postgres, a service that runs as root runs its
// database as nobody. The sandbox must not use that user.
func TestDatabaseOfNobodyIsApartFromTheSandbox(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root, who alone can run parts of the service as other users")
	}
	const nobody = 65534
	data := t.TempDir()
	must(t, "account", "list", "--data-dir", data) // makes the cluster
	err := filepath.WalkDir(filepath.Join(data, "postgres"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := serveProcess(t, data)
	sandboxes, databases := childrenOf(t, p.cmd.Process.Pid)
	if len(sandboxes) != 2 || len(databases) != 1 {
		t.Fatalf("sandboxes %v, databases %v", sandboxes, databases)
	}
	if uid, _ := idsOf(t, databases[0]); uid != nobody {
		t.Errorf("the database runs as %d", uid)
	}
	apart(t, sandboxes[0], databases[0])
}

// apart checks that two processes share neither user nor group, so that neither can
// signal the other or read its files, and that neither is root.
func apart(t *testing.T, a, b int) {
	t.Helper()
	auid, agid := idsOf(t, a)
	buid, bgid := idsOf(t, b)
	if auid == buid || agid == bgid || auid == 0 || buid == 0 {
		t.Errorf("user and group %d:%d, and %d:%d", auid, agid, buid, bgid)
	}
	if groups := statusOf(t, a, "Groups"); groups != "" {
		t.Errorf("the sandbox has the groups %s", groups)
	}
}

// childrenOf returns the sandboxes and the PostgreSQL that a service has started.
func childrenOf(t *testing.T, service int) (sandboxes, databases []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", service))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		list, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(list)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err != nil {
				t.Fatal(err)
			}
			arguments := strings.Split(string(line), "\x00")
			switch {
			case slices.Contains(arguments, "sandbox"):
				sandboxes = append(sandboxes, pid)
			case filepath.Base(arguments[0]) == "postgres":
				databases = append(databases, pid)
			}
		}
	}
	return sandboxes, databases
}

// descriptorsOf describes each open file descriptor of a process.
func descriptorsOf(t *testing.T, pid int) map[int]string {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skipf("the descriptors of a sandbox are hidden from this user: %v", err)
	}
	open := map[int]string{}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if open[fd], err = os.Readlink(filepath.Join(folder, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return open
}

func idsOf(t *testing.T, pid int) (uid, gid int) {
	t.Helper()
	// /proc shows a process that cannot be dumped as root's.
	if _, err := fmt.Sscan(statusOf(t, pid, "Uid"), &uid); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(statusOf(t, pid, "Gid"), &gid); err != nil {
		t.Fatal(err)
	}
	return uid, gid
}

// statusOf reads a line of /proc/PID/status.
func statusOf(t *testing.T, pid int, name string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	t.Fatalf("/proc/%d/status has no %s", pid, name)
	return ""
}

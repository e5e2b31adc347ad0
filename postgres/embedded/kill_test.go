package embedded_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"ballast/postgres/embedded"
)

// helperDir names the environment variable that turns the test binary into a service with
// a database in that folder.
const helperDir = "BALLAST_EMBEDDED_HELPER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		os.Exit(serve(dir))
	}
	os.Exit(m.Run())
}

// serve starts a server, reports it on standard output, and runs until it is killed.
func serve(dir string) int {
	s, err := embedded.Start(context.Background(), embedded.Config{Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(s.DSN())
	for { // churn threads: the server must not end with the one that started it
		done := make(chan struct{})
		go func() {
			runtime.LockOSThread() // ends the thread with the goroutine
			close(done)
		}()
		<-done
		time.Sleep(time.Millisecond)
	}
}

// service runs the helper and returns it with its server's connection string.
func service(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the helper did not start: %v", err)
	}
	return cmd, strings.TrimSpace(line)
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// postmaster reads the process id of the folder's server.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "postgres", "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestKilledServiceLeavesNoServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a child that its parent died")
	}
	t.Parallel()
	dir := privateDir(t)
	cmd, dsn := service(t, dir)
	execute(t, dsn, "create table kept (v int)")
	for i := range 3 {
		query[int](t, dsn, fmt.Sprintf("insert into kept values (%d) returning v", i))
		pid := postmaster(t, dir)
		kill(cmd)
		killed := time.Now()
		for deadline := time.Now().Add(2 * time.Second); embedded.CommandLine(pid) != nil; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("postgres %d lives two seconds after its service was killed", pid)
			}
		}
		gone := time.Since(killed)
		cmd, dsn = service(t, dir)
		t.Logf("postgres gone %v after the kill, recovered by the next start %v after it", gone, time.Since(killed))
		if n := query[int](t, dsn, "select count(*)::int from kept"); n != i+1 {
			t.Fatalf("after kill %d: %d rows, want %d", i+1, n, i+1)
		}
	}
}

// The next start may come before the killed service's server has ended. If the operating
// system does not end that server, the next start does.
func TestStartAtOnceAfterKill(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	cmd, dsn := service(t, dir)
	execute(t, dsn, "create table kept (v int)")
	kill(cmd)
	s := start(t, dir)
	if n := query[int](t, s.DSN(), "select count(*)::int from kept"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

func TestKillWhileMakingTheCluster(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	for _, after := range []time.Duration{20, 100, 250, 400} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), helperDir+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond)
		kill(cmd)
	}
	query[int](t, start(t, dir).DSN(), "select 1")
	if left, _ := filepath.Glob(filepath.Join(dir, "postgres", "init-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A server that outlived its killed service is ended by the next start.
func TestLeftoverServerIsEnded(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	stop(t, start(t, dir))
	leftover, err := embedded.StartLeftover(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir)
	query[int](t, s.DSN(), "select 1")
	if now := postmaster(t, dir); now == leftover {
		t.Errorf("the leftover server %d still runs", leftover)
	}
}

package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/embedded"
)

// start runs a server, which is stopped when the test ends.
func start(t *testing.T, dir string) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *embedded.Server) {
	t.Helper()
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// query runs one statement and returns the first value of its first row.
func query[T any](t *testing.T, dsn, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var v T
	if err := conn.QueryRow(t.Context(), sql).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// execute runs one statement.
func execute(t *testing.T, dsn, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// privateDir returns a folder whose parent other users cannot enter, as with /root.
func privateDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "ballast-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(parent); err != nil {
			t.Error(err)
		}
	})
	if info, err := os.Stat(parent); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("mode of %s: %v, %v", parent, info.Mode(), err)
	}
	return filepath.Join(parent, "data")
}

func TestServerKeepsDataAcrossStops(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	first := start(t, dir)
	execute(t, first.DSN(), "create table kept (v text)")
	execute(t, first.DSN(), "insert into kept values ('yes')")
	if attached, ok := embedded.Attach(dir); !ok || attached != first.DSN() {
		t.Errorf("Attach = %q, %t; want %q", attached, ok, first.DSN())
	}
	stop(t, first)
	select {
	case <-first.Done():
	default:
		t.Error("Done is open after Stop")
	}
	if _, ok := embedded.Attach(dir); ok {
		t.Error("Attach found a stopped server")
	}

	began := time.Now()
	second := start(t, dir)
	t.Logf("started an existing cluster in %v", time.Since(began))
	if v := query[string](t, second.DSN(), "select v from kept"); v != "yes" {
		t.Errorf("kept = %q", v)
	}
}

func TestServerSettings(t *testing.T) {
	t.Parallel()
	s := start(t, privateDir(t))
	for name, want := range map[string]string{
		"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "data_checksums": "on",
		"listen_addresses": "", "unix_socket_permissions": "0700", "jit": "off", "max_connections": "100",
		"shared_buffers": "64MB", "server_encoding": "UTF8", "TimeZone": "UTC",
	} {
		if got := query[string](t, s.DSN(), "show "+name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if user := query[string](t, s.DSN(), "select current_user || '@' || current_database()"); user != "ballast_service@ballast" {
		t.Errorf("connected as %s", user)
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	s := start(t, dir)
	_, err := embedded.Start(t.Context(), embedded.Config{Dir: dir})
	if !errors.Is(err, embedded.ErrRunning) {
		t.Fatalf("second start: %v, want ErrRunning", err)
	}
	query[int](t, s.DSN(), "select 1")
}

// Stop ends the server even if its context has ended, and no data is lost.
func TestStopWithoutPatience(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	s := start(t, dir)
	execute(t, s.DSN(), "create table kept (v int)")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("Stop: %v", err)
	}
	select {
	case <-s.Done():
	default:
		t.Error("Done is open after Stop")
	}
	again := start(t, dir)
	if n := query[int](t, again.DSN(), "select count(*)::int from kept"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

func TestLongPathPutsSocketElsewhere(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(privateDir(t), strings.Repeat("long and with spaces'", 6))
	s := start(t, dir)
	query[int](t, s.DSN(), "select 1")
	folder := query[string](t, s.SuperuserDSN(), "show unix_socket_directories")
	folder = strings.Trim(folder, `"`)
	if !strings.HasPrefix(folder, os.TempDir()) {
		t.Fatalf("socket in %s", folder)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("socket folder: %v, %v", info, err)
	}
	if attached, ok := embedded.Attach(dir); !ok || attached != s.DSN() {
		t.Errorf("Attach = %q, %t; want %q", attached, ok, s.DSN())
	}
	stop(t, s)
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("socket folder after Stop: %v", err)
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		write map[string]string
		want  string
	}{
		{"another major version", map[string]string{"PG_VERSION": "9\n"}, "was created by PostgreSQL 9, but this machine has"},
		{"unreadable version", map[string]string{"PG_VERSION": "x\n"}, "read the cluster's version"},
		{"not a cluster", map[string]string{"notes.txt": "mine"}, "is not a PostgreSQL cluster"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := privateDir(t)
			data := filepath.Join(dir, "postgres", "data")
			if err := os.MkdirAll(data, 0o700); err != nil {
				t.Fatal(err)
			}
			for name, text := range test.write {
				if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if os.Geteuid() == 0 {
				if err := os.Chown(data, 65534, 65534); err != nil {
					t.Fatal(err)
				}
			}
			_, err := embedded.Start(t.Context(), embedded.Config{Dir: dir})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Start: %v, want %q", err, test.want)
			}
		})
	}
}

func TestStartQuotesTheLog(t *testing.T) {
	t.Parallel()
	_, err := embedded.Start(t.Context(), embedded.Config{
		Dir:      privateDir(t),
		Settings: map[string]string{"shared_buffers": "a lot", "fsync": "off"},
	})
	if err == nil || !strings.Contains(err.Error(), `invalid value for parameter "shared_buffers"`) {
		t.Errorf("Start: %v", err)
	}
}

func TestStartHonoursContext(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := embedded.Start(ctx, embedded.Config{Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Start: %v, want canceled", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "postgres", "init-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	query[int](t, start(t, dir).DSN(), "select 1")
}

// If the process id in postmaster.pid now belongs to another program, for example after a
// reboot, the server still starts and that program is not harmed.
func TestReusedProcessNumber(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	stop(t, start(t, dir))
	data := filepath.Join(dir, "postgres", "data")
	text := fmt.Sprintf("%d\n%s\n1\n5432\n%s\n\n\n", 1, data, filepath.Join(dir, "postgres", "run"))
	if err := os.WriteFile(filepath.Join(data, "postmaster.pid"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(data); err == nil && os.Geteuid() == 0 {
		uid, gid := embedded.OwnerOf(info)
		if err := os.Chown(filepath.Join(data, "postmaster.pid"), uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	query[int](t, start(t, dir).DSN(), "select 1")
}

func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s, err := embedded.Start(b.Context(), embedded.Config{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Stop(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

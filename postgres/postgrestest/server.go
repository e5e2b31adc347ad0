package postgrestest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"ballast/postgres/embedded"
)

// New returns the connection string of an empty database for this test alone, on a
// private server that the test process shares and that ends with it. The database is
// dropped when the test ends. Without PostgreSQL's programs the test fails and says what
// to install.
func New(t testing.TB) string {
	t.Helper()
	return NewFrom(t, "", nil)
}

// NewFrom is like New, but the database is a copy of a template that prepare has filled.
// prepare runs once per name and test process, and must close the connections that it
// opens.
func NewFrom(t testing.TB, name string, prepare func(ctx context.Context, dsn string) error) string {
	t.Helper()
	s, err := sharedServer()
	if err != nil {
		t.Fatalf("a test needs PostgreSQL: %v", err)
	}
	dsn, err := s.database(t.Context(), name, prepare)
	if err != nil {
		t.Fatalf("create a test's database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.drop(dsn); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return dsn
}

// server is the test process's PostgreSQL.
type server struct {
	dsn       string   // of the service's role, which the tests use
	superuser string   // creates and drops databases
	lifeline  *os.File // kept here because the garbage collector would close it

	mu        sync.Mutex // templates are created, and databases numbered, one at a time
	templates map[string]string
	made      int
}

// sharedServer starts the server on first use. A test process cannot run code after its
// last test, so a small companion process waits until it ends, for whatever reason, and
// removes the server's folder. The server itself ends with its parent where the operating
// system supports that; elsewhere the companion ends it.
var sharedServer = sync.OnceValues(func() (*server, error) {
	dir, err := os.MkdirTemp(folder(), "ballast-test-")
	if err != nil {
		return nil, err
	}
	lifeline, err := startCompanion(dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := embedded.Start(ctx, embedded.Config{Dir: dir, Settings: map[string]string{
		// Nothing here outlives the process, let alone a power cut.
		"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
		"shared_buffers": "32MB", "max_connections": "300", "min_wal_size": "32MB", "max_wal_size": "128MB",
	}})
	if err != nil {
		return nil, err
	}
	return &server{dsn: s.DSN(), superuser: s.SuperuserDSN(), lifeline: lifeline, templates: map[string]string{}}, nil
})

// folder returns where to put the server's folder: in memory if the system has a large
// enough file system there, because a database has hundreds of files and tests create
// hundreds of databases. TMPDIR wins; "" is the usual folder for temporary files.
func folder() string {
	const memory, enough = "/dev/shm", 2 << 30
	var free unix.Statfs_t
	if os.Getenv("TMPDIR") != "" || unix.Statfs(memory, &free) != nil || free.Bavail*uint64(free.Bsize) < enough {
		return ""
	}
	return memory
}

// companion waits until its standard input closes, which happens when the test process
// ends. Then it ends the server and removes its folder. A server that ends removes its
// postmaster.pid.
const companion = `
read -r _
pidfile="$1/postgres/data/postmaster.pid"
n=0
while pid=$(head -n 1 "$pidfile" 2>/dev/null) && [ $n -lt 200 ]; do
	kill -QUIT "$pid" 2>/dev/null
	sleep 0.02
	n=$((n+1))
done
rm -rf "$1" || { sleep 0.5; rm -rf "$1"; }
`

// startCompanion returns the pipe that keeps the companion waiting while it is open.
func startCompanion(dir string) (lifeline *os.File, err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", companion, "sh", dir)
	cmd.Stdin = read
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // a terminal's interrupt must not end it first
	if err := cmd.Start(); err != nil {
		_ = write.Close()
		return nil, fmt.Errorf("start the cleanup process: %w", err)
	}
	return write, nil
}

// database creates a database, as a copy of the template if one is named.
func (s *server) database(ctx context.Context, name string, prepare func(context.Context, string) error) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	template := "template1"
	if name != "" {
		var ok bool
		if template, ok = s.templates[name]; !ok {
			template = "template_" + strconv.Itoa(len(s.templates))
			if err := s.create(ctx, template, "template1"); err != nil {
				return "", err
			}
			if err := prepare(ctx, s.dsnOf(template)); err != nil {
				return "", fmt.Errorf("prepare %q: %w", name, err)
			}
			s.templates[name] = template
		}
	}
	s.made++
	database := "test_" + strconv.Itoa(s.made)
	return s.dsnOf(database), s.create(ctx, database, template)
}

func (s *server) create(ctx context.Context, database, template string) error {
	return s.execute(ctx, fmt.Sprintf("create database %s template %s owner %s strategy file_copy", database, template, embedded.Role))
}

func (s *server) drop(dsn string) error {
	u, err := url.Parse(dsn)
	if err != nil {
		return err
	}
	// The first try is without force, which would also end the server's own workers, and
	// an ordinary role may not do that.
	name := strings.TrimPrefix(u.Path, "/")
	if s.execute(context.Background(), fmt.Sprintf("drop database if exists %s", name)) == nil {
		return nil
	}
	return s.execute(context.Background(), fmt.Sprintf("drop database if exists %s with (force)", name))
}

func (s *server) execute(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, s.superuser)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, sql)
	return err
}

// dsnOf returns the server's connection string for a database.
func (s *server) dsnOf(database string) string {
	u, err := url.Parse(s.dsn)
	if err != nil {
		panic(err) // the string comes from the server itself
	}
	u.Path = "/" + database
	return u.String()
}

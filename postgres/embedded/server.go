package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
)

// startPatience is how long a server may take to accept connections. Recovery after a
// kill replays at most the 256 MB of max_wal_size.
const startPatience = 2 * time.Minute

// ErrRunning is in the chain of Start's error if another process runs the data folder's
// server.
var ErrRunning = errors.New("another process is running the database of this data folder")

// Config specifies where the server lives.
type Config struct {
	Dir      string            // the data folder, created if missing
	Logger   *slog.Logger      // nil logs nothing
	Settings map[string]string // PostgreSQL settings that add to or override the package's own; fsync=off also makes initdb fast
}

// Server is a running PostgreSQL. Its methods may be called from any goroutine.
type Server struct {
	layout layout
	logger *slog.Logger
	cmd    *exec.Cmd
	lock   *flock.Flock
	done   chan struct{} // closed when the process has ended; then its ProcessState can be read
	stop   sync.Once
}

// Start creates the cluster if there is none, starts the server and waits until it
// accepts connections to the database of DSN. Errors say what to do next; ErrNoBinaries
// and ErrRunning may be in their chains.
func Start(ctx context.Context, c Config) (*Server, error) {
	l, err := layoutOf(c.Dir)
	if err != nil {
		return nil, err
	}
	u, err := ownerFor(l, databaseUsers...)
	if err != nil {
		return nil, err
	}
	if err := l.prepare(u); err != nil {
		return nil, err
	}
	s := &Server{layout: l, logger: c.Logger, done: make(chan struct{}), lock: flock.New(l.lock)}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	locked, err := s.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.lock, err)
	}
	if !locked {
		return nil, fmt.Errorf("%w: %s", ErrRunning, c.Dir)
	}
	if err := s.start(ctx, u, c.Settings); err != nil {
		return nil, errors.Join(err, s.release())
	}
	go s.watch()
	return s, nil
}

// start does the work of Start while the lock is held.
func (s *Server) start(ctx context.Context, u owner, extra map[string]string) error {
	began := time.Now()
	major, err := clusterMajor(s.layout.data)
	if err != nil {
		return err
	}
	b, err := findBinaries(ctx, binaryFolders(), major)
	if err != nil {
		return err
	}
	if major == 0 {
		if err := makeCluster(ctx, s.layout, b, u, extra["fsync"] != "off"); err != nil {
			return err
		}
	}
	stranger, err := endLeftover(ctx, s.layout.data)
	if err != nil {
		return err
	}
	log, err := openLog(s.layout.log)
	if err != nil {
		return err
	}
	defer log.Close()
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("database log: %w", err)
	}
	// The server outlives ctx, which limits only its start.
	s.cmd, err = command(context.WithoutCancel(ctx), s.layout, u, b.postgres, append([]string{"-D", s.layout.data}, settings(s.layout, extra)...)...)
	if err != nil {
		return err
	}
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if stranger != 0 {
		// If another program now has the pid in postmaster.pid (after a reboot, or in a
		// new container), the server would refuse to start. It ignores a pid that it
		// takes for that of its starter's parent.
		s.cmd.Env = append(s.cmd.Env, "PG_GRANDPARENT_PID="+strconv.Itoa(stranger))
	}
	if err := s.spawn(); err != nil {
		return fmt.Errorf("start %s: %w", b.postgres, err)
	}
	if err := s.awaitReady(ctx); err != nil {
		_ = s.end(context.WithoutCancel(ctx))
		return fmt.Errorf("start PostgreSQL in %s: %w\n%s", s.layout.root, err, tail(s.layout.log, from))
	}
	s.logger.Info("database started", "major", b.major, "dir", s.layout.root, "duration", time.Since(began))
	return nil
}

// spawn starts the process from a thread that lives as long as the process: Linux sends
// the parent-death signal when the starting thread ends, and Go ends idle threads at
// will.
func (s *Server) spawn() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait() // ProcessState says how it ended
			close(s.done)
		}
	}()
	return <-started
}

// awaitReady returns when the server accepts connections to its database, and the
// service's role owns the database.
func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	config, err := pgx.ParseConfig(s.SuperuserDSN())
	if err != nil {
		return err
	}
	config.Database = "postgres" // there from initdb on
	for {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err == nil {
			defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
			return prepareDatabase(ctx, conn, s.SuperuserDSN())
		}
		select {
		case <-s.done:
			return fmt.Errorf("the server stopped while it was starting: %s", s.cmd.ProcessState)
		case <-ctx.Done():
			return fmt.Errorf("the server does not accept connections: %w", errors.Join(ctx.Err(), err))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// DSN returns the connection string of the service's role, as a URL. The role owns the
// database, but is not a superuser: it cannot run programs or read files on the server.
func (s *Server) DSN() string { return dsn(s.layout.socket, Role) }

// SuperuserDSN returns the connection string of the cluster's superuser, as a URL. It is
// for setting up roles and databases, never for the service's own work.
func (s *Server) SuperuserDSN() string { return dsn(s.layout.socket, superuser) }

// Done returns a channel that is closed when the server has ended, for whatever reason.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends the server: it rolls back open transactions and writes a checkpoint. If ctx
// ends first, the server is ended without a checkpoint, and the next start recovers.
// Stopping again does nothing.
func (s *Server) Stop(ctx context.Context) error {
	var err error
	s.stop.Do(func() {
		err = s.end(ctx)
		err = errors.Join(err, s.release())
	})
	return err
}

// release frees what the server held outside its own process.
func (s *Server) release() error {
	if s.layout.temp {
		_ = os.RemoveAll(s.layout.socket) // the next start creates it again
	}
	if err := s.lock.Unlock(); err != nil {
		return fmt.Errorf("unlock the data folder: %w", err)
	}
	return nil
}

// end asks the process to shut down, more and more forcefully, and waits for it.
func (s *Server) end(ctx context.Context) error {
	_ = s.cmd.Process.Signal(syscall.SIGINT) // fails only if it has ended
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
	}
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.done
	}
	return fmt.Errorf("the database was stopped without a checkpoint: %w", ctx.Err())
}

// environment returns the process's environment without the variables that PostgreSQL
// reads.
func environment() []string {
	env := []string{"LC_ALL=C"}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "PG") && !strings.HasPrefix(e, "LC_") && !strings.HasPrefix(e, "LANG") {
			env = append(env, e)
		}
	}
	return env
}

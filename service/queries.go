package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ballast/api"
	"ballast/internal/confine"
	"ballast/query"
	"ballast/query/engine"
)

// QueryConfig limits SQL statements.
type QueryConfig struct {
	MemoryMiB int           // memory of one statement
	SpillMiB  int           // temporary files of one statement
	Timeout   time.Duration // of one statement
	Rows      int64         // of one answer
	AtOnce    int           // statements in progress at the same time
}

func (*QueryConfig) title() string { return "SQL" }

func (c *QueryConfig) bind(f *pflag.FlagSet) {
	f.IntVar(&c.MemoryMiB, "query-memory-mib", c.MemoryMiB, "memory limit of one SQL statement, in MiB")
	f.IntVar(&c.SpillMiB, "query-spill-mib", c.SpillMiB, "size limit of the temporary files of one SQL statement, in MiB")
	f.DurationVar(&c.Timeout, "query-timeout", c.Timeout, "time limit of one SQL statement")
	f.Int64Var(&c.Rows, "query-rows", c.Rows, "maximum number of rows in the result of one SQL statement")
	f.IntVar(&c.AtOnce, "queries-at-once", c.AtOnce, "SQL statements in progress at the same time, shared fairly among accounts")
}

// Queries answers SQL statements, each in its own process. Close ends the processes.
type Queries struct {
	queries *query.Service
	pool    *engine.Pool
	dir     string
}

// Close ends the processes that wait for a statement.
func (q *Queries) Close() error {
	err := q.pool.Close()
	_ = os.RemoveAll(q.dir) // if this fails, the sweep of temporary files deletes it
	return err
}

// Query answers a statement over the rows that one account may read.
func (q *Queries) Query(ctx context.Context, accountID string, r query.Request) (api.QueryAnswer, error) {
	if accountID == "" {
		return nil, errors.New("query: no account")
	}
	return q.Ask(ctx, query.Scope{AccountID: accountID}, r)
}

// Ask answers a statement over the rows of a scope, which may be all accounts. Only
// operators may call it.
func (q *Queries) Ask(ctx context.Context, scope query.Scope, r query.Request) (*query.Answer, error) {
	return q.queries.Query(ctx, scope, r)
}

// Queries creates the SQL service over the storage. While statements arrive, it keeps
// warm processes started ahead. The caller closes it.
func (s *Storage) Queries(c Config, warm int, meter query.Meter, log *slog.Logger) (*Queries, error) {
	l := c.Query
	if l.MemoryMiB <= 0 || l.SpillMiB < 0 || l.Timeout <= 0 || l.Rows <= 0 || l.AtOnce <= 0 {
		return nil, invalid("the settings of SQL statements must be above 0: query-memory-mib, query-timeout, query-rows, queries-at-once; query-spill-mib may be 0")
	}
	strict, err := c.Sandbox.strict()
	if err != nil {
		return nil, err
	}
	temporary, err := filepath.Abs(s.Temporary)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(temporary, "query-files-")
	if err != nil {
		return nil, err
	}
	pool := engine.NewPool(engine.Config{Command: queryCommand, Dir: temporary, Warm: warm, Idle: queryIdle})
	return &Queries{pool: pool, dir: dir, queries: query.New(query.Config{
		Store: s.DB, Series: s.DB, Segments: s.DB, Objects: s.Bucket, Engine: pool, Dir: dir, AtOnce: l.AtOnce, Strict: strict,
		Limits: query.Limits{
			Memory: int64(l.MemoryMiB) << 20, Spill: int64(l.SpillMiB) << 20, Threads: runtime.GOMAXPROCS(0),
			Time: l.Timeout, Rows: l.Rows,
		},
		Meter: meter, Logger: log,
	})}, nil
}

// queryCommand is the command of a process that answers one statement.
var queryCommand = []string{"/proc/self/exe", "query-engine"}

// checkQueryGuards logs the guards of the processes that answer SQL. If the configuration
// requires all of them and one is missing, it fails.
func checkQueryGuards(ctx context.Context, c Config, temporary string, log *slog.Logger) error {
	strict, err := c.Sandbox.strict()
	if err != nil {
		return err
	}
	guards, err := queryGuards(ctx, temporary)
	if err != nil {
		return err
	}
	missing := guards.Missing()
	level := slog.LevelInfo
	if len(missing) > 0 {
		level = slog.LevelWarn
	}
	log.Log(ctx, level, "SQL ready", "guards", guards.String(), "missing", missing)
	if strict && len(missing) > 0 {
		return fmt.Errorf("the processes that execute SQL lack %s on this system, which strict mode requires: %s", strings.Join(missing, ", "), guards)
	}
	return nil
}

// queryGuards starts a process that answers a statement, and returns the guards that
// the process reports.
func queryGuards(ctx context.Context, temporary string) (_ confine.Report, err error) {
	pool := engine.NewPool(engine.Config{Command: queryCommand, Dir: temporary})
	defer func() { err = errors.Join(err, pool.Close()) }()
	answer, err := pool.Run(ctx, &engine.Order{SQL: "SELECT 1", Limits: engine.Limits{Memory: 64 << 20, Threads: 1, Time: 30 * time.Second, Rows: 1}})
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	for answer.Next() {
		continue
	}
	return answer.Guards(), answer.Err()
}

// queryIdle is how long a process waits for a statement before it ends.
const queryIdle = 5 * time.Minute

// warmQueries is the number of processes that a service keeps started ahead while
// statements arrive.
const warmQueries = 2

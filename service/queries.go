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

// QueryConfig bounds SQL statements.
type QueryConfig struct {
	MemoryMiB int
	SpillMiB  int
	Timeout   time.Duration
	Rows      int64
	AtOnce    int
}

func (*QueryConfig) title() string { return "SQL" }

func (c *QueryConfig) bind(f *pflag.FlagSet) {
	f.IntVar(&c.MemoryMiB, "query-memory-mib", c.MemoryMiB, "memory of one SQL statement")
	f.IntVar(&c.SpillMiB, "query-spill-mib", c.SpillMiB, "temporary files of one SQL statement")
	f.DurationVar(&c.Timeout, "query-timeout", c.Timeout, "time of one SQL statement")
	f.Int64Var(&c.Rows, "query-rows", c.Rows, "rows of the answer to one SQL statement")
	f.IntVar(&c.AtOnce, "queries-at-once", c.AtOnce, "SQL statements that are worked on at a time, shared fairly among accounts")
}

// Queries answers SQL statements in processes of their own, which end with it.
type Queries struct {
	queries *query.Service
	pool    *engine.Pool
	dir     string
}

// Close ends the processes that wait.
func (q *Queries) Close() error {
	err := q.pool.Close()
	_ = os.RemoveAll(q.dir) // a sweep removes what is left
	return err
}

// Query answers a statement over what an account may read, and nobody else's.
func (q *Queries) Query(ctx context.Context, accountID string, r query.Request) (api.QueryAnswer, error) {
	if accountID == "" {
		return nil, errors.New("query: no account")
	}
	return q.Ask(ctx, query.Scope{AccountID: accountID}, r)
}

// Ask answers a statement over the rows of a scope. It is the operator's.
func (q *Queries) Ask(ctx context.Context, scope query.Scope, r query.Request) (*query.Answer, error) {
	return q.queries.Query(ctx, scope, r)
}

// Queries makes a query service over the storage, which keeps so many processes
// started ahead while statements come.
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
		Store: s.DB, Segments: s.DB, Objects: s.Bucket, Engine: pool, Dir: dir, AtOnce: l.AtOnce, Strict: strict,
		Limits: query.Limits{
			Memory: int64(l.MemoryMiB) << 20, Spill: int64(l.SpillMiB) << 20, Threads: runtime.GOMAXPROCS(0),
			Time: l.Timeout, Rows: l.Rows,
		},
		Meter: meter, Logger: log,
	})}, nil
}

// queryCommand starts a process that answers one statement.
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
		return fmt.Errorf("the processes that answer SQL lack %s on this system, which strict mode requires: %s", strings.Join(missing, ", "), guards)
	}
	return nil
}

// queryGuards starts a process that answers a statement, and returns its guards.
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

// queryIdle is how long processes wait for a statement.
const queryIdle = 5 * time.Minute

// warmQueries are the processes that a service keeps started ahead while statements come.
const warmQueries = 2

package query

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/internal/fair"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/query/engine"
	"ballast/query/segments"
)

// Scope says whose rows a statement may read.
type Scope struct {
	AccountID string
	All       bool // of all accounts, for the operator
}

// Result is a complete run whose rows a statement may need.
type Result struct {
	segments.Run
	AccountID string
	Visible   bool // in the tables; the rows of other runs only appear within the runs that hold them
	Members   []program.Member

	BarsPerYear int64 // 252, or 365 on calendar days
}

// Store reads the data of statements.
type Store interface {
	// QueryResults returns the live runs of the scope's models and the complete runs with
	// the ids, all of them visible, and the runs that these have read, at any depth.
	QueryResults(ctx context.Context, scope Scope, runIDs []string) ([]Result, error)

	// QueryAnswers returns the live runs of the scope's simulations and analyses and the complete runs
	// of simulations with the ids.
	QueryAnswers(ctx context.Context, scope Scope, runIDs []string) ([]AnswerRun, error)

	// QueryRows returns a table that is stored as rows, with its columns in the table's
	// order. The caller releases it.
	QueryRows(ctx context.Context, scope Scope, t *Table) (arrow.RecordBatch, error)

	// QueryBars returns the asset and the object of each current segment of bars, as
	// columns asset_id and object. The caller releases it.
	QueryBars(ctx context.Context) (arrow.RecordBatch, error)
}

// SeriesReader reads series from outside. *postgres.DB is one.
type SeriesReader interface {
	// QuerySeries returns the series that a statement may read, at their current
	// versions. A series of the account hides the operator's of the same name.
	QuerySeries(ctx context.Context, scope Scope) ([]StoredSeries, error)

	// SeriesData returns the Parquet file of a version: a column date, and one of
	// numbers per key, in which NaN is a missing value.
	SeriesData(ctx context.Context, seriesID string, version int) ([]byte, error)
}

// StoredSeries is a version of a series.
type StoredSeries struct {
	ID, Name string
	Version  int
}

// Config configures a Service.
type Config struct {
	Store    Store
	Series   SeriesReader
	Segments SegmentReader // nil: every run is read from its own files
	Objects  segments.Objects
	Engine   *engine.Pool
	Dir      string // for local files of rows that are not stored as files
	AtOnce   int    // concurrent statements; each account gets its share
	Limits   Limits
	Strict   bool  // refuse statements if the kernel lacks a guard for their processes
	Meter    Meter // nil: nothing is charged
	Logger   *slog.Logger
}

// Limits limit one statement.
type Limits struct {
	Memory  int64 // bytes
	Spill   int64 // bytes of temporary files
	Threads int
	Time    time.Duration
	Rows    int64 // of an answer
}

// SegmentReader reads the segments of accounts. *postgres.DB is one.
type SegmentReader interface {
	// Segments returns the current segments of an account, and the number of changes so
	// far.
	Segments(ctx context.Context, accountID string) (current []segments.Segment, generation int64, err error)
}

// Request is one statement.
type Request struct {
	SQL        string
	Parameters []engine.Parameter
	Limit      int64    // rows after which the answer ends; an answer of more than Limits.Rows is a failure if it is 0 or above them
	RunIDs     []string // runs whose results are in the tables, in addition to the live ones
}

// Service answers statements. Its methods may be called from several goroutines.
type Service struct {
	c      Config
	shares *fair.Shares
	loose  *gathered // results that are in no segment
	series *gathered // versions of series
}

// New returns a Service.
func New(c Config) *Service {
	return &Service{
		c: c, shares: fair.New(fair.Size{Places: c.AtOnce, Most: 2 * c.AtOnce}),
		loose: newGathered(c.Dir, mostResults), series: newGathered(c.Dir, mostSeries),
	}
}

// Limits returns the limits of every statement.
func (s *Service) Limits() Limits { return s.c.Limits }

// Query answers a statement over the rows of a scope. The caller closes the answer.
// Errors are faults: fault.InvalidQuery for an error in the statement; fault.QueryMemory,
// fault.QueryTime and fault.QueryRows if it needs too much; fault.NotFound for a run that
// does not exist; fault.InsufficientFunds for an account without credit.
func (s *Service) Query(ctx context.Context, scope Scope, r Request) (*Answer, error) {
	place, err := s.shares.Take(ctx, fair.Claim{Account: scope.AccountID})
	if err != nil {
		return nil, err
	}
	if err := s.admit(ctx, scope); err != nil {
		place.Give()
		return nil, err
	}
	a, err := s.open(ctx, scope, r)
	if err != nil {
		place.Give()
		return nil, s.explain(err, r.Limit)
	}
	a.place = place
	a.charge = func() { s.charge(ctx, scope, a.Answer) }
	return a, nil
}

func (s *Service) open(ctx context.Context, scope Scope, r Request) (*Answer, error) {
	p, err := s.prepare(ctx, scope, r)
	if err != nil {
		return nil, err
	}
	o := p.order
	o.SQL, o.Parameters = r.SQL, r.Parameters
	l := s.c.Limits
	o.Limits = engine.Limits{Memory: l.Memory, Spill: l.Spill, Threads: l.Threads, Time: l.Time, Rows: l.Rows}
	o.Strict = s.c.Strict
	if r.Limit > 0 && r.Limit <= l.Rows {
		o.Limits.Rows, o.Limits.Cut = r.Limit, true
	}
	answer, err := s.c.Engine.Run(ctx, &o, p.data...)
	if err != nil {
		p.release()
		s.charge(ctx, scope, answer)
		return nil, err
	}
	return &Answer{Answer: answer, service: s, plan: p, limit: r.Limit}, nil
}

// Answer is the rows of a statement.
type Answer struct {
	*engine.Answer
	service *Service
	plan    *plan
	place   *fair.Place
	limit   int64 // of the request
	charge  func()
	closed  bool
}

// Err is engine.Answer's Err as a fault.
func (a *Answer) Err() error { return a.service.explain(a.Answer.Err(), a.limit) }

// Close ends the statement and charges it. A second call does nothing.
func (a *Answer) Close() {
	if a.closed {
		return
	}
	a.closed = true
	a.Answer.Close()
	a.plan.release()
	a.charge()
	a.place.Give()
}

// explain turns a failure into a fault. limit is the request's.
func (s *Service) explain(err error, limit int64) error {
	var f *engine.Failure
	if !errors.As(err, &f) {
		return err
	}
	l := s.c.Limits
	switch f.Reason {
	case engine.Memory:
		return fault.New(fault.QueryMemory, "The statement needs more than %d MiB of memory or %d MiB of temporary files. Read fewer rows or columns: filter by model_id and date, or aggregate before you join.", l.Memory>>20, l.Spill>>20)
	case engine.Time:
		return fault.New(fault.QueryTime, "The statement took longer than %s. Read fewer rows: filter by model_id and date, and join on keys.", l.Time)
	case engine.Rows:
		if limit > 0 {
			return fault.New(fault.QueryRows, "The result has more than %d rows, and this service returns at most that many (query-rows); the limit of %d is higher. Send a limit of at most %d to get the first rows, or aggregate or filter.", l.Rows, limit, l.Rows)
		}
		return fault.New(fault.QueryRows, "The result has more than %d rows. Aggregate or filter, add LIMIT, or send limit to get the first rows.", l.Rows)
	case engine.Damaged:
		return fmt.Errorf("query: stored data cannot be read: %w", f)
	case engine.Guards:
		return fault.New(fault.Unavailable, "This server cannot execute SQL: its processes lack a guard that the operator requires (sandbox: strict).").Wrap(f)
	}
	return invalidQuery(f)
}

// invalidQuery describes what is wrong with a statement, where, and which names exist instead.
func invalidQuery(f *engine.Failure) error {
	d := fault.Detail{Field: "sql", Message: f.Message}
	if f.Position > 0 {
		d.Message = fmt.Sprintf("%s (at character %d)", f.Message, f.Position)
		d.Column = f.Position
	}
	if f.Name != "" {
		d.Accepted = names()
		if f.Function {
			d.Accepted = macroNames()
		}
		d.Suggestion = near(f.Name, d.Accepted)
	}
	message := f.Message
	if d.Suggestion != "" {
		message += fmt.Sprintf(" Did you mean %s?", d.Suggestion)
	}
	return fault.New(fault.InvalidQuery, "The statement cannot be executed: %s", message).With(d)
}

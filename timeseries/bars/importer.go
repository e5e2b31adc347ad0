//go:build duckdb_arrow

package bars

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/fault"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars/files"
)

// Config is what an Importer works with.
type Config struct {
	Store  Store
	Bucket columnar.Bucket
	DB     *duck.DB
	Now    func() time.Time // nil: time.Now
}

// Importer takes files of bars into the store. It is safe for concurrent use.
type Importer struct{ c Config }

// NewImporter returns an importer.
func NewImporter(c Config) *Importer {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Importer{c: c}
}

// Options say how one file is imported.
type Options struct {
	Strict   bool            // doubts refuse the file too
	Symbol   string          // of a file without a symbol column; "" takes the file's name
	Wide     files.Role      // what the columns of a wide file hold; "" assumes adjusted closes, which is a doubt
	Dates    files.Order     // of dates such as 01/02/2024; "" takes what the file's dates tell
	Decimal  string          // "." or ","; "" takes what the file's numbers tell
	Only     map[string]bool // the symbols that are imported; nil for all
	Progress func(Progress)  // called as the import goes on; may be nil
}

// Progress is how far an import is: one step after the other, each from 0 to its
// Total.
type Progress struct {
	Step  Step
	Done  int64
	Total int64 // at least 1
}

// Step is a part of an import.
type Step string

// The steps, in their order.
const (
	Reading    Step = "reading" // bytes
	Checking   Step = "checking"
	Merging    Step = "merging"
	Writing    Step = "writing" // rows
	Committing Step = "committing"
)

// ErrRefused says that the report's problems refuse the file: nothing changed.
var ErrRefused = errors.New("the file is refused for the problems in its report")

// attempts is how often an import starts anew because others committed meanwhile.
const attempts = 8

// Import reads one file, of any make that the package files reads, and merges it onto the stored
// bars, all or nothing. The report is never nil: with an error it holds what
// was found until then. A file that cannot be taken is a fault.InvalidBody
// whose message says why; it wraps ErrRefused where the report's problems are
// the reason.
func (im *Importer) Import(ctx context.Context, path string, o Options) (report *Report, err error) {
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	report = &Report{First: timeseries.NoDate, Last: timeseries.NoDate, Problems: []Problem{}}
	file, err := files.Open(ctx, path, files.Options{
		Symbol: o.Symbol, Wide: o.Wide, Dates: o.Dates, Decimal: o.Decimal, Only: o.Only, Parquet: openParquet(im.c.DB),
		Progress: func(done, total int64) { o.Progress(Progress{Reading, done, total}) },
	})
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	report.File = file.Name()
	if report.SHA256, err = file.SHA256(ctx); err != nil {
		return report, err
	}
	conn, err := im.c.DB.Conn(ctx)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, conn.Discard()) }()
	s := &staging{conn: conn, file: file, report: report}
	err = im.stage(ctx, s, o)
	report.InFile = file.Symbols()
	if err != nil {
		return report, err
	}
	return report, im.merge(ctx, s, o)
}

// stage reads and checks the file by itself.
func (im *Importer) stage(ctx context.Context, s *staging, o Options) error {
	s.report.Layout = "long"
	if s.file.Wide() {
		s.report.Layout = "wide"
	}
	for _, name := range s.file.Unknown() {
		s.report.add(Problem{Severity: Doubt, Kind: UnknownColumn, Date: timeseries.NoDate, Message: fmt.Sprintf("column %q is not read", name)})
	}
	if symbol := s.file.AssumedSymbol(); symbol != "" {
		s.report.add(Problem{Severity: Doubt, Kind: AssumedSymbol, Symbol: symbol, Date: timeseries.NoDate, Message: "no symbol column; the file's name was taken"})
	}
	if why := s.file.AssumedAdjusted(); why != "" {
		s.report.add(Problem{Severity: Doubt, Kind: AssumedBasis, Date: timeseries.NoDate, Message: "the prices are read as adjusted closes, since " + why})
	}
	if err := s.read(ctx); err != nil {
		return err
	}
	if err := inSteps(ctx, o, Checking, s.summarize, s.checkCells, s.order, s.checkRows); err != nil {
		return err
	}
	if s.report.Rows == 0 && s.report.Count(Error) == 0 && o.Only == nil {
		return fault.New(fault.InvalidBody, "%s has a header and no bars; a row per symbol and date belongs below it", s.file.Name())
	}
	return s.refuse(false)
}

// inSteps does the parts of a step one after the other and reports each.
func inSteps(ctx context.Context, o Options, step Step, parts ...func(context.Context) error) error {
	for i, part := range parts {
		o.Progress(Progress{step, int64(i), int64(len(parts))})
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part(ctx); err != nil {
			return err
		}
	}
	o.Progress(Progress{step, int64(len(parts)), int64(len(parts))})
	return nil
}

func (s *staging) summarize(ctx context.Context) error {
	records, err := s.conn.Query(ctx, "SELECT coalesce(sum(n), 0)::BIGINT, count(*), min(first), max(last) FROM sym")
	if err != nil {
		return err
	}
	defer duck.Release(records)
	r := records[0]
	s.report.Rows, s.report.Symbols = r.Column(0).(*array.Int64).Value(0), r.Column(1).(*array.Int64).Value(0)
	if dates := r.Column(2).(*array.Date32); dates.IsValid(0) {
		s.report.First = timeseries.Date(dates.Value(0))
		s.report.Last = timeseries.Date(r.Column(3).(*array.Date32).Value(0))
	}
	return nil
}

// refuse ends the import where the report holds errors, or doubts where those
// count too.
func (s *staging) refuse(strict bool) error {
	if n := s.report.Count(Error); n > 0 {
		return fault.New(fault.InvalidBody, "%s has %d errors; nothing was imported", s.file.Name(), n).Wrap(ErrRefused)
	}
	if n := s.report.Count(Doubt); n > 0 && strict {
		return fault.New(fault.InvalidBody, "%s has %d doubts, and doubts are refused; nothing was imported", s.file.Name(), n).Wrap(ErrRefused)
	}
	return nil
}

func (im *Importer) merge(ctx context.Context, s *staging, o Options) error {
	first, err := s.symbols(ctx)
	if err != nil {
		return err
	}
	symbols := make([]string, 0, len(first))
	for symbol := range first {
		symbols = append(symbols, symbol)
	}
	staged := *s.report
	for range attempts {
		*s.report = staged
		s.report.Problems = append([]Problem{}, staged.Problems...)
		m := &merging{staging: s, bucket: im.c.Bucket}
		err := inSteps(ctx, o, Merging,
			func(ctx context.Context) error {
				snapshot, err := im.c.Store.BySymbol(ctx, symbols)
				if err != nil {
					return err
				}
				return m.lookup(ctx, snapshot, first)
			},
			m.merge, m.checkMerge, m.checkSeries,
			func(context.Context) error { return m.refuse(o.Strict) },
		)
		if err != nil {
			return err
		}
		if err := im.commit(ctx, m, o); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return fault.New(fault.Unavailable, "other imports kept changing the bars; try again")
}

// commit writes the objects and makes the change current.
func (im *Importer) commit(ctx context.Context, m *merging, o Options) error {
	change, out, err := m.change(ctx)
	if err != nil {
		return err
	}
	m.report.Version = m.base
	if len(out) == 0 {
		return nil
	}
	var total int64
	for _, a := range out {
		total += a.rows
	}
	rows, err := m.conn.Read(ctx, `SELECT date, m.total_return, close, adj_close, dividend, split FROM m JOIN u USING (symbol)
		WHERE restated OR date > u.stored_last ORDER BY symbol, date`)
	if err != nil {
		return err
	}
	w := &objectWriter{bucket: im.c.Bucket, assets: out, rows: rows, progress: func(done int64) { o.Progress(Progress{Writing, done, total}) }}
	change.Added, err = w.write(ctx)
	rows.Release()
	if err != nil {
		return err
	}
	o.Progress(Progress{Committing, 0, 1})
	m.report.Version = m.base + 1 // what the commit makes it, or it conflicts
	report, err := json.Marshal(m.report)
	if err != nil {
		return err
	}
	change.Record = Record{Kind: ImportKind, File: m.report.File, SHA256: m.report.SHA256, Rows: m.report.Rows, Report: report, At: im.c.Now()}
	version, err := im.c.Store.Commit(ctx, change)
	if errors.Is(err, ErrConflict) {
		return errors.Join(err, w.undo(ctx))
	}
	if err != nil {
		return err // whether the commit arrived is unknown, so its objects stay for a sweep to judge
	}
	m.report.Version = version
	o.Progress(Progress{Committing, 1, 1})
	return nil
}

//go:build duckdb_arrow

package importing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/fault"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars/files"
	"ballast/timeseries/bars/reports"
)

// Config sets up an Importer.
type Config struct {
	Store  Manifest
	Bucket columnar.Bucket
	DB     *duck.DB
	Now    func() time.Time // nil: time.Now
}

// Importer imports files of bars into the store. It is safe for concurrent use.
type Importer struct{ c Config }

// New returns an importer.
func New(c Config) *Importer {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Importer{c: c}
}

// Options specify how to import one file.
type Options struct {
	Strict   bool            // doubts also refuse the file
	Symbol   string          // of a file without a symbol column; "" takes the file's name
	Wide     files.Role      // what the columns of a wide file hold; "" assumes adjusted closes, which is a doubt
	Dates    files.Order     // of dates such as 01/02/2024; "" takes what the file's dates tell
	Decimal  string          // "." or ","; "" takes what the file's numbers tell
	Only     map[string]bool // the symbols to import; nil for all
	Progress func(Progress)  // receives the progress of the import; may be nil
}

// Import reads one file in any format of package files and merges it into the stored
// bars, all or nothing. The report is never nil: after an error it holds what was found
// until then. If the file cannot be imported, the error is a fault.InvalidBody whose
// message says why; it wraps ErrRefused if the report lists the reason.
func (im *Importer) Import(ctx context.Context, path string, o Options) (report *reports.Report, err error) {
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	report = &reports.Report{First: timeseries.NoDate, Last: timeseries.NoDate, Problems: []reports.Problem{}}
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

// ImportSymbol imports a file of one symbol. The file need not name the symbol.
func (im *Importer) ImportSymbol(ctx context.Context, path, symbol string) (*reports.Report, error) {
	return im.Import(ctx, path, Options{Symbol: symbol})
}

// stage reads the file and checks it on its own.
func (im *Importer) stage(ctx context.Context, s *staging, o Options) error {
	s.report.Layout = "long"
	if s.file.Wide() {
		s.report.Layout = "wide"
	}
	for _, name := range s.file.Unknown() {
		s.report.Add(reports.Problem{Severity: reports.Doubt, Kind: reports.UnknownColumn, Date: timeseries.NoDate, Message: fmt.Sprintf("unknown column %q, not imported", name)})
	}
	if symbol := s.file.AssumedSymbol(); symbol != "" {
		s.report.Add(reports.Problem{Severity: reports.Doubt, Kind: reports.AssumedSymbol, Symbol: symbol, Date: timeseries.NoDate, Message: "no symbol column; the symbol was taken from the file's name"})
	}
	if why := s.file.AssumedAdjusted(); why != "" {
		s.report.Add(reports.Problem{Severity: reports.Doubt, Kind: reports.AssumedBasis, Date: timeseries.NoDate, Message: "the prices are read as adjusted closes, because " + why})
	}
	if err := s.read(ctx); err != nil {
		return err
	}
	if err := inSteps(ctx, o, Checking, s.summarize, s.checkCells, s.order, s.checkRows); err != nil {
		return err
	}
	if s.report.Rows == 0 && s.report.Count(reports.Error) == 0 && o.Only == nil {
		return fault.New(fault.InvalidBody, "%s has a header but no bars; add a row per symbol and date below it", s.file.Name())
	}
	return s.refuse(false)
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

// refuse ends the import if the report has errors, or doubts in strict mode.
func (s *staging) refuse(strict bool) error {
	if n := s.report.Count(reports.Error); n > 0 {
		return fault.New(fault.InvalidBody, "%s has %d errors; nothing was imported", s.file.Name(), n).Wrap(reports.ErrRefused)
	}
	if n := s.report.Count(reports.Doubt); n > 0 && strict {
		return fault.New(fault.InvalidBody, "%s has %d doubts, which strict mode refuses; nothing was imported", s.file.Name(), n).Wrap(reports.ErrRefused)
	}
	return nil
}

package segments

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

// groupBytes limits the rows in memory: a group of models ends with the run that reaches
// it. It is a variable for tests.
var groupBytes = 48 << 20

// rowGroupRows is the number of rows above which a row group ends with its year.
const rowGroupRows = 32 << 10

// RunError says that a run's own files could not be read.
type RunError struct {
	RunID string
	Table Table
	Err   error
}

// Error implements error and names the run.
func (e *RunError) Error() string {
	return fmt.Sprintf("read the table %s of run %s: %v", e.Table, e.RunID, e.Err)
}

// Unwrap returns the cause.
func (e *RunError) Unwrap() error { return e.Err }

// Write writes a table of runs, read from the runs' own files, as one Parquet file. It
// sorts the runs by model, and stops when ctx is done. The error is a *RunError if the
// files of a run cannot be read.
func Write(ctx context.Context, w io.Writer, objects Objects, t Table, runs []Run) error {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Or(cmp.Compare(a.ModelID, b.ModelID), cmp.Compare(a.ID, b.ID)) })
	file, err := columnar.NewWriter(w, t.Schema(), t.encoding())
	if err != nil {
		return err
	}
	g := &group{table: t, file: file}
	for _, run := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := t.read(ctx, objects, run, &g.codes)
		if err != nil && ctx.Err() == nil {
			return &RunError{RunID: run.ID, Table: t, Err: err}
		}
		if err != nil {
			return err
		}
		g.runs, g.bytes = append(g.runs, r), g.bytes+r.bytes()
		if g.bytes >= groupBytes {
			if err := g.flush(); err != nil {
				return err
			}
		}
	}
	if err := g.flush(); err != nil {
		return err
	}
	return file.Close()
}

// group holds runs whose rows are written together, year by year.
type group struct {
	table Table
	file  *columnar.Writer
	codes codes
	runs  []*rows
	bytes int
}

// flush writes the group in row groups of whole years, and begins the next group.
func (g *group) flush() error {
	first, last := g.years()
	at := make([]int, len(g.runs)) // next row of each run
	var spans []span
	n := 0
	for year := first; year <= last; year++ {
		if n == 0 {
			spans = make([]span, len(g.runs))
			for i, r := range g.runs {
				spans[i] = span{r, at[i], at[i]}
			}
		}
		for i, r := range g.runs {
			end := r.from(year + 1)
			n += end - at[i]
			at[i], spans[i].end = end, end
		}
		if n == 0 || n < rowGroupRows && year < last {
			continue
		}
		if err := g.file.WriteRowGroup(record(g.table, spans, &g.codes)); err != nil {
			return err
		}
		n = 0
	}
	g.codes, g.runs, g.bytes = codes{}, nil, 0
	return nil
}

// years returns the first and last year with rows, or 1 and 0 if there are no rows.
func (g *group) years() (first, last int) {
	first, last = 1, 0
	for _, r := range g.runs {
		if r.len() == 0 {
			continue
		}
		begin, _, _ := timeseries.Date(r.dates[0][0]).YMD()
		end, _, _ := timeseries.Date(r.dates[0][r.len()-1]).YMD()
		if last == 0 {
			first, last = begin, end
		}
		first, last = min(first, begin), max(last, end)
	}
	return first, last
}

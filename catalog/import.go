package catalog

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"ballast/internal/fault"
)

// ImportOptions describe how a catalog file is read.
type ImportOptions struct {
	Type     string   // what the rows are where no column says so; "" finds out
	Mapping  *Mapping // nil: columns are read by their usual names
	Progress func(ImportProgress)
}

// ImportProgress describes the progress of an import.
type ImportProgress struct {
	Step  string // reading, classifying, storing
	Done  int
	Total int // rows; -1 while unknown
}

// ImportReport describes what an import has done. Each row is added, changed, unchanged,
// repeated or refused.
type ImportReport struct {
	File      string
	Rows      int
	Added     int
	Changed   int
	Unchanged int
	Repeated  int      // rows with the symbol of an earlier row: they are read together
	Replaced  []string // symbols that another asset has taken over, sorted; only stored bars of the former asset are kept
	Unread    []string // columns from which no field was read
	Refused   []Remark // rows that are left out
	Doubts    []Remark // fields that are left blank
}

// Remark is a finding in some rows.
type Remark struct {
	Text string
	Rows int
	Line int // the first such row, from 1; the header is line 1
}

// Table is a file of text cells. Package tablefile reads CSV, gzip CSV and Parquet.
type Table interface {
	Name() string // for the report and errors
	// Read passes the header and then each row. It may reuse the slices.
	Read(ctx context.Context, header, row func(fields []string) error) error
}

// Import reads a catalog file (columns by name or by a mapping), and adds or updates
// its assets by symbol, in one transaction. Fields that a row leaves blank do not
// change. Each asset is then classified again from all its fields.
func Import(ctx context.Context, table Table, store Listings, o ImportOptions) (*ImportReport, error) {
	if o.Progress == nil {
		o.Progress = func(ImportProgress) {}
	}
	i := &importing{options: o, report: &ImportReport{File: table.Name()}, rows: map[string][]*row{}}
	if err := table.Read(ctx, i.header, i.line); err != nil {
		return nil, err
	}
	if len(i.rows) == 0 {
		return nil, fault.New(fault.InvalidBody, "%s has no row with a symbol", i.report.File)
	}
	r := i.report
	r.Refused, r.Doubts = remarks(i.refused), remarks(i.doubts)
	var err error
	if r.Added, r.Changed, err = store.MergeListings(ctx, keysOf(i.rows), i.merge(ctx), i.storing); err != nil {
		return nil, err
	}
	r.Unchanged = len(i.rows) - r.Added - r.Changed
	return r, nil
}

// importing is the state of a running import.
type importing struct {
	options         ImportOptions
	report          *ImportReport
	columns         *columns
	rows            map[string][]*row // by symbol, in the file's order
	refused, doubts map[string]*Remark
}

func (i *importing) header(names []string) (err error) {
	i.columns, err = newColumns(i.report.File, names, i.options.Type, i.options.Mapping)
	if err == nil {
		i.report.Unread = i.columns.unread()
		i.refused, i.doubts = map[string]*Remark{}, map[string]*Remark{}
	}
	return err
}

func (i *importing) line(fields []string) error {
	i.report.Rows++
	r, refusal, doubts := i.columns.read(fields)
	for _, d := range doubts {
		note(i.doubts, d, i.report.Rows+1)
	}
	if r == nil {
		note(i.refused, refusal, i.report.Rows+1)
		return nil
	}
	if len(i.rows[r.symbol]) > 0 {
		i.report.Repeated++
	}
	i.rows[r.symbol] = append(i.rows[r.symbol], r)
	if i.report.Rows%1000 == 0 {
		i.options.Progress(ImportProgress{"reading", i.report.Rows, -1})
	}
	return nil
}

func (i *importing) storing(done, total int) {
	i.options.Progress(ImportProgress{"storing", done, total})
}

// merge returns the listings that change, as they become.
func (i *importing) merge(ctx context.Context) func(map[string]*Listing) ([]*Listing, error) {
	return func(stored map[string]*Listing) ([]*Listing, error) {
		symbols := keysOf(i.rows)
		out, replaced := make([]*Listing, len(symbols)), make([]bool, len(symbols))
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		const step = 1000
		for from := 0; from < len(symbols); from += step {
			i.options.Progress(ImportProgress{"classifying", from, len(symbols)})
			group.Go(func() error {
				for at := from; at < min(from+step, len(symbols)); at++ {
					out[at], replaced[at] = i.merged(symbols[at], stored[symbols[at]])
				}
				return ctx.Err()
			})
		}
		err := group.Wait()
		i.report.Replaced = nil
		for at, is := range replaced {
			if is {
				i.report.Replaced = append(i.report.Replaced, symbols[at])
			}
		}
		return slices.DeleteFunc(out, func(l *Listing) bool { return l == nil }), err
	}
}

// merged returns a stored listing (nil if there is none) merged with the file's rows for
// it, or nil if nothing changes. replaced reports that it is now another asset.
func (i *importing) merged(symbol string, stored *Listing) (l *Listing, replaced bool) {
	l = newListing(symbol)
	if stored != nil {
		kept := *stored
		l = &kept
	}
	for _, r := range i.rows[symbol] {
		if l.another(r) {
			l, replaced = l.blank(), stored != nil
		}
		l.take(r)
	}
	l.classify()
	if stored != nil && l.Same(stored) {
		return nil, false
	}
	return l, replaced
}

// mostRemarks limits the number of remarks of one kind in a report.
const mostRemarks = 20

// note counts a remark.
func note(all map[string]*Remark, text string, line int) {
	r := all[text]
	if r == nil && len(all) >= mostRemarks {
		text = "other reasons"
		r = all[text]
	}
	if r == nil {
		r = &Remark{Text: text, Line: line}
		all[text] = r
	}
	r.Rows++
}

// remarks lists remarks, the most frequent first.
func remarks(all map[string]*Remark) []Remark {
	out := make([]Remark, 0, len(all))
	for _, text := range keysOf(all) {
		out = append(out, *all[text])
	}
	slices.SortStableFunc(out, func(a, b Remark) int { return b.Rows - a.Rows })
	return out
}

// Print writes the report for people.
func (r *ImportReport) Print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d rows: %d added, %d changed, %d unchanged", r.File, r.Rows, r.Added, r.Changed, r.Unchanged)
	if r.Repeated > 0 {
		fmt.Fprintf(w, ", %d repeated symbols", r.Repeated)
	}
	refused := 0
	for _, m := range r.Refused {
		refused += m.Rows
	}
	fmt.Fprintf(w, ", %d refused\n", refused)
	for _, m := range r.Refused {
		fmt.Fprintf(w, "  refused: %d rows: %s (first in line %d)\n", m.Rows, m.Text, m.Line)
	}
	for _, m := range r.Doubts {
		fmt.Fprintf(w, "  warning: %d rows: %s (first in line %d)\n", m.Rows, m.Text, m.Line)
	}
	if n := len(r.Replaced); n > 0 {
		fmt.Fprintf(w, "  replaced: %d symbols now name another asset, and only the stored bars of the former one are kept: %s\n",
			n, strings.Join(r.Replaced[:min(n, mostRemarks)], ", "))
	}
	if len(r.Unread) > 0 {
		fmt.Fprintf(w, "  not read: %s\n", strings.Join(r.Unread, ", "))
	}
}

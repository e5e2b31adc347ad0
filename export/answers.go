package export

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/query"
	"ballast/script"
	"ballast/script/analysis"
	"ballast/script/simulation"
	"ballast/storage/columnar"
)

// AnswerRun is a complete run of a simulation or an analysis with its tables.
type AnswerRun struct {
	LiveRun
	Tables program.Tables
}

// answers opens a table of the results of simulations or analyses, one run after the
// other.
func (s *Service) answers(ctx context.Context, accountID string, q Query) (*Rows, error) {
	next, err := s.answered(ctx, accountID, q)
	if err != nil {
		return nil, err
	}
	w := &answerWalk{bucket: s.c.Bucket, table: q.Table, next: next}
	batch, release := ahead(ctx, w.batch, w.close)
	return newRows(ctx, q.Table, batch, release)
}

// family is the kind of the programs whose results have a table.
func (t Table) family() string { return query.Find(string(t)).Family() }

// answered returns the runs that a query names, each once, or all that the account's
// programs of the table's kind serve. After the last, it returns nil.
func (s *Service) answered(ctx context.Context, accountID string, q Query) (func(context.Context) (*AnswerRun, error), error) {
	kind := q.Table.family()
	if len(q.Programs)+len(q.RunIDs) == 0 {
		return s.allAnswers(accountID, kind), nil
	}
	var all []*AnswerRun
	add := func(r *program.Run, symbol, name string) {
		if !slices.ContainsFunc(all, func(a *AnswerRun) bool { return a.RunID == r.ID }) {
			all = append(all, &AnswerRun{LiveRun{ProgramID: r.ProgramID, RunID: r.ID, Symbol: symbol, Name: name}, r.Tables})
		}
	}
	for _, ref := range q.Programs {
		m, err := s.c.Programs[kind].Sheet(ctx, accountID, ref)
		if err == nil && m.Live == nil {
			err = fault.New(fault.NoHistory, "The %s %q has no result yet: it is %s.", kind, ref, m.Status)
		}
		if err != nil {
			return nil, inQuery(err, plurals[kind], ref)
		}
		add(m.Live, m.Symbol, m.Name)
	}
	for _, ref := range q.RunIDs {
		r, symbol, err := s.answerRun(ctx, accountID, kind, ref)
		if err != nil {
			return nil, inQuery(err, "run_ids", ref)
		}
		add(r, symbol, r.ProgramName)
	}
	return func(context.Context) (*AnswerRun, error) {
		if len(all) == 0 {
			return nil, nil //nolint:nilnil // the end
		}
		one := all[0]
		all = all[1:]
		return one, nil
	}, nil
}

// plurals are the parameters that name programs of a kind.
var plurals = map[string]string{simulation.Kind.Name: "simulations", analysis.Kind.Name: "analyses"}

// answerRun reads a complete run of a kind, and the symbol of its program if the caller
// may read that.
func (s *Service) answerRun(ctx context.Context, accountID, kind, ref string) (r *program.Run, symbol string, err error) {
	if r, err = s.c.Runs.Run(ctx, accountID, ref); err != nil {
		return nil, "", err
	}
	switch {
	case r.Status != program.RunComplete:
		return nil, "", fault.New(fault.NoHistory, "The run %s has no result: it is %s.", r.ID, r.Status)
	case program.KindOf(r.ProgramID) != kind:
		return nil, "", fault.New(fault.NoHistory, "The run %s is one of %s, so it has no such table.", r.ID, script.WithArticle(program.KindOf(r.ProgramID)))
	}
	m, err := s.c.Programs[kind].Sheet(ctx, accountID, r.ProgramID)
	if fault.TypeOf(err) == fault.NotFound { // a shared run of a program that is not shared
		return r, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	return r, m.Symbol, nil
}

// allAnswers pages through the runs that the account's programs of a kind serve.
func (s *Service) allAnswers(accountID, kind string) func(context.Context) (*AnswerRun, error) {
	var page []AnswerRun
	after, done := "", false
	return func(ctx context.Context) (*AnswerRun, error) {
		if len(page) == 0 && !done {
			var err error
			if page, err = s.c.RunPages.LiveAnswersAfter(ctx, accountID, kind, after, recordPage); err != nil {
				return nil, err
			}
			done = len(page) < recordPage
			if n := len(page); n > 0 {
				after = page[n-1].ProgramID
			}
		}
		if len(page) == 0 {
			return nil, nil //nolint:nilnil // the end
		}
		one := page[0]
		page = page[1:]
		return &one, nil
	}
}

// answerWalk reads a table of one run after another, a row group at a time.
type answerWalk struct {
	bucket columnar.Bucket
	table  Table
	next   func(context.Context) (*AnswerRun, error)
	run    *AnswerRun
	file   *columnar.ParquetFile // nil between runs
	group  int                   // the next one
}

func (w *answerWalk) close() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return err
}

func (w *answerWalk) batch(ctx context.Context) (arrow.RecordBatch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.file == nil {
			if err := w.open(ctx); err != nil {
				return nil, err
			}
			continue
		}
		counts := w.file.RowGroups()
		if w.group == len(counts) {
			if err := w.close(); err != nil {
				return nil, err
			}
			continue
		}
		record, err := w.rows(columnar.Range{RowGroup: w.group, Rows: counts[w.group]})
		if err != nil {
			return nil, fmt.Errorf("read %s of run %s: %w", w.table, w.run.RunID, err)
		}
		w.group++
		return record, nil
	}
}

// open opens the table of the next run that has one.
func (w *answerWalk) open(ctx context.Context) (err error) {
	if w.run, err = w.next(ctx); err != nil {
		return err
	}
	if w.run == nil {
		return io.EOF
	}
	object, ok := w.run.Tables[query.Find(string(w.table)).Answer()]
	if !ok {
		return nil // a script that records nothing has no such table
	}
	path, err := w.bucket.Path(ctx, object.Key)
	if err != nil {
		return err
	}
	w.file, err = columnar.OpenParquet(path)
	w.group = 0
	return err
}

// rows reads rows of the file, with the columns of the table.
func (w *answerWalk) rows(at columnar.Range) (arrow.RecordBatch, error) {
	record, err := w.file.Read(nil, at)
	if err != nil {
		return nil, err
	}
	defer record.Release()
	n := int(record.NumRows())
	name := newNames()
	name.rows(name.value(w.run.Name), n)
	columns := []arrow.Array{repeated(w.run.ProgramID, n), repeated(w.run.Symbol, n), name.array(), repeated(w.run.RunID, n)}
	for _, field := range w.table.Schema().Fields()[len(columns):] {
		var from arrow.Array
		if i := record.Schema().FieldIndices(field.Name); len(i) == 1 {
			from = record.Column(i[0])
		}
		columns = append(columns, answerColumn(from, field.Type, n))
	}
	return array.NewRecordBatch(w.table.carried(), columns, int64(n)), nil
}

// answerColumn converts a column of a stored table: numbers that are not finite become
// null. A table without the column, or with one of another type, which a script of the
// account's own may have written, has null in every row.
func answerColumn(from arrow.Array, to arrow.DataType, n int) arrow.Array {
	switch from := from.(type) {
	case nil:
	case *array.Float64:
		integers, numbers := array.NewInt64Builder(memory.DefaultAllocator), array.NewFloat64Builder(memory.DefaultAllocator)
		for i := range n {
			v := from.Value(i)
			switch {
			case from.IsNull(i) || math.IsNaN(v) || math.IsInf(v, 0):
				integers.AppendNull()
				numbers.AppendNull()
			default:
				integers.Append(int64(v))
				numbers.Append(v)
			}
		}
		if arrow.TypeEqual(to, arrow.PrimitiveTypes.Int64) {
			return integers.NewArray()
		}
		if arrow.TypeEqual(to, arrow.PrimitiveTypes.Float64) {
			return numbers.NewArray()
		}
	default:
		if arrow.TypeEqual(from.DataType(), to) {
			from.Retain()
			return from
		}
	}
	return array.MakeArrayOfNull(memory.DefaultAllocator, to, n)
}

// Answers lists the tables of the results of simulations and analyses. They have the names and
// columns that they have in SQL.
var Answers = func() (tables []Table) {
	for _, t := range query.Tables {
		if t.Answer() != "" {
			tables = append(tables, Table(t.Name))
		}
	}
	return tables
}()

// AnswersOf lists those of a kind.
func AnswersOf(kind string) []Table {
	return slices.DeleteFunc(slices.Clone(Answers), func(t Table) bool { return t.family() != kind })
}

// answerSchemas are the columns of those tables.
var answerSchemas = func() map[Table]*arrow.Schema {
	kinds := map[query.Type]arrow.DataType{query.Text: text, query.Integer: arrow.PrimitiveTypes.Int64, query.Number: number, query.Date: day}
	schemas := map[Table]*arrow.Schema{}
	for _, t := range Answers {
		var own []arrow.Field
		for _, c := range query.Find(string(t)).Columns[2:] { // after the ids of the program and the run
			own = append(own, maybe(c.Name, kinds[c.Type]))
		}
		schemas[t] = ofResult(own...)
	}
	return schemas
}()

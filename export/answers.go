package export

import (
	"context"
	"errors"
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
	"ballast/script/simulation"
	"ballast/storage/columnar"
)

// AnswerRun is a complete run of a simulation with its tables.
type AnswerRun struct {
	LiveRun
	Tables program.Tables
}

// answers opens a table of the results of simulations, one run after the other.
func (s *Service) answers(ctx context.Context, accountID string, q Query) (*Rows, error) {
	next, err := s.answered(ctx, accountID, q)
	if err != nil {
		return nil, err
	}
	w := &answerWalk{bucket: s.c.Bucket, table: q.Table, next: next}
	batch, release := ahead(ctx, w.batch, w.close)
	return newRows(ctx, q.Table, batch, release)
}

// answered returns the runs of simulations that a query names, each once, or all that the
// account's simulations serve. After the last, it returns nil.
func (s *Service) answered(ctx context.Context, accountID string, q Query) (func(context.Context) (*AnswerRun, error), error) {
	if len(q.Simulations)+len(q.RunIDs) == 0 {
		return s.allAnswers(accountID), nil
	}
	var all []*AnswerRun
	add := func(r *program.Run, symbol, name string) {
		if !slices.ContainsFunc(all, func(a *AnswerRun) bool { return a.RunID == r.ID }) {
			all = append(all, &AnswerRun{LiveRun{ProgramID: r.ProgramID, RunID: r.ID, Symbol: symbol, Name: name}, r.Tables})
		}
	}
	for _, ref := range q.Simulations {
		m, err := s.c.Simulations.Sheet(ctx, accountID, ref)
		if err == nil && m.Live == nil {
			err = fault.New(fault.NoHistory, "The simulation %q has no result yet: it is %s.", ref, m.Status)
		}
		if err != nil {
			return nil, inQuery(err, "simulations", ref)
		}
		add(m.Live, m.Symbol, m.Name)
	}
	for _, ref := range q.RunIDs {
		r, symbol, err := s.answerRun(ctx, accountID, ref)
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

// answerRun reads a complete run of a simulation, and the symbol of the simulation if the
// caller may read that.
func (s *Service) answerRun(ctx context.Context, accountID, ref string) (r *program.Run, symbol string, err error) {
	if r, err = s.c.Runs.Run(ctx, accountID, ref); err != nil {
		return nil, "", err
	}
	switch {
	case r.Status != program.RunComplete:
		return nil, "", fault.New(fault.NoHistory, "The run %s has no result: it is %s.", r.ID, r.Status)
	case program.KindOf(r.ProgramID) != simulation.Kind.Name:
		return nil, "", fault.New(fault.NoHistory, "The run %s is one of a %s, so it has no such table.", r.ID, program.KindOf(r.ProgramID))
	}
	m, err := s.c.Simulations.Sheet(ctx, accountID, r.ProgramID)
	if fault.TypeOf(err) == fault.NotFound { // a shared run of a simulation that is not shared
		return r, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	return r, m.Symbol, nil
}

// allAnswers pages through the runs that the account's simulations serve.
func (s *Service) allAnswers(accountID string) func(context.Context) (*AnswerRun, error) {
	var page []AnswerRun
	after, done := "", false
	return func(ctx context.Context) (*AnswerRun, error) {
		if len(page) == 0 && !done {
			var err error
			if page, err = s.c.RunPages.LiveAnswersAfter(ctx, accountID, after, recordPage); err != nil {
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
		column, err := answerColumn(from, field.Type, n)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", field.Name, err)
		}
		columns = append(columns, column)
	}
	return array.NewRecordBatch(w.table.carried(), columns, int64(n)), nil
}

// answerColumn converts a column of a stored table: numbers that are not finite become
// null. A table without the column has null in every row.
func answerColumn(from arrow.Array, to arrow.DataType, n int) (arrow.Array, error) {
	switch from := from.(type) {
	case nil:
		return array.MakeArrayOfNull(memory.DefaultAllocator, to, n), nil
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
			return integers.NewArray(), nil
		}
		if arrow.TypeEqual(to, arrow.PrimitiveTypes.Float64) {
			return numbers.NewArray(), nil
		}
	default:
		if arrow.TypeEqual(from.DataType(), to) {
			from.Retain()
			return from, nil
		}
	}
	return nil, errors.New("the stored type is " + from.DataType().String() + ", not " + to.String())
}

// Answers lists the tables of the results of simulations. They have the names and
// columns that they have in SQL.
var Answers = func() (tables []Table) {
	for _, t := range query.Tables {
		if t.Answer() != "" {
			tables = append(tables, Table(t.Name))
		}
	}
	return tables
}()

// answerSchemas are the columns of those tables.
var answerSchemas = func() map[Table]*arrow.Schema {
	kinds := map[query.Type]arrow.DataType{query.Text: text, query.Integer: arrow.PrimitiveTypes.Int64, query.Number: number, query.Date: day}
	schemas := map[Table]*arrow.Schema{}
	for _, t := range Answers {
		var own []arrow.Field
		for _, c := range query.Find(string(t)).Columns[2:] { // after the ids of the simulation and the run
			own = append(own, maybe(c.Name, kinds[c.Type]))
		}
		schemas[t] = ofResult(own...)
	}
	return schemas
}()

package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/program"
	"ballast/program/result"
	"ballast/query"
	"ballast/script"
)

// Results reads the results of programs other than models. *result.Answers implements
// it.
type Results interface {
	// Read returns a result or a part of it. The caller releases it.
	Read(ctx context.Context, accountID, ref string, q result.AnswerQuery) (*result.Found, error)
	// ReadRun returns tables of a complete run that the caller may see, all of them
	// without names. The caller releases it.
	ReadRun(ctx context.Context, run *program.Run, names ...string) (*result.Found, error)
}

type resultInput struct {
	RunID  string                  `query:"run_id" minLength:"1" doc:"Read this run's result instead of the live one"`
	Tables []string                `query:"tables" minLength:"1" doc:"Names of the tables to return; all of them if left out"`
	Path   transport.Optional[int] `query:"path" minimum:"0" doc:"One path of a simulation, from 0, as the table path: it is computed again from the run's seed and data"`
}

type resultOutput struct{ Body *resultBody }

// resultBody is a result: scalars, tables and figures.
type resultBody struct{ found *result.Found }

// Schema implements huma.SchemaProvider.
func (resultBody) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[documentedResult](), true, "Result")
}

// documentedResult documents what resultBody writes.
type documentedResult struct {
	RunID   string                      `json:"run_id"`
	Scalars map[string]resultScalarBody `json:"scalars" doc:"By name"`
	Tables  map[string]struct {
		Rows    int              `json:"rows"`
		Columns map[string][]any `json:"columns" doc:"By name: numbers, strings or dates; null where there is none"`
	} `json:"tables" doc:"By name"`
	Figures    []script.Figure `json:"figures" doc:"How to draw the tables"`
	Log        []string        `json:"log"`
	Provenance provenanceBody  `json:"provenance"`
}

// registerResult registers the result of a family of programs.
func registerResult[C, P, S, R any](s *Server, f *family[C, P, S, R], results Results) {
	r := f.one(http.MethodGet, "/result")
	r.id, r.summary, r.others = "get-"+f.words.one+"-result", f.say("Read {a}'s result"), transport.Tables
	r.description = f.say("Returns the scalars, tables and figures of the live run or of one run. As Arrow, Parquet or CSV, it returns one table, which `tables` names. `provenance` says what the result was computed with and from.")
	r.faults = append(r.faults, fault.NotReady, fault.RunIncomplete)
	register(s, r, func(ctx context.Context, in *resultInput) (*resultOutput, error) {
		q := result.AnswerQuery{RunID: in.RunID, Tables: in.Tables, Path: in.Path.Pointer()}
		if q.Path != nil && q.Tables != nil {
			return nil, fault.New(fault.InvalidParameter, "A path is a table of its own. Leave out tables, or leave out path.").
				With(fault.Detail{Field: "tables", Message: "cannot be given with path"})
		}
		found, err := results.Read(ctx, accountOf(ctx), f.ref(ctx), q)
		if err != nil {
			return nil, err
		}
		if media := exchangeOf(ctx).media; media != "" && media != transport.MediaJSON && len(found.Tables) != 1 {
			names := make([]string, len(found.Tables))
			for i, t := range found.Tables {
				names[i] = t.Name
			}
			found.Release()
			return nil, fault.New(fault.InvalidParameter, "A response as %s is one table. Name it with tables.", media).
				With(fault.Detail{Field: "tables", Message: "does not name one table", Accepted: names})
		}
		return &resultOutput{&resultBody{found}}, nil
	})
}

// AppendJSON implements appender.
func (r *resultBody) AppendJSON(b []byte) ([]byte, error) {
	defer r.found.Release()
	run := r.found.Run
	answer := run.Answer
	if answer == nil {
		answer = &program.Answer{}
	}
	b = append(b, `{"run_id":`...)
	b = transport.AppendText(b, run.ID)
	b = append(b, `,"scalars":{`...)
	var err error
	for i, x := range answer.Scalars {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(transport.AppendText(b, x.Name), ':')
		if b, err = transport.AppendValue(b, resultScalarBody{x.Value, textOrNull(x.Unit), textOrNull(x.Title)}); err != nil {
			return nil, err
		}
	}
	b = append(b, `},"tables":{`...)
	for i, t := range r.found.Tables {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(transport.AppendText(b, t.Name), ':')
		if b, err = appendTable(b, t.Record); err != nil {
			return nil, err
		}
	}
	b = append(b, `},"figures":`...)
	if b, err = transport.AppendValue(b, listed(answer.Figures)); err != nil {
		return nil, err
	}
	b = append(b, `,"log":`...)
	if b, err = transport.AppendValue(b, listed(answer.Log)); err != nil {
		return nil, err
	}
	b = append(b, `,"provenance":`...)
	if b, err = transport.AppendValue(b, provenanceOf(run, answer)); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// MarshalJSON lets encoding/json write the body within another.
func (r *resultBody) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

type resultScalarBody struct {
	Value number.Float `json:"value"`
	Unit  *string      `json:"unit"`
	Title *string      `json:"title"`
}

// provenanceBody describes what a result was computed with, and from which data.
type provenanceBody struct {
	Seed           *uint64                         `json:"seed"`
	Method         *string                         `json:"method" doc:"How the random numbers were drawn; null without any, as is seed"`
	Window         *windowBody                     `json:"window" doc:"The data that was used"`
	Members        []provenanceFrom                `json:"members"`
	Series         map[string]program.SeriesSource `json:"series,omitempty" doc:"Columns of series from outside, by NAME.KEY, with the versions that were read"`
	Kept           []keptBody                      `json:"kept,omitempty" doc:"Points of sweeps that were kept as snapshots of their models"`
	HarnessVersion string                          `json:"harness_version"`
	ScriptHash     string                          `json:"script_hash"`
}

// scalarsOf returns the scalars of a run of a kind other than model.
func scalarsOf(run *program.Run) []script.Scalar {
	if run.Answer == nil {
		return nil
	}
	return run.Answer.Scalars
}

type windowBody struct {
	First string `json:"first" format:"date"`
	Last  string `json:"last" format:"date"`
}

type keptBody struct {
	Model string `json:"model"`
	Point int    `json:"point" doc:"Number of the point, from 1"`
	RunID string `json:"run_id"`
}

type provenanceFrom struct {
	Key         string  `json:"key"`
	RunID       *string `json:"run_id,omitempty" doc:"Of a member that is a model: the run that was read"`
	DataVersion *string `json:"data_version,omitempty" doc:"Of an asset: the version of its bars"`
}

func provenanceOf(run *program.Run, a *program.Answer) provenanceBody {
	p := provenanceBody{Members: []provenanceFrom{}, Series: a.SeriesSources, HarnessVersion: a.HarnessVersion, ScriptHash: run.ScriptHash}
	for _, k := range a.Kept {
		p.Kept = append(p.Kept, keptBody(k))
	}
	if d := a.Drawn; d != nil {
		p.Window = &windowBody{d.First, d.Last}
		if d.Method != "" {
			p.Seed, p.Method = &d.Seed, &d.Method
		}
	}
	for _, m := range run.Members {
		from := provenanceFrom{Key: m.Key}
		if m.Kind == program.MemberModel {
			from.RunID = textOrNull(m.RunID)
		} else {
			from.DataVersion = textOrNull(program.DataVersion(m.BarsVersion))
		}
		p.Members = append(p.Members, from)
	}
	return p
}

// appendTable writes a table as its number of rows and its columns.
func appendTable(b []byte, record arrow.RecordBatch) ([]byte, error) {
	b = fmt.Appendf(b, `{"rows":%d,"columns":{`, record.NumRows())
	for i, c := range record.Columns() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(transport.AppendText(b, record.ColumnName(i)), ':', '[')
		for row := range c.Len() {
			if row > 0 {
				b = append(b, ',')
			}
			switch c := c.(type) {
			case *array.Float64:
				if c.IsNull(row) {
					b = append(b, "null"...)
				} else {
					b = number.Append(b, c.Value(row))
				}
			case *array.String:
				b = transport.AppendText(b, c.Value(row))
			case *array.Date32:
				if c.IsNull(row) {
					b = append(b, "null"...)
				} else {
					b = append(append(append(b, '"'), c.Value(row).ToTime().AppendFormat(nil, "2006-01-02")...), '"')
				}
			default:
				return nil, fmt.Errorf("column %s has the type %s", record.ColumnName(i), c.DataType())
			}
		}
		b = append(b, ']')
	}
	return append(b, '}', '}'), nil
}

// Table implements tabular.
func (r *resultBody) Table() (transport.Table, error) {
	record, ok := r.found.Record()
	if !ok {
		return nil, fmt.Errorf("%d tables as one", len(r.found.Tables))
	}
	return recordTable{record, r.found}, nil
}

// recordTable writes one record and releases it.
type recordTable struct {
	record arrow.RecordBatch
	found  *result.Found
}

func (t recordTable) write(w io.Writer, as func(io.Writer, query.Rows) error) error {
	defer t.found.Release()
	return as(w, query.RowsOf(t.record))
}

// WriteArrow implements transport.Table.
func (t recordTable) WriteArrow(w io.Writer) error { return t.write(w, query.WriteArrow) }

// WriteParquet implements transport.Table.
func (t recordTable) WriteParquet(w io.Writer) error { return t.write(w, query.WriteParquet) }

// WriteCSV implements transport.Table.
func (t recordTable) WriteCSV(w io.Writer) error { return t.write(w, query.WriteCSV) }

// answerOf returns a copy with empty lists in place of nil ones.
func answerOf(a *program.Answer) *program.Answer {
	if a == nil {
		return nil
	}
	b := *a
	b.Universe, b.Scalars, b.Figures, b.Log, b.MemberSources = listed(a.Universe), listed(a.Scalars), listed(a.Figures), listed(a.Log), mapped(a.MemberSources)
	return &b
}

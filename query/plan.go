package query

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"ballast/internal/fault"
	"ballast/query/engine"
	"ballast/query/segments"
)

// plan is what a statement reads: files, small tables, and the views over them.
type plan struct {
	service  *Service
	scope    Scope
	runIDs   []string
	order    engine.Order
	data     [][]byte
	releases []func()

	results []Result
	read    bool // whether the results were read
	located *segments.Location
	sources map[segments.Table][]string // files of each table of results

	answered    []AnswerRun
	answersRead bool
}

// prepare collects the tables that a statement names.
func (s *Service) prepare(ctx context.Context, scope Scope, r Request) (_ *plan, err error) {
	p := &plan{service: s, scope: scope, runIDs: r.RunIDs, sources: map[segments.Table][]string{}}
	defer func() {
		if err != nil {
			p.release()
		}
	}()
	said := words(r.SQL)
	var macros []*Macro
	wanted := map[*Table]bool{}
	for _, t := range Tables {
		wanted[t] = said[t.Name]
	}
	for _, m := range Macros {
		if said[m.Name] {
			macros = append(macros, m)
			for _, t := range m.Needs {
				wanted[t] = true
			}
		}
	}
	if len(r.RunIDs) > 0 {
		if err := p.checkRuns(ctx); err != nil {
			return nil, err
		}
	}
	for _, t := range Tables {
		p.order.Tables = append(p.order.Tables, t.Name)
		if wanted[t] {
			if err := p.table(ctx, t); err != nil {
				return nil, fmt.Errorf("prepare table %s: %w", t.Name, err)
			}
		}
	}
	for _, m := range Macros {
		p.order.Functions = append(p.order.Functions, m.Name)
	}
	if len(macros) > 0 {
		p.addSetup(runOfSQL)
		p.addSetup(normalSQL)
	}
	for _, m := range macros {
		p.order.Setup = append(p.order.Setup, m.SQL)
	}
	return p, nil
}

// release ends the use of the statement's files.
func (p *plan) release() {
	for _, r := range p.releases {
		r()
	}
	p.releases = nil
}

// checkRuns fails unless all runs of the request exist.
func (p *plan) checkRuns(ctx context.Context) error {
	if err := p.readResults(ctx); err != nil {
		return err
	}
	if err := p.readAnswers(ctx); err != nil {
		return err
	}
	for _, id := range p.runIDs {
		if !slices.ContainsFunc(p.results, func(r Result) bool { return r.ID == id && r.Visible }) &&
			!slices.ContainsFunc(p.answered, func(r AnswerRun) bool { return r.ID == id }) {
			return fault.Missing("complete run", id)
		}
	}
	return nil
}

// table adds one table.
func (p *plan) table(ctx context.Context, t *Table) error {
	switch t {
	case Returns:
		return p.view(ctx, segments.Returns, t)
	case Equity:
		if err := p.source(ctx, segments.Returns); err != nil {
			return err
		}
		p.addSetup("CREATE VIEW equity AS SELECT model_id, run_id, date, equity, peak, equity / peak - 1 AS drawdown FROM (" + p.visible(segments.Returns) + ")")
		return nil
	case Weights:
		return p.view(ctx, segments.Weights, t)
	case Trades:
		return p.view(ctx, segments.Trades, t)
	case Contributions:
		return p.view(ctx, segments.Contributions, t)
	case Diagnostics:
		return p.view(ctx, segments.Diagnostics, t)
	case Tree:
		return p.tree(ctx)
	case Allocations:
		if err := p.tree(ctx); err != nil {
			return err
		}
		p.addSetup("CREATE VIEW IF NOT EXISTS allocations AS SELECT model_id, run_id, date, key, sum(weight) AS weight FROM tree WHERE leaf GROUP BY ALL")
		return nil
	case Bars:
		return p.bars(ctx)
	case SeriesValues:
		return p.seriesValues(ctx)
	}
	if t.answer != "" {
		return p.answers(ctx, t)
	}
	record, err := p.service.c.Store.QueryRows(ctx, p.scope, t)
	if err != nil {
		return err
	}
	return p.addRecord(t.Name, record)
}

func (p *plan) addSetup(statement string) { p.order.Setup = append(p.order.Setup, statement) }

// addRecord adds a table as an Arrow stream and releases the record.
func (p *plan) addRecord(name string, record arrow.RecordBatch) error {
	defer record.Release()
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(record.Schema()))
	if err := w.Write(record); err != nil {
		return fmt.Errorf("write table %s: %w", name, err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("write table %s: %w", name, err)
	}
	p.order.Data, p.data = append(p.order.Data, name), append(p.data, b.Bytes())
	return nil
}

// view adds a table of results.
func (p *plan) view(ctx context.Context, of segments.Table, t *Table) error {
	if err := p.source(ctx, of); err != nil {
		return err
	}
	p.addSetup("CREATE VIEW " + t.Name + " AS " + p.visible(of))
	return nil
}

// visible selects the rows of the visible runs.
func (p *plan) visible(of segments.Table) string {
	s := "SELECT * FROM _" + string(of)
	if p.located.Masked || slices.ContainsFunc(p.results, func(r Result) bool { return !r.Visible }) {
		s += " WHERE run_id IN (SELECT run_id FROM _visible)"
	}
	return s
}

// source adds the table _NAME with the rows of all runs that the statement may need.
func (p *plan) source(ctx context.Context, of segments.Table) error {
	if _, made := p.sources[of]; made {
		return nil
	}
	if err := p.locate(ctx); err != nil {
		return err
	}
	var files []string
	for _, key := range p.located.Keys(of) {
		path, err := p.service.c.Objects.Path(ctx, key)
		if err != nil {
			return err
		}
		files = append(files, path)
	}
	if len(p.located.Loose) > 0 || len(files) == 0 {
		runs := p.located.Loose
		path, release, err := p.service.loose.file(ctx, keyOf(of, runs), func(ctx context.Context, w io.Writer) error {
			return segments.Write(ctx, w, p.service.c.Objects, of, runs)
		})
		if err != nil {
			return err
		}
		p.releases = append(p.releases, release)
		files = append(files, path)
	}
	p.sources[of] = files
	p.order.Scans = append(p.order.Scans, engine.Scan{Name: "_" + string(of), Files: files})
	return nil
}

// readResults reads, once, which runs the statement covers.
func (p *plan) readResults(ctx context.Context) (err error) {
	if !p.read {
		p.results, err = p.service.c.Store.QueryResults(ctx, p.scope, p.runIDs)
		p.read = err == nil
	}
	return err
}

// locate finds the files of the runs, and adds the list of the visible ones.
func (p *plan) locate(ctx context.Context) error {
	if p.located != nil {
		return nil
	}
	if err := p.readResults(ctx); err != nil {
		return err
	}
	runs := make([]segments.Run, len(p.results))
	accounts := map[string]bool{}
	var ids []string
	for i, r := range p.results {
		runs[i] = r.Run
		if !accounts[r.AccountID] {
			accounts[r.AccountID] = true
			ids = append(ids, r.AccountID)
		}
	}
	var current []segments.Segment
	if p.service.c.Segments != nil {
		for _, id := range ids {
			of, _, err := p.service.c.Segments.Segments(ctx, id)
			if err != nil {
				return err
			}
			current = append(current, of...)
		}
	}
	l := segments.Locate(current, runs)
	p.located = &l
	if err := p.addRecord("_visible", visibleRuns(p.results)); err != nil {
		return err
	}
	return p.addRecord("_years", yearsOf(p.results))
}

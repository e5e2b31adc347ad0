package api

import (
	"context"
	"encoding/json"
	"strings"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/generate"
	"ballast/program/history"
	"ballast/script"
	"ballast/timeseries"
)

// fakeModels answers from memory; fail, where set, is what every method answers.
type fakeModels struct {
	drafts  *fakeDrafts
	sheet   *program.Sheet
	history *history.History
	fail    error
	panics  bool
	waited  *program.Run

	refuseBenchmark error // the answer to a history beside a benchmark

	creating func() // what a creation waits for, nil for nothing

	created []program.CreateRequest
	rebuilt []program.RebuildRequest
	filter  program.ModelFilter
	query   history.Query
	request program.RunRequest
	started []program.RunRequest
	refused error // the answer to what starts a run or changes a model
	paging  [2]int
	patch   program.ModelPatch
	edit    program.RunPatch
	compare history.CompareQuery
	deleted []string
}

func newFakeModels() *fakeModels {
	f := &fakeModels{sheet: fakeSheet(), history: fakeHistory(5)}
	f.drafts = newFakeDrafts(f)
	return f
}

func (f *fakeModels) answer(accountID, ref string) (*program.Sheet, error) {
	if f.panics {
		panic("secret of the inside")
	}
	if f.fail != nil {
		return nil, f.fail
	}
	s := f.sheet
	public := s.IsPublic && ref == s.Slug
	if !public && (accountID != s.AccountID || ref != s.ID && ref != s.Slug && ref != s.Symbol && ref != s.Name) {
		return nil, fault.New(fault.NotFound, "There is no model %q that you may read.", ref)
	}
	return s, nil
}

func (f *fakeModels) Create(_ context.Context, accountID string, r program.CreateRequest) (*program.Sheet, error) {
	f.created = append(f.created, r)
	if f.creating != nil {
		f.creating()
	}
	return f.answer(accountID, f.sheet.ID)
}

func (f *fakeModels) Rebuild(_ context.Context, accountID, ref string, r program.RebuildRequest) (*program.Sheet, error) {
	f.rebuilt = append(f.rebuilt, r)
	return f.answer(accountID, ref)
}

func (f *fakeModels) Script(_ context.Context, accountID, ref, _ string) (*program.ScriptFile, error) {
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, err
	}
	return &program.ScriptFile{Name: "sixty-forty.py", Text: []byte("print('hello')\n")}, nil
}

func (f *fakeModels) ValidatePrompt(_ context.Context, _, prompt string) (*program.PromptValidation, error) {
	if strings.Contains(prompt, "horoscope") {
		return &program.PromptValidation{Errors: []program.PromptProblem{{Offset: 9, Length: 9, Message: "this is not understood", Accepted: []string{"60/40 SPY/AGG"}, Nearest: "h"}}}, f.fail
	}
	return &program.PromptValidation{Kind: "model", Script: "def decide(ctx): ...", Description: "Holds SPY.", InputsSchema: json.RawMessage(`{"type":"object"}`)}, f.fail
}

func (f *fakeModels) Optimizer(_ context.Context, _, prompt string) (*generate.Optimizer, error) {
	return &generate.Optimizer{Name: "FAKE", Description: prompt}, nil
}

func (f *fakeModels) Validate(_ context.Context, _, script string) (*program.Validation, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	if strings.Contains(script, "def decide") {
		return &program.Validation{Valid: true, HarnessVersion: "1.0", InputsSchema: json.RawMessage(`{"type":"object"}`)}, nil
	}
	return &program.Validation{HarnessVersion: "1.0", Errors: []program.Problem{{Rule: "entry_point", Line: 1, Column: 1, Message: "no decide"}}}, nil
}

func (f *fakeModels) Sheet(_ context.Context, accountID, ref string) (*program.Sheet, error) {
	return f.answer(accountID, ref)
}

func (f *fakeModels) Groups(_ context.Context, _ string, filter program.ModelFilter, figures []string) ([]program.ModelGroup, error) {
	f.filter = filter
	if f.fail != nil {
		return nil, f.fail
	}
	return []program.ModelGroup{{Label: "core", Models: 1, Figures: make([]program.FigureSpread, len(figures))}}, nil
}

func (f *fakeModels) Models(_ context.Context, accountID string, filter program.ModelFilter) ([]*program.Sheet, int, error) {
	f.filter = filter
	if f.fail != nil {
		return nil, 0, f.fail
	}
	if accountID != f.sheet.AccountID {
		return nil, 0, nil
	}
	return []*program.Sheet{f.sheet}, 1, nil
}

func (f *fakeModels) StartRun(_ context.Context, accountID, ref string, r program.RunRequest) (*program.Run, error) {
	f.request, f.started = r, append(f.started, r)
	if f.refused != nil {
		return nil, f.refused
	}
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, err
	}
	queued := *f.sheet.Live
	queued.Status, queued.Summary, queued.Live, queued.FinishedAt = program.RunQueued, nil, false, nil
	return &queued, nil
}

func (f *fakeModels) Wait(context.Context, string, string) (*program.Run, error) {
	if f.waited != nil {
		return f.waited, nil
	}
	return f.sheet.Live, nil
}

func (f *fakeModels) Runs(_ context.Context, accountID, ref string, filter program.RunFilter) ([]*program.Run, int, error) {
	f.paging = [2]int{filter.Limit, filter.Offset}
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, 0, err
	}
	return []*program.Run{f.sheet.Live}, 1, nil
}

func (f *fakeModels) Run(_ context.Context, accountID, ref string) (*program.Run, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	if ref != runID || accountID != f.sheet.AccountID && !f.sheet.Live.Shared {
		return nil, fault.New(fault.NotFound, "There is no run %q that you may read.", ref)
	}
	return f.sheet.Live, nil
}

func (f *fakeModels) Patch(_ context.Context, accountID, ref string, p program.ModelPatch) (*program.Sheet, error) {
	f.patch = p
	if f.refused != nil {
		return nil, f.refused
	}
	return f.answer(accountID, ref)
}

func (f *fakeModels) Delete(_ context.Context, accountID, ref string) (*program.Trashed, error) {
	s, err := f.answer(accountID, ref)
	if err != nil {
		return nil, err
	}
	f.deleted = append(f.deleted, s.ID)
	return f.trashed(), nil
}

func (f *fakeModels) trashed() *program.Trashed {
	return &program.Trashed{ID: f.sheet.ID, Name: f.sheet.Name, Symbol: f.sheet.Symbol, DeletedAt: epoch, PurgeAt: epoch.Add(program.Retention)}
}

func (f *fakeModels) Trash(_ context.Context, accountID string, limit, offset int) ([]*program.Trashed, int, error) {
	f.paging = [2]int{limit, offset}
	if accountID != f.sheet.AccountID {
		return nil, 0, nil
	}
	return []*program.Trashed{f.trashed()}, 1, nil
}

func (f *fakeModels) Restore(_ context.Context, accountID, ref string) (*program.Sheet, error) {
	return f.answer(accountID, ref)
}

func (f *fakeModels) Purge(_ context.Context, accountID, ref string) (string, error) {
	s, err := f.answer(accountID, ref)
	if err != nil {
		return "", err
	}
	f.deleted = append(f.deleted, s.ID)
	return s.ID, nil
}

func (f *fakeModels) RunScript(ctx context.Context, accountID, ref string) (*script.Script, error) {
	_, err := f.Run(ctx, accountID, ref)
	return &script.Script{Description: "Sixty per cent <equities>."}, err
}

func (f *fakeModels) PatchRun(ctx context.Context, accountID, ref string, p program.RunPatch) (*program.Run, error) {
	f.edit = p
	return f.Run(ctx, accountID, ref)
}

func (f *fakeModels) DeleteRun(ctx context.Context, accountID, ref string) (string, error) {
	r, err := f.Run(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	f.deleted = append(f.deleted, r.ID)
	return r.ID, nil
}

func (f *fakeModels) Promote(ctx context.Context, accountID, ref string) (*program.Run, error) {
	r, err := f.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	queued := *r
	queued.Status, queued.Source, queued.Summary, queued.Live, queued.FinishedAt = program.RunQueued, program.SourcePromote, nil, false, nil
	return &queued, nil
}

func (f *fakeModels) Many(_ context.Context, _ string, q history.ManyQuery) (*history.Many, error) {
	f.query = q.Query
	if f.fail != nil {
		return nil, f.fail
	}
	return &history.Many{Dates: f.history.Dates, Members: []*history.Together{{History: f.history, Own: f.history.Dates, Name: "Sixty forty", Symbol: "SF", Prefix: "SF"}}}, nil
}

func (f *fakeModels) Compare(_ context.Context, _ string, q history.CompareQuery) (*history.Comparison, error) {
	f.compare = q
	if f.fail != nil {
		return nil, f.fail
	}
	live := f.sheet.Live
	return &history.Comparison{
		Kind: program.KindModel,
		Runs: []history.ComparedRun{
			{Run: live, Metrics: metrics.Compute(sessions(5), metrics.Options{})},
			{Run: live, Metrics: metrics.Compute(timeseries.Series{Base: timeseries.NoDate}, metrics.Options{})},
		},
		Inputs: map[string]map[string]any{"weight": {live.ID: .5}},
		Start:  live.First, End: live.Last,
	}, nil
}

func (f *fakeModels) Builds(_ context.Context, accountID, ref string, limit, offset int) ([]*program.Build, int, error) {
	f.paging = [2]int{limit, offset}
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, 0, err
	}
	return []*program.Build{f.sheet.Build}, 1, nil
}

func (f *fakeModels) Build(_ context.Context, accountID, ref string) (*program.Build, error) {
	if ref != buildID || accountID != f.sheet.AccountID {
		return nil, fault.New(fault.NotFound, "There is no build %q that you may read.", ref)
	}
	return f.sheet.Build, nil
}

func (f *fakeModels) History(_ context.Context, accountID, ref string, q history.Query) (*history.History, error) {
	f.query = q
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, err
	}
	return f.block(q)
}

func (f *fakeModels) RunHistory(_ context.Context, _, _ string, q history.Query) (*history.History, error) {
	f.query = q
	return f.block(q)
}

// benchmarkSeries is the benchmark that the history has, where one is asked for.
func (f *fakeModels) benchmarkSeries(q history.Query) *metrics.BenchmarkSeries {
	b := f.history.Beside
	if b == nil || q.Benchmark == "" {
		return nil
	}
	return &metrics.BenchmarkSeries{Symbol: b.Symbol, Series: timeseries.Series{
		Base: f.history.Dates[b.From-1], Dates: f.history.Dates[b.From:], Returns: b.Returns,
	}}
}

// block leaves out what was not asked for.
func (f *fakeModels) block(q history.Query) (*history.History, error) {
	if q.Benchmark != "" && f.refuseBenchmark != nil {
		return nil, f.refuseBenchmark
	}
	h := *f.history
	if !q.Returns {
		h.Returns = nil
	}
	if !q.Allocation {
		h.Allocation = nil
	}
	if !q.Allocation && !q.Latest {
		h.Labels = nil
	}
	if !q.Latest {
		h.Latest = nil
	}
	if q.Metrics {
		series := timeseries.Series{Base: h.Base, Dates: h.Dates, Returns: f.history.Returns}
		h.Metrics = metrics.Compute(series, metrics.Options{RiskFree: q.RiskFree.Annual, Benchmark: f.benchmarkSeries(q)})
	}
	return &h, nil
}

// fakeStudies has one analysis of each model.
type fakeStudies struct{}

func (fakeStudies) StudiesOf(context.Context, string, string, int) ([]program.Study, error) {
	return []program.Study{{ID: "analysis_1", Kind: "analysis", Name: "Tear <sheet>", RunID: runID}}, nil
}

package export_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/export"
	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/timeseries"
)

const (
	alice = "alice"
	bob   = "bob"
)

// programs has models and runs of several accounts in memory. The returns of a run are
// its number plus the number of the day, in thousandths.
type programs struct {
	models []*program.Sheet
	runs   []*program.Run
	assets []*catalog.Asset
}

var firstDay = timeseries.NewDate(2024, time.March, 1)

// addModel adds a model with two runs, of which it serves the first.
func (p *programs) addModel(accountID, symbol string, public bool) *program.Sheet {
	n := len(p.models) + 1
	m := &program.Sheet{Model: program.Model{
		ID: fmt.Sprintf("model_%04d", n), AccountID: accountID, Symbol: symbol, Name: "Model " + symbol, Slug: "slug-" + symbol, IsPublic: public, Status: program.StatusActive,
	}}
	m.Live = p.addRun(m, program.RunComplete)
	m.Live.Live = true
	p.models = append(p.models, m)
	return m
}

func (p *programs) addRun(m *program.Sheet, status program.RunStatus) *program.Run {
	n := len(p.runs) + 1
	r := &program.Run{
		ID: fmt.Sprintf("run_%04d", n), AccountID: m.AccountID, ProgramID: m.ID, ProgramName: "Model " + m.Symbol, Status: status,
		Source: program.SourceManual, CreatedAt: time.Date(2024, 5, 1, 0, 0, n/3, 0, time.UTC),
	}
	if status == program.RunFailed {
		r.Failure = &program.Failure{Type: "script_error", Message: "it broke"}
	}
	p.runs = append(p.runs, r)
	return r
}

func (p *programs) Sheet(_ context.Context, accountID, ref string) (*program.Sheet, error) {
	for _, m := range p.models {
		if m.AccountID == accountID && (ref == m.ID || ref == m.Symbol || ref == m.Slug) || m.IsPublic && ref == m.Slug {
			return m, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no model %q.", ref)
}

func (p *programs) Run(_ context.Context, accountID, ref string) (*program.Run, error) {
	for _, r := range p.runs {
		if r.ID == ref && (r.AccountID == accountID || r.Shared) {
			return r, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no run %q.", ref)
}

func (p *programs) History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error) {
	m, err := p.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return p.history(m.Live, q), nil
}

func (p *programs) RunHistory(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error) {
	r, err := p.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return p.history(r, q), nil
}

// history returns a history of five days, cut to the window.
func (p *programs) history(r *program.Run, q history.Query) *history.History {
	h := &history.History{ModelID: r.ProgramID, RunID: r.ID}
	if q.Allocation {
		h.Labels = []history.Label{{Key: "SPY", Kind: "asset", Symbol: "SPY", Name: "SPDR S&P 500 ETF"}, {Key: "CASH", Kind: "cash"}}
		h.Allocation = &history.Allocation{Keys: []string{"SPY", "CASH"}, Weights: make([][]float64, 2)}
	}
	if q.Contribution {
		h.Contribution = &history.Contribution{Columns: result.Columns{Keys: []string{"SPY", "CASH"}, Values: make([][]float64, 2)}}
	}
	if q.Tree {
		h.Labels = []history.Label{{Key: "IN", Kind: "model", Name: "Inner"}}
		h.Tree = &history.Node{Key: "M", Children: []*history.Node{{Key: "IN", Children: []*history.Node{{Key: "BRK/B"}}}, {Key: "CASH"}}}
	}
	if q.Custom {
		h.Custom = &history.Custom{Series: result.Columns{Keys: []string{"signal", "rank"}, Values: make([][]float64, 2)}}
	}
	if q.Metrics {
		h.Metrics = metrics.Compute(timeseries.Series{Base: firstDay - 1, Dates: []timeseries.Date{firstDay, firstDay + 1}, Returns: []float64{0.25, -0.5}}, metrics.Options{})
	}
	if q.Allocation {
		h.Allocation.Rebalances = []result.Rebalance{{Date: firstDay + 1, Decided: firstDay, Reason: "schedule", Turnover: 0.5, Trades: []result.Trade{
			{Key: "SPY", Before: 0.25, Target: 0.75, Traded: 0.5}, {Key: "CASH", Before: 0.75, Target: 0.25, Traded: -0.5},
		}}}
	}
	for i := range 5 {
		date := firstDay + timeseries.Date(i)
		if q.Start != timeseries.NoDate && date < q.Start || q.End != timeseries.NoDate && date > q.End || !q.Full {
			continue
		}
		h.Dates = append(h.Dates, date)
		if q.Returns {
			h.Returns = append(h.Returns, float64(i)/1000)
		}
		if q.Allocation {
			h.Allocation.Weights[0] = append(h.Allocation.Weights[0], float64(i)/4)
			h.Allocation.Weights[1] = append(h.Allocation.Weights[1], 1-float64(i)/4)
		}
		if q.Contribution {
			h.Contribution.Values[0] = append(h.Contribution.Values[0], float64(i)/8)
			h.Contribution.Values[1] = append(h.Contribution.Values[1], 0)
		}
		if q.Tree {
			in := h.Tree.Children[0]
			in.Weights, in.Children[0].Weights = append(in.Weights, 0.5), append(in.Children[0].Weights, 0.5)
			h.Tree.Children[1].Weights = append(h.Tree.Children[1].Weights, 0.5)
		}
		if q.Custom {
			h.Custom.Series.Values[0] = append(h.Custom.Series.Values[0], float64(i))
			h.Custom.Series.Values[1] = append(h.Custom.Series.Values[1], math.NaN())
		}
	}
	return h
}

func (p *programs) LiveRunsAfter(_ context.Context, accountID, after string, n int) ([]export.LiveRun, error) {
	var out []export.LiveRun
	for _, m := range p.models {
		if m.AccountID == accountID && m.ID > after && m.Live != nil && len(out) < n {
			out = append(out, export.LiveRun{ProgramID: m.ID, RunID: m.Live.ID, Symbol: m.Symbol, Name: m.Name})
		}
	}
	return out, nil
}

func (p *programs) LiveAnswersAfter(context.Context, string, string, string, int) ([]export.AnswerRun, error) {
	return nil, nil
}

func (p *programs) RunsAfter(_ context.Context, accountID string, f export.RunFilter, mark *export.RunMark, n int) ([]*program.Run, error) {
	var out []*program.Run
	for _, r := range slices.Backward(p.runs) {
		fits := (len(f.ProgramIDs) == 0 || slices.Contains(f.ProgramIDs, r.ProgramID)) &&
			(f.Status == "" || f.Status == r.Status) && (f.Source == "" || f.Source == r.Source)
		after := mark == nil || r.CreatedAt.Before(mark.CreatedAt) || r.CreatedAt.Equal(mark.CreatedAt) && r.ID < mark.ID
		if r.AccountID == accountID && fits && after && len(out) < n {
			out = append(out, r)
		}
	}
	return out, nil
}

func (p *programs) AssetsAfter(_ context.Context, f catalog.Filter, after string, n int) ([]*catalog.Asset, error) {
	var out []*catalog.Asset
	for _, a := range p.assets {
		if a.Symbol > after && (f.Type == "" || f.Type == a.Type) && (f.Delisted || !a.Delisted) && len(out) < n {
			out = append(out, a)
		}
	}
	return out, nil
}

// lines exports a table as CSV and returns its lines without the header.
func (p *programs) lines(t *testing.T, accountID string, q export.Query) ([]string, error) {
	t.Helper()
	rows, err := export.NewService(export.Config{Assets: p, RunPages: p, Models: p, Runs: p, Histories: p}).Open(t.Context(), accountID, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out bytes.Buffer
	if err := export.Write(t.Context(), &out, rows, export.CSV); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")[1:], nil
}

func family() *programs {
	p := &programs{}
	p.addModel(alice, "ONE", false)
	two := p.addModel(alice, "TWO", false)
	p.addRun(two, program.RunComplete)
	p.addRun(two, program.RunFailed)
	p.addModel(bob, "PRIVATE", false)
	p.addModel(bob, "PUBLIC", true)
	building := &program.Sheet{Model: program.Model{ID: "model_none", AccountID: alice, Symbol: "NEW", Status: program.StatusBuilding}}
	p.models = append(p.models, building)
	p.addRun(building, program.RunQueued)
	return p
}

func TestReturns(t *testing.T) {
	t.Parallel()
	p := family()
	days := func(model, run string, from, to int) (out []string) {
		for i := from; i <= to; i++ {
			symbol := map[string]string{"model_0001": "ONE", "model_0002": "TWO", "model_0003": "PRIVATE", "model_0004": "PUBLIC"}[model]
			out = append(out, fmt.Sprintf("%s,%s,Model %s,%s,%s,%v", model, symbol, symbol, run, firstDay+timeseries.Date(i), float64(i)/1000))
		}
		return out
	}
	one, two := days("model_0001", "run_0001", 0, 4), days("model_0002", "run_0002", 0, 4)
	for _, test := range []struct {
		name    string
		account string
		query   export.Query
		want    []string
		fails   fault.Type
	}{
		{name: "all of an account's, live alone", account: alice, want: slices.Concat(one, two)},
		{name: "another account", account: bob, want: slices.Concat(days("model_0003", "run_0005", 0, 4), days("model_0004", "run_0006", 0, 4))},
		{name: "an account without models", account: "carol", want: []string{}},
		{name: "a model", account: alice, query: export.Query{Models: []string{"TWO"}}, want: two},
		{name: "a run that is not live", account: alice, query: export.Query{RunIDs: []string{"run_0003"}}, want: days("model_0002", "run_0003", 0, 4)},
		{name: "models and runs, each once", account: alice, query: export.Query{Models: []string{"TWO", "ONE", "model_0002"}, RunIDs: []string{"run_0002", "run_0001"}}, want: slices.Concat(two, one)},
		{name: "a window", account: alice, query: export.Query{Models: []string{"ONE"}, Start: firstDay + 1, End: firstDay + 2}, want: days("model_0001", "run_0001", 1, 2)},
		{name: "a window without rows", account: alice, query: export.Query{Start: firstDay + 100}, want: []string{}},
		{name: "a public model by slug", account: alice, query: export.Query{Models: []string{"slug-PUBLIC"}}, want: days("model_0004", "run_0006", 0, 4)},
		{name: "a public model by symbol", account: alice, query: export.Query{Models: []string{"PUBLIC"}}, fails: fault.NotFound},
		{name: "another's model", account: alice, query: export.Query{Models: []string{"slug-PRIVATE"}}, fails: fault.NotFound},
		{name: "another's run", account: alice, query: export.Query{RunIDs: []string{"run_0005"}}, fails: fault.NotFound},
		{name: "a model without a result", account: alice, query: export.Query{Models: []string{"NEW"}}, fails: fault.NoHistory},
		{name: "a run without a result", account: alice, query: export.Query{RunIDs: []string{"run_0004"}}, fails: fault.NoHistory},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			q := test.query
			q.Table = export.Returns
			if q.Start == 0 {
				q.Start = timeseries.NoDate
			}
			if q.End == 0 {
				q.End = timeseries.NoDate
			}
			got, err := p.lines(t, test.account, q)
			if fault.TypeOf(err) != test.fails && (err != nil || test.fails != "") {
				t.Fatalf("%v, want %q", err, test.fails)
			}
			if d := cmp.Diff(test.want, got); d != "" && test.fails == "" {
				t.Error(d)
			}
		})
	}
}

// The rows of a shared run have the name of its model, but no symbol if the reader may
// not read the model.
func TestReturnsOfASharedRun(t *testing.T) {
	t.Parallel()
	p := family()
	p.runs[4].Shared = true
	q := all(export.Returns)
	q.RunIDs, q.End = []string{"run_0005"}, firstDay
	got, err := p.lines(t, alice, q)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"model_0003,,Model PRIVATE,run_0005,2024-03-01,0"}, got); d != "" {
		t.Error(d)
	}
}

func TestAllocations(t *testing.T) {
	t.Parallel()
	q := all(export.Allocations)
	q.Models, q.Start, q.End = []string{"ONE"}, firstDay+1, firstDay+2
	got, err := family().lines(t, alice, q)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"model_0001,ONE,Model ONE,run_0001,2024-03-02,SPY,SPDR S&P 500 ETF,0.25", "model_0001,ONE,Model ONE,run_0001,2024-03-02,CASH,,0.75",
		"model_0001,ONE,Model ONE,run_0001,2024-03-03,SPY,SPDR S&P 500 ETF,0.5", "model_0001,ONE,Model ONE,run_0001,2024-03-03,CASH,,0.5",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestResultTables checks the rows of the other tables of results.
func TestResultTables(t *testing.T) {
	t.Parallel()
	const whose, day = "model_0001,ONE,Model ONE,run_0001,", "2024-03-02,"
	for table, want := range map[export.Table][]string{
		export.Contributions: {whose + day + "SPY,,0.125", whose + day + "CASH,,0"},
		export.Tree:          {whose + day + "IN,1,IN,Inner,0.5", whose + day + "IN/BRK/B,2,BRK/B,,0.5", whose + day + "CASH,1,CASH,,0.5"},
		export.Diagnostics:   {whose + day + "signal,1"},
		export.Trades: {
			whose + day + "2024-03-01,schedule,SPY,SPDR S&P 500 ETF,0.25,0.75,0.5,0.5",
			whose + day + "2024-03-01,schedule,CASH,,0.75,0.25,-0.5,0.5",
		},
	} {
		q := all(table)
		q.Models, q.Start, q.End = []string{"ONE"}, firstDay+1, firstDay+1
		got, err := family().lines(t, alice, q)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", table, d)
		}
	}
	got, err := family().lines(t, alice, all(export.Metrics))
	if err != nil || len(got) != 2 || !strings.HasPrefix(got[0], whose+"2024-03-01,2024-03-02,2024-03-01,2024-03-02,,2,") || strings.Count(got[0], ",") != 8+len(metrics.FigureNames) {
		t.Errorf("metrics %q, %v", got, err)
	}
	got, err = family().lines(t, "carol", all(export.Metrics))
	if err != nil || len(got) != 0 {
		t.Errorf("metrics of nobody %q, %v", got, err)
	}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	p := family()
	for name, test := range map[string]struct {
		account string
		query   export.Query
		want    string
		fails   fault.Type
	}{
		"all":                  {account: alice, want: "run_0007 run_0004 run_0003 run_0002 run_0001"},
		"of another":           {account: bob, want: "run_0006 run_0005"},
		"failed ones":          {account: alice, query: export.Query{Status: program.RunFailed}, want: "run_0004"},
		"of a model":           {account: alice, query: export.Query{Models: []string{"TWO"}}, want: "run_0004 run_0003 run_0002"},
		"of a source":          {account: alice, query: export.Query{Source: program.SourceRefresh}},
		"of a foreign model":   {account: alice, query: export.Query{Models: []string{"slug-PUBLIC"}}, fails: fault.NotFound},
		"of no model of yours": {account: alice, query: export.Query{Models: []string{"NONE"}}, fails: fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := test.query
			q.Table, q.Start, q.End = export.Runs, timeseries.NoDate, timeseries.NoDate
			lines, err := p.lines(t, test.account, q)
			if fault.TypeOf(err) != test.fails && (err != nil || test.fails != "") {
				t.Fatalf("%v, want %q", err, test.fails)
			}
			ids := make([]string, len(lines))
			for i, line := range lines {
				ids[i], _, _ = strings.Cut(line, ",")
			}
			if got := strings.Join(ids, " "); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestPagesMakeTheWhole exports tables that are longer than one page of the database.
func TestPagesMakeTheWhole(t *testing.T) {
	t.Parallel()
	p := &programs{}
	for i := range 1203 {
		p.addModel(alice, fmt.Sprintf("M%04d", i), false)
		p.assets = append(p.assets, &catalog.Asset{
			ID: fmt.Sprintf("asset_%04d", i), Symbol: fmt.Sprintf("S%04d", i), Name: "A, \"quoted\" name", Leverage: 1,
			Delisted: i%3 == 0, Tags: []string{"theme:a", "region:b"},
			InceptionDate: timeseries.NoDate, FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate,
		})
	}
	for table, want := range map[export.Table]int{export.Returns: 5 * 1203, export.Allocations: 10 * 1203, export.Metrics: 1203, export.Tree: 15 * 1203, export.Runs: 1203, export.Assets: 802} {
		got, err := p.lines(t, alice, all(table))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, line := range got {
			seen[line] = true
		}
		if len(got) != want || len(seen) != want {
			t.Errorf("%s: %d rows, %d different ones, want %d", table, len(got), len(seen), want)
		}
	}
}

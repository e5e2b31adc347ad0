package history

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// Served implements Models: each run of the nest is a model's live run.
func (n *nest) Served(_ context.Context, _, ref string) (*program.Sheet, error) {
	for _, r := range n.runs {
		if r.ProgramID == ref {
			return &program.Sheet{Model: program.Model{ID: r.ProgramID, Symbol: r.Summary.ModelSymbol, Slug: r.ProgramID + "-slug"}, Live: r}, nil
		}
	}
	if ref == "model_building" {
		return &program.Sheet{Model: program.Model{ID: ref, Status: program.StatusBuilding}}, nil
	}
	return nil, fault.Missing("model", ref)
}

// TestManyAreSingleReads compares the columns and blocks of a read of many models
// with reads of each over the same window.
func TestManyAreSingleReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := nestedRuns(t)
		var refs []string
		for _, i := range rapid.Permutation(indices(len(n.runs))).Draw(t, "order") {
			refs = append(refs, n.runs[i].ProgramID)
		}
		refs = refs[:rapid.IntRange(1, len(refs)).Draw(t, "models")]
		q := ManyQuery{Query: everyBlock(), Models: refs, Equity: true, AllDates: rapid.Bool().Draw(t, "all dates")}
		q.Timing, q.Full = false, true
		q.Start, q.End = timeseries.NoDate, timeseries.NoDate
		dates := n.made[n.runs[0].ID].Series().Dates
		if rapid.Bool().Draw(t, "starts") {
			q.Start = rapid.SampledFrom(dates).Draw(t, "start")
		}
		if rapid.Bool().Draw(t, "ends") {
			q.End = max(q.Start, rapid.SampledFrom(dates).Draw(t, "end"))
		}
		many, err := n.service.Many(context.Background(), "account_1", q)
		if err != nil {
			t.Fatal(err)
		}
		var chosen []*program.Run
		for _, m := range many.Members {
			i := slices.IndexFunc(n.runs, func(r *program.Run) bool { return r.ID == m.RunID })
			chosen = append(chosen, n.runs[i])
		}
		start, end := q.Start, q.End
		if !q.AllDates {
			first, last := commonWindow(chosen)
			if start = max(start, first); end == timeseries.NoDate || end > last {
				end = last
			}
		}
		seen := map[timeseries.Date]bool{}
		for i, m := range many.Members {
			one := q.Query
			one.Start, one.End = start, end
			single, err := n.service.read(context.Background(), "account_1", chosen[i], one)
			if err != nil {
				t.Fatal(err)
			}
			if m.ModelID != refs[i] || !slices.Equal(m.Own, single.Dates) {
				t.Fatalf("%s on %v, alone on %v", m.ModelID, m.Own, single.Dates)
			}
			got, want := m.Table(), single.Table()
			if !slices.Equal(got.Names, want.Names) {
				t.Fatalf("columns %v, alone %v", got.Names, want.Names)
			}
			for c := range want.Columns {
				for k, d := range many.Dates {
					v := math.NaN()
					if at, ok := slices.BinarySearch(single.Dates, d); ok {
						v, seen[d] = want.Columns[c][at], true
					}
					if x := got.Columns[c][k]; x != v && !(math.IsNaN(x) && math.IsNaN(v)) {
						t.Fatalf("%s of %s on %s is %v, alone %v", want.Names[c], m.ModelID, d, x, v)
					}
				}
			}
			if diff := cmp.Diff(text(t, single.Metrics), text(t, m.Metrics)); diff != "" {
				t.Fatal(diff)
			}
			if at, ok := slices.BinarySearch(many.Dates, last(single.Dates)); ok && math.Abs(m.Equity[at]/(1+float64(single.Metrics.TotalReturn))-1) > 1e-12 {
				t.Fatalf("equity ends at %v, the total return is %v", m.Equity[at], single.Metrics.TotalReturn)
			}
		}
		if len(seen) != len(many.Dates) {
			t.Fatalf("%d dates, %d of a model", len(many.Dates), len(seen))
		}
		if columns := len(many.Table().Names); len(many.Dates) > 0 && columns < 2*len(refs) {
			t.Fatalf("%d columns", columns)
		}
	})
}

// text is a block as JSON, in which what is not defined equals itself.
func text(t *rapid.T, b *metrics.Block) string {
	out, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func last(dates []timeseries.Date) timeseries.Date {
	if len(dates) == 0 {
		return timeseries.NoDate
	}
	return dates[len(dates)-1]
}

// TestManyOntoAUnion puts an exchange's model beside one that trades every day.
func TestManyOntoAUnion(t *testing.T) {
	t.Parallel()
	shared := []float64{.5, .25}
	m := &Together{Own: []timeseries.Date{4, 7}, Equity: []float64{1.5, 1.875}, History: &History{
		Dates: []timeseries.Date{4, 7}, Returns: shared,
		Allocation: &Allocation{Keys: []string{"A", "CASH"}, Weights: [][]float64{{1, .5}, {0, .5}}},
		Tree:       &Node{Key: "M", Weights: []float64{1, 1}, Children: []*Node{{Key: "A", Weights: []float64{1, .5}}}},
		Fees:       &Fees{Returns: []float64{.4, .2}, Metrics: &metrics.Block{}},
	}}
	daily := &Together{Own: []timeseries.Date{4, 5, 6, 7, 8}}
	axis := union([]*Together{m, daily})
	if !slices.Equal(axis, daily.Own) {
		t.Fatalf("axis %v", axis)
	}
	before := m.History
	m.reindex(axis)
	x := math.NaN()
	for name, pair := range map[string][2][]float64{
		"returns": {m.Returns, {.5, x, x, .25, x}}, "equity": {m.Equity, {1.5, x, x, 1.875, x}},
		"weights": {m.Allocation.Weights[1], {0, x, x, .5, x}}, "tree": {m.Tree.Children[0].Weights, {1, x, x, .5, x}},
		"fees": {m.Fees.Returns, {.4, x, x, .2, x}},
	} {
		if diff := cmp.Diff(pair[1], pair[0], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if before.Returns[1] != .25 || len(before.Tree.Weights) != 2 {
		t.Error("the history itself was changed, which caches share")
	}
}

func TestManyRefusals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := nestedRuns(t)
		many := make([]string, MostModels+1)
		for i := range many {
			many[i] = fmt.Sprintf("model_%d", i)
		}
		for name, test := range map[string]struct {
			models []string
			want   fault.Type
		}{
			"none":             {nil, fault.InvalidParameter},
			"too many":         {many, fault.InvalidParameter},
			"one twice":        {[]string{"model_0", "model_0"}, fault.InvalidParameter},
			"unknown":          {[]string{"model_0", "model_9"}, fault.NotFound},
			"without a result": {[]string{"model_0", "model_building"}, fault.NoHistory},
		} {
			if _, err := n.service.Many(context.Background(), "account_1", ManyQuery{Models: test.models}); fault.TypeOf(err) != test.want {
				t.Errorf("%s: %v, want %s", name, err, test.want)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := n.service.Many(ctx, "account_1", ManyQuery{Models: []string{"model_0"}}); err == nil {
			t.Error("a caller that has left is answered")
		}
	})
}

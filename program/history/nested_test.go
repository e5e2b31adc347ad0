package history

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/program"
	"ballast/program/result"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// nest is a set of runs in memory and in a bucket: models of assets, and models of
// models, at most three deep.
type nest struct {
	runsByID
	service *Service
	results *result.Store
	assets  map[string]timeseries.Series // by symbol
	runs    []*program.Run               // members before what holds them
	frames  map[string]*timeseries.Frame // by run
	made    map[string]*backtest.Result  // by run
}

// RunsByID implements program.Sharing.
func (n *nest) RunsByID(_ context.Context, ids []string) (map[string]*program.Run, error) {
	found := map[string]*program.Run{}
	for _, r := range n.runs {
		for _, id := range ids {
			if r.ID == id {
				found[id] = r
			}
		}
	}
	return found, nil
}

func (*nest) PublicModels(context.Context, []string) (map[string]bool, error) { return nil, nil }

func (*nest) Models(context.Context, string, program.ModelFilter) ([]*program.Sheet, int, error) {
	return nil, 0, nil
}

func (*nest) ModelsByKey(context.Context, string, []string) (map[string]*program.Sheet, error) {
	return nil, nil
}

func (*nest) Below(context.Context, []string) ([]program.Membership, error) { return nil, nil }

// Trials implements Trials.
func (n *nest) Trials(context.Context, string) ([]float64, error) {
	return make([]float64, len(n.runs)), nil
}

// nestedRuns draws a nest.
func nestedRuns(t *rapid.T) *nest {
	dir, err := os.MkdirTemp("", "nest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	bucket, err := columnar.OpenBucket(context.Background(), dir, columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := &nest{assets: map[string]timeseries.Series{}, frames: map[string]*timeseries.Frame{}, made: map[string]*backtest.Result{}}
	if n.results, err = result.NewStore(bucket, 1<<20); err != nil {
		t.Fatal(err)
	}
	n.service = New(Config{Models: n, Runs: n, Store: n, Trials: n, Results: n.results})
	cal := calendar.XNYS()
	from := cal.Count(timeseries.NewDate(2020, time.January, 1))
	for i := range 5 {
		first := rapid.IntRange(0, 10).Draw(t, "first bar")
		s := timeseries.Series{Base: cal.Session(from + first)}
		for k := first + 1; k < 70; k++ {
			s.Dates = append(s.Dates, cal.Session(from+k))
			s.Returns = append(s.Returns, rapid.Float64Range(-0.05, 0.05).Draw(t, "return"))
		}
		n.assets[fmt.Sprintf("A%d", i)] = s
	}
	depth := map[string]int{}
	for i := range rapid.IntRange(1, 5).Draw(t, "models") {
		n.model(t, i, depth)
	}
	return n
}

// model adds a run of one more model that holds assets and, up to three deep, earlier
// models.
func (n *nest) model(t *rapid.T, i int, depth map[string]int) {
	run := &program.Run{
		AccountID: "account_1",
		ID:        fmt.Sprintf("run_%d", i), ProgramID: fmt.Sprintf("model_%d", i), Status: program.RunComplete,
		Summary: &program.Summary{ModelSymbol: fmt.Sprintf("M%d", i), Alignment: program.Alignment{BarsPerYear: 252}},
	}
	var sources []timeseries.Source
	for a := range len(n.assets) {
		if symbol := fmt.Sprintf("A%d", a); rapid.Bool().Draw(t, "holds "+symbol) || a == 0 {
			run.Members = append(run.Members, program.Member{Key: symbol, Kind: program.MemberAsset, ID: "asset_" + symbol, Symbol: symbol})
			sources = append(sources, timeseries.Source{Key: symbol, Series: n.assets[symbol]})
		}
	}
	for _, m := range n.runs {
		if depth[m.ID] < 2 && rapid.Bool().Draw(t, "holds "+m.ID) {
			key := m.Summary.ModelSymbol
			run.Members = append(run.Members, program.Member{Key: key, Kind: program.MemberModel, ID: m.ProgramID, Symbol: key, RunID: m.ID})
			sources = append(sources, timeseries.Source{Key: key, Series: n.made[m.ID].Series()})
			depth[run.ID] = max(depth[run.ID], depth[m.ID]+1)
		}
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	made, err := backtest.Run(context.Background(), frame, backtest.Spec{
		Schedule:  backtest.Schedule{Every: rapid.SampledFrom([]string{"daily", "weekly", "monthly"}).Draw(t, "schedule"), Session: -1},
		Fill:      rapid.SampledFrom([]backtest.Fill{backtest.FillClose, backtest.FillNextClose}).Draw(t, "fill"),
		Start:     backtest.StartFirstMember,
		StartDate: timeseries.NoDate, InitialCash: 10_000,
	}, backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		s.Record("count", float64(s.T))
		for k := range target {
			if s.Tradable[k] {
				target[k] = rapid.Float64Range(-0.2, 0.8).Draw(t, "target")
			}
		}
		return true, nil
	}), backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	daily, ledger, err := made.Tables(memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	defer daily.Release()
	defer ledger.Release()
	if run.Tables, err = n.results.Write(context.Background(), run.ID, sandbox.Table{Name: sandbox.DailyTable, Record: daily}, sandbox.Table{Name: sandbox.LedgerTable, Record: ledger}); err != nil {
		t.Fatal(err)
	}
	returns := made.Series()
	run.Base, run.First, run.Last = returns.Base, returns.Dates[0], returns.Last()
	n.runs, n.frames[run.ID], n.made[run.ID] = append(n.runs, run), frame, made
}

// read reads all blocks of the last run.
func (n *nest) read(t *rapid.T, q Query) (*program.Run, *History) {
	run := n.runs[len(n.runs)-1]
	h, err := n.service.read(context.Background(), "account_1", run, q)
	if err != nil {
		t.Fatal(err)
	}
	return run, h
}

// everyBlock asks for all blocks except timing.
func everyBlock() Query {
	return Query{
		Returns: true, Allocation: true, Tree: true, Latest: true, Custom: true, Metrics: true, Fees: true, Contribution: true,
		Start: timeseries.NoDate, End: timeseries.NoDate,
	}
}

// direct computes what a run holds on a date by ticker, one lookup at a time.
func (n *nest) direct(run *program.Run, date timeseries.Date, share float64, sum map[string]float64) {
	r := n.made[run.ID]
	row := -1
	for i, d := range r.Dates {
		if d <= date {
			row = i
		}
	}
	if row < 0 {
		return
	}
	sum[backtest.CashKey] += share * r.CashWeight[row]
	for i, m := range run.Members {
		if r.Weights[i] == nil {
			continue
		}
		w := share * r.Weights[i][row]
		if m.Kind == program.MemberAsset {
			sum[m.Symbol] += w
			continue
		}
		for _, member := range n.runs {
			if member.ID == m.RunID {
				n.direct(member, date, w, sum)
			}
		}
	}
}

const close12 = 1e-12

func TestTreeAddsUpAndFlattensToTheAllocation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := nestedRuns(t)
		q := everyBlock()
		if axis := n.made[n.runs[len(n.runs)-1].ID].Dates; rapid.Bool().Draw(t, "window") {
			i := rapid.IntRange(0, len(axis)-1).Draw(t, "from")
			q.Start, q.End = axis[i], axis[rapid.IntRange(i, len(axis)-1).Draw(t, "to")]
		}
		run, h := n.read(t, q)
		var check func(*Node)
		check = func(node *Node) {
			if len(node.Weights) != len(h.Dates) {
				t.Fatalf("%s has %d weights for %d dates", node.Key, len(node.Weights), len(h.Dates))
			}
			for i, w := range node.Weights {
				sum := 0.0
				for _, c := range node.Children {
					sum += c.Weights[i]
				}
				if node.Children != nil && math.Abs(sum-w) > close12*max(1, math.Abs(w)) {
					t.Fatalf("the children of %s add up to %v on %s, and it weighs %v", node.Key, sum, h.Dates[i], w)
				}
			}
			for _, c := range node.Children {
				check(c)
			}
		}
		check(h.Tree)
		labels := map[string]bool{}
		for _, l := range h.Labels {
			labels[l.Key] = true
		}
		leaves := flatten(h.Tree.Children)
		for i, date := range h.Dates {
			want := map[string]float64{}
			n.direct(run, date, 1, want)
			for _, c := range []result.Columns{leaves, {Keys: h.Allocation.Keys, Values: h.Allocation.Weights}} {
				for k, key := range c.Keys {
					if math.Abs(c.Values[k][i]-want[key]) > close12*max(1, math.Abs(want[key])) {
						t.Fatalf("%s weighs %v on %s, looked up %v", key, c.Values[k][i], date, want[key])
					}
					if !labels[key] {
						t.Fatalf("%s has no label", key)
					}
				}
			}
		}
	})
}

func TestContributionsAddUpToReturns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, h := nestedRuns(t).read(t, everyBlock())
		for i, want := range h.Returns {
			sum := 0.0
			for _, c := range h.Contribution.Values {
				sum += c[i]
			}
			if math.Abs(sum-want) > close12 || h.Contribution.Total[i] != want {
				t.Fatalf("contributions add up to %v on %s, the return is %v", sum, h.Dates[i], want)
			}
		}
	})
}

// The end of a result is the last row of its allocation. If decisions are filled at
// the close, its last decision, resolved at that time, is what was held then.
func TestLatestIsTheEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := nestedRuns(t)
		run, h := n.read(t, everyBlock())
		l := h.Latest
		want := map[string]float64{}
		n.direct(run, l.AsOf, 1, want)
		adds(t, "allocation", l.Allocation, want)
		adds(t, "target", l.Target, nil)
		adds(t, "resolved", l.Decision.Resolved, nil)
		adds(t, "weights", l.Decision.Weights, nil)
		made := n.made[run.ID].Summary
		if l.Decision.Date != made.LastDecision.Date {
			t.Fatalf("decision of %s, want %s", l.Decision.Date, made.LastDecision.Date)
		}
		if made.Fill == backtest.FillClose && made.Ruined == false {
			held := map[string]float64{}
			n.direct(run, l.Decision.Date, 1, held)
			adds(t, "resolved", l.Decision.Resolved, held)
		}
	})
}

// adds checks that weights add up to 1, and that they are as expected.
func adds(t *rapid.T, what string, w Weights, want map[string]float64) {
	total := 0.0
	for _, one := range w {
		total += one.Value
		if want != nil && math.Abs(one.Value-want[one.Key]) > close12*max(1, math.Abs(one.Value)) {
			t.Fatalf("%s: %s weighs %v, want %v", what, one.Key, one.Value, want[one.Key])
		}
	}
	if math.Abs(total-1) > 1e-11 {
		t.Fatalf("%s adds up to %v", what, total)
	}
}

// The computed fees equal a simulation that pays the costs day by day from what is
// held.
func TestFeesEqualASimulationThatPaysThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := nestedRuns(t)
		q := everyBlock()
		q.Rates = Rates{
			Management: rapid.Float64Range(0, 0.05).Draw(t, "management"), Financing: rapid.Float64Range(0, 0.1).Draw(t, "financing"),
			Commission: rapid.Float64Range(0, 20).Draw(t, "commission"), Slippage: rapid.Float64Range(0, 20).Draw(t, "slippage"),
		}
		run, h := n.read(t, q)
		if n.made[run.ID].Summary.Ruined {
			t.Skip("nothing is left to pay from")
		}
		net, costs := n.pay(run, q.Rates)
		total := 0.0
		for i, want := range net {
			if math.Abs(h.Fees.Returns[i]-want) > close12 {
				t.Fatalf("net return %v on %s, simulated %v", h.Fees.Returns[i], h.Dates[i], want)
			}
			total += h.Returns[i] - h.Fees.Returns[i]
		}
		c := h.Fees.Costs
		if math.Abs(c.Total-costs) > 1e-10 || math.Abs(c.Total-total) > 1e-10 || math.Abs(c.Management+c.Financing+c.Commission+c.Slippage-c.Total) > 1e-15 {
			t.Fatalf("costs %+v, simulated %v, deducted %v", c, costs, total)
		}
		if a, b := h.Metrics.Window, h.Fees.Metrics.Window; *a.Start != *b.Start || *a.End != *b.End || a.Sessions != b.Sessions {
			t.Fatalf("metrics of %v, fees of %v", a, b)
		}
	})
}

// pay simulates a run's own members day by day, trades to the targets of its ledger,
// and pays the costs from all positions in proportion.
func (n *nest) pay(run *program.Run, r Rates) (net []float64, costs float64) {
	made, frame := n.made[run.ID], n.frames[run.ID]
	hold := make([]float64, len(run.Members))
	cash, equity := 1.0, 1.0
	at := 0
	for frame.Axis[at] != made.Dates[0] {
		at++
	}
	ledger := made.Ledger
	due := 0.0 // for trades of the day
	trade := func(date timeseries.Date) {
		for len(ledger) > 0 && ledger[0].Fill == date {
			for _, x := range ledger[0].Trades {
				if x.Member == backtest.CashMember {
					continue
				}
				w := hold[x.Member] / equity
				due += math.Abs(x.Target-w) * (r.Commission + r.Slippage) / 10_000
				cash -= x.Target*equity - hold[x.Member]
				hold[x.Member] = x.Target * equity
			}
			ledger = ledger[1:]
		}
	}
	trade(made.Dates[0])
	for i, date := range made.Dates[1:] {
		gross := 0.0
		before := equity
		for k := range hold {
			gross += math.Abs(hold[k]) / before
			hold[k] *= 1 + frame.Members[k].Returns[at+1+i]
		}
		equity = cash
		for k := range hold {
			equity += hold[k]
		}
		trade(date)
		charge := r.Management/252 + r.Financing/252*max(0, gross-1) + due
		due = 0
		costs += charge
		left := (equity - charge*before) / equity
		for k := range hold {
			hold[k] *= left
		}
		cash *= left
		equity *= left
		net = append(net, equity/before-1)
	}
	return net, costs
}

func (*nest) OptimizerNames(context.Context, string) ([]string, error) { return nil, nil }

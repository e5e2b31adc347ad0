package download_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/simulate"
	"ballast/timeseries"
)

// simulated is a plan with a script that decides in Python, and the same in Go.
type simulated struct {
	name   string
	plan   *simulate.Plan
	source string
	decide func(paths int) simulate.Decider
	alone  []int // paths that are also read alone
}

// The simulations of the download must equal those of package simulate: every source,
// rule, schedule and step, with and without drawn inflation and glide paths.
func TestSimulations(t *testing.T) {
	t.Parallel()
	cases := make([]simulated, 90)
	if testenv.Brief() {
		cases = cases[:24]
	}
	requests := make([]map[string]any, len(cases))
	for i := range cases {
		cases[i] = drawSimulation(rand.New(rand.NewPCG(uint64(i), 41)), i)
		requests[i] = cases[i].request()
	}
	var got struct {
		Results [][]struct {
			Scalars map[string]struct{ Value *float64 }
			Tables  map[string]struct {
				Rows    int
				Columns map[string][]any
			}
		}
	}
	evaluate(t, "testdata/simulate_cases.py", map[string]any{"runtime": "runtime", "cases": requests, "numbers": [][]uint64{}}, &got)

	a := &closeness{}
	for i, c := range cases {
		r, err := simulate.Run(t.Context(), c.plan, c.decide, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, c.source)
		}
		all := got.Results[i][0]
		for name, want := range scalarsOf(r) {
			a.near(t, c.name+" "+name, want, valueOf(all.Scalars[name].Value), 1e-3)
		}
		tables := tablesOf(c.plan, r)
		for k, path := range c.alone {
			rows, err := simulate.Path(t.Context(), c.plan, c.decide, path)
			if err != nil {
				t.Fatal(err)
			}
			a.table(t, fmt.Sprintf("%s path %d", c.name, path), pathTable(rows), got.Results[i][k+1].Tables["path"].Columns)
		}
		if len(all.Tables) != len(tables) {
			t.Errorf("%s: %d tables, and %d in Python", c.name, len(tables), len(all.Tables))
		}
		for name, want := range tables {
			a.table(t, c.name+" "+name, want, all.Tables[name].Columns)
		}
		if t.Failed() {
			t.Fatalf("%+v\n%s", *c.plan, c.source)
		}
	}
	t.Logf("%d simulations, %d numbers, %d of them bit for bit; the largest relative difference is %.3g, of %s", len(cases), a.numbers, a.exact, a.largest, a.worst)
}

// valueOf is the number of a scalar, or NaN for null.
func valueOf(scalar *float64) float64 {
	if scalar == nil {
		return math.NaN()
	}
	return *scalar
}

// closeness compares numbers, and keeps the largest difference.
type closeness struct {
	numbers, exact int
	largest        float64
	worst          string
}

// near compares relatively, but numbers below floor as if they were floor.
func (c *closeness) near(t *testing.T, where string, want, got, floor float64) {
	t.Helper()
	c.numbers++
	if want == got || math.IsNaN(want) && math.IsNaN(got) {
		c.exact++
		return
	}
	off := math.Abs(want-got) / max(math.Abs(want), math.Abs(got), floor)
	if off > c.largest {
		c.largest, c.worst = off, where
	}
	if !(off <= tolerance) {
		t.Errorf("%s: %v, and %v in Python", where, want, got)
	}
}

// ratios are the columns that do not have money.
var ratios = []string{"alive", "rate", "success", "low", "high", "shortfall", "max_drawdown", "step", "path", "depleted_step", "start"}

func (c *closeness) table(t *testing.T, where string, want map[string][]float64, got map[string][]any) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d columns, and %d in Python", where, len(want), len(got))
	}
	for name, column := range want {
		if len(got[name]) != len(column) {
			t.Errorf("%s %s: %d rows, and %d in Python", where, name, len(column), len(got[name]))
			continue
		}
		for i, v := range column {
			value := math.NaN()
			switch x := got[name][i].(type) {
			case float64:
				value = x
			case string:
				if d, err := timeseries.ParseDate(x); err == nil {
					value = float64(d)
				}
			}
			floor := 1e3 // money: to a millionth of a unit of currency
			if slices.Contains(ratios, name) {
				floor = 1e-3
			}
			c.near(t, fmt.Sprintf("%s %s[%d]", where, name, i), v, value, floor)
		}
	}
}

func scalarsOf(r *simulate.Result) map[string]float64 {
	return map[string]float64{
		"success": r.Success, "success_low": r.Low, "success_high": r.High, "shortfall_years": r.Shortfall,
		"safe_rate": r.SafeRate, "perpetual_rate": r.PerpetualRate, "median_final": r.MedianFinal, "median_final_real": r.MedianReal,
		"block_stationary": r.Lengths.Stationary, "block_circular": r.Lengths.Circular, "independent_windows": r.Windows, "months": float64(r.Months),
	}
}

// tablesOf returns the tables of a result by name and column; dates are numbers.
func tablesOf(p *simulate.Plan, r *simulate.Result) map[string]map[string][]float64 {
	tables := map[string]map[string][]float64{"bands": {"alive": r.Alive}, "spending": {}, "outcomes": {}, "rates": {}, "sample_paths": {}}
	add := func(table, column string, v float64) { tables[table][column] = append(tables[table][column], v) }
	bands := func(table, suffix string, first int, list []simulate.Band) {
		for t, b := range list {
			if suffix == "" {
				add(table, "step", float64(first+t))
			}
			for i, q := range simulate.Levels {
				add(table, fmt.Sprintf("p%.0f%s", 100*q, suffix), b.Quantiles[i])
			}
			add(table, "mean"+suffix, b.Mean)
		}
	}
	bands("bands", "", 0, r.Bands)
	bands("bands", "_real", 0, r.RealBands)
	bands("spending", "", 1, r.Spending)
	bands("spending", "_real", 1, r.RealSpending)
	for _, o := range r.Outcomes {
		depleted := math.NaN()
		if o.Depleted > 0 {
			depleted = float64(o.Depleted)
		}
		for name, v := range map[string]float64{
			"path": float64(o.Path), "final": o.Final, "final_real": o.FinalReal, "depleted_step": depleted, "spent": o.Spent,
			"lowest_spent": o.LowestSpent, "max_drawdown": o.MaxDrawdown,
		} {
			add("outcomes", name, v)
		}
		if p.Source == simulate.History {
			add("outcomes", "start", float64(o.Start))
		}
	}
	for _, point := range r.Rates {
		for name, v := range map[string]float64{"rate": point.Rate, "success": point.Success, "low": point.Low, "high": point.High, "shortfall": point.Shortfall} {
			add("rates", name, v)
		}
	}
	for path, values := range r.SamplePaths {
		for step, v := range values {
			add("sample_paths", "path", float64(path))
			add("sample_paths", "step", float64(step))
			add("sample_paths", "value", v)
		}
	}
	return tables
}

func pathTable(rows []simulate.PathMonth) map[string][]float64 {
	columns := map[string][]float64{}
	for step, row := range rows {
		if step == 0 {
			row.Withdrawn = math.NaN() // nothing is paid before the first month
		}
		for name, v := range map[string]float64{"step": float64(step), "value": row.Value, "real_value": row.RealValue, "withdrawn": row.Withdrawn} {
			columns[name] = append(columns[name], v)
		}
	}
	return columns
}

// request is the simulation as the arguments of the Python classes.
func (s *simulated) request() map[string]any {
	p := s.plan
	ordinal := func(d timeseries.Date) int { return int(d-timeseries.NewDate(1970, time.January, 1)) + 719163 } // of Python's date.toordinal
	ends := make([]int, p.Months.Len())
	for i, d := range p.Months.Ends {
		ends[i] = ordinal(d)
	}
	return map[string]any{
		"months": map[string]any{"keys": p.Months.Keys, "returns": p.Months.Returns, "base": ordinal(p.Months.Base), "ends": ends, "inflation": p.Months.Inflation},
		"plan": map[string]any{
			"weights": p.Weights, "rebalance": p.Rebalance, "start_value": p.StartValue, "years": p.Years, "paths": p.Paths, "seed": p.Seed,
			"source": p.Source, "block": p.Block, "inflation": p.Inflation, "fee": p.Fee, "step_months": p.StepMonths,
		},
		"source": s.source, "paths": s.alone,
	}
}

// drawSimulation draws a simulation. Every twentieth has as many paths as its quantiles
// need to be found by buckets.
func drawSimulation(r *rand.Rand, i int) simulated {
	one := func(list ...float64) float64 { return list[r.IntN(len(list))] }
	m := drawMonths(r, 1+r.IntN(4), simulate.MinMonths+r.IntN(140))
	p := &simulate.Plan{
		Months: m, Rebalance: simulate.Rebalances[r.IntN(4)], StartValue: one(1, 1000, 1e6, 2.5e6), Paths: simulate.MinPaths, Seed: r.Uint64(),
		Source: simulate.Sources[i%len(simulate.Sources)], Block: one(0, 1, 3, 12, 7.5, 40), Inflation: one(0, 0.025, -0.01, 0.2), Fee: one(0, 0.002, 0.02),
		StepMonths: int(one(1, 3, 12)), Years: 1 + r.IntN(8),
	}
	switch {
	case i%20 == 7:
		p.Paths = 1500
	case i%5 == 0:
		p.Years = 16 + r.IntN(8) // guyton_klinger cuts only before the last fifteen
	}
	if p.Source == simulate.History {
		p.Years = 1 + r.IntN(m.Len()/12)
	}
	for range m.Keys {
		p.Weights = append(p.Weights, one(0.25, 0.5, 1, -0.3, 0.1+r.Float64()))
	}
	if r.IntN(3) == 0 {
		m.Inflation = make([]float64, m.Len())
		for t := range m.Inflation {
			m.Inflation[t] = 0.002 + 0.004*r.NormFloat64()
		}
	}
	s := simulated{name: fmt.Sprintf("simulation %d (%s)", i, p.Source), plan: p}
	if p.Source == simulate.History {
		s.alone = []int{0, m.Len() - p.Horizon()}
	} else {
		s.alone = []int{0, r.IntN(p.Paths)}
	}
	rules, calls := drawRules(r, p)
	p.Glides = r.IntN(3) == 0
	answer := strings.Join(calls, " + ") + " + ctx.inflation * ctx.start_value"
	if p.Glides {
		answer = fmt.Sprintf(`{"withdraw": %s, "weights": {k: ctx.years_left / %d if k == "A" else min(max(w, -2), 2) for k, w in ctx.weights.items()}}`, answer, p.Years)
	}
	s.source = fmt.Sprintf("def simulate(ctx):\n    return %s\n", answer)
	s.decide = func(paths int) simulate.Decider {
		g := glide{plan: p}
		for _, rule := range rules {
			g.rules = append(g.rules, simulate.NewRuled(rule, paths))
		}
		return g
	}
	return s
}

// drawMonths draws the months of members with a common part.
func drawMonths(r *rand.Rand, members, n int) *simulate.Months {
	m := &simulate.Months{Base: timeseries.NewDate(1990, 12, 31), Returns: make([][]float64, members)}
	wild := 1.0
	if r.IntN(8) == 0 {
		wild = 6 // some months lose everything
	}
	persistence, common := 0.5*float64(r.IntN(3))*r.Float64(), 0.0
	for t := range n {
		m.Ends = append(m.Ends, timeseries.NewDate(1991, 1, 31)+timeseries.Date(31*t))
		common = persistence*common + r.NormFloat64()
		for i := range members {
			m.Returns[i] = append(m.Returns[i], max(0.005+wild*(0.03*common+0.02*r.NormFloat64()), -1))
		}
	}
	for i := range members {
		m.Keys = append(m.Keys, string(rune('A'+i)))
	}
	return m
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// drawRules draws one or two rules, in Go and as calls in Python.
func drawRules(r *rand.Rand, p *simulate.Plan) (rules []simulate.Rule, calls []string) {
	for i := range 1 + r.IntN(2) {
		rate := float64(r.IntN(16)) / 100
		amount := p.StartValue * rate
		add := func(rule simulate.Rule, call string, arguments ...any) {
			rules, calls = append(rules, rule), append(calls, fmt.Sprintf(call, arguments...))
		}
		kind := r.IntN(12)
		if i == 0 && p.Years > 15 {
			kind, rate = 4, 0.05
		}
		switch kind {
		case 0:
			add(simulate.Fixed{Rate: rate}, "withdraw_fixed(ctx, rate=%s)", number(rate))
		case 1:
			add(simulate.Fixed{Amount: amount}, "withdraw_fixed(ctx, amount=%s)", number(amount))
		case 2:
			add(simulate.Percentage{Rate: rate}, "withdraw_percentage(ctx, %s)", number(rate))
		case 3:
			add(simulate.FloorCeiling{Rate: rate, Floor: 0.85, Ceiling: 1.2}, "withdraw_floor_ceiling(ctx, %s, 0.85, 1.2)", number(rate))
		case 4:
			add(simulate.GuytonKlinger{Rate: rate, Guard: 0.2, Change: 0.1}, "guyton_klinger(ctx, %s)", number(rate))
		case 5:
			add(simulate.GuytonKlinger{Rate: rate, Guard: 0.05, Change: 0.3}, "guyton_klinger(ctx, %s, guard=0.05, change=0.3)", number(rate))
		case 6:
			add(simulate.Annuity{Rate: rate}, "vpw(ctx, %s)", number(rate))
		case 7:
			add(simulate.LifeExpectancy{Age: 72 + 3*int(100*rate)}, "life_expectancy(ctx, %d)", 72+3*int(100*rate))
		case 8:
			add(simulate.Ratchet{Rate: rate, RaiseBy: 0.2, Above: 1.05}, "ratchet(ctx, %s, 0.2, above=1.05)", number(rate))
		case 9:
			add(simulate.Contribute{Amount: amount}, "contribute(ctx, %s)", number(amount))
		case 10:
			add(simulate.Contribute{Amount: amount, Growth: &rate}, "contribute(ctx, %s, growth=%s)", number(amount), number(rate))
		case 11:
			add(simulate.Flows{{First: 1, Last: 2, Amount: -amount, Real: true}, {First: 2, Last: 5, Amount: amount}},
				`flows(ctx, [{"first": 1, "last": 2, "amount": %s}, {"first": 2, "last": 5, "amount": %s, "real": False}])`, number(-amount), number(amount))
		}
	}
	return rules, calls
}

// glide pays the sum of rules, and what inflation takes. Where the plan glides, it keeps the weights that have
// drifted, but member A follows the years that are left.
type glide struct {
	plan  *simulate.Plan
	rules []*simulate.Ruled
}

func (g glide) Decide(worker, path int, s *simulate.State) (simulate.Decision, error) {
	var d simulate.Decision
	for i, rule := range g.rules {
		paid, err := rule.Decide(worker, path, s)
		if err != nil {
			return d, err
		}
		if i == 0 {
			d.Money = paid.Money
		} else {
			d.Money += paid.Money
		}
	}
	d.Money += s.Inflation * s.StartValue
	if g.plan.Glides {
		d.Weights = slices.Clone(s.Weights)
		if s.Month == 0 {
			copy(d.Weights, g.plan.Weights)
		}
		for i, w := range d.Weights {
			d.Weights[i] = min(max(w, -2), 2)
		}
		d.Weights[0] = s.YearsLeft() / float64(g.plan.Years)
	}
	return d, nil
}

// The random numbers are those of NumPy, which package simulate is tested against.
func TestPhilox(t *testing.T) {
	t.Parallel()
	var got struct{ Numbers [][]string }
	evaluate(t, "testdata/simulate_cases.py", map[string]any{
		"runtime": "runtime", "cases": []any{}, "numbers": [][]uint64{{7, 3, 6}, {1<<63 + 5, 99999, 3}},
	}, &got)
	for i, want := range [][]float64{
		{0x1.edb31ec618b30p-2, 0x1.72c1e5d4967f1p-1, 0x1.9bae5c02bbd60p-5, 0x1.43b6c348a9a9ap-2, 0x1.5c8b1237ef569p-1, 0x1.9002d572e3804p-3},
		{0x1.14391c5673154p-2, 0x1.0b20ae36102d1p-1, 0x1.2eba6c7cb913ap-2},
	} {
		for k, w := range want {
			if x, err := strconv.ParseFloat(got.Numbers[i][k], 64); err != nil || x != w {
				t.Errorf("number %d of %d: %s, not %x", k, i, got.Numbers[i][k], w)
			}
		}
	}
}

package simulate

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// tile is how many paths a worker takes at a time.
const tile = 128

// carrier carries the paths of a run.
type carrier struct {
	plan    *Plan
	decider Decider
	source  drawer
	first   int       // number of the first path
	own     []float64 // the plan's returns by month of history; nil where they hang on the path
	fee     float64   // factor of a month
	prices  []float64 // price level by months gone; not used where inflation is drawn
	drawn   bool      // inflation is

	paths   []path
	held    *holdings    // nil where own is not
	targets *holdings    // nil where decisions give no weights
	past    []float64    // returns by path, then month; nil unless the plan remembers
	curve   []curveCount // by worker
	states  []State      // by worker
}

// path is where a path stands.
type path struct {
	value, peak, fall     float64 // fall is the deepest drawdown, at most 0
	money                 float64 // of each month of the step
	spent, lowest         float64
	growth                float64 // real growth of money that stays, after fees
	annuity               float64 // Σ 1/growth at the months' beginnings
	price                 float64 // level
	yearGrowth, yearPrice float64 // since the year began; at its beginning
	draw                  draw
	depleted              int32 // month, 1 the first; 0 for never
	rate                  int32 // the highest rate of the curve that has not failed
}

// Workers is how many workers a run has.
func Workers() int { return runtime.GOMAXPROCS(0) }

// newCarrier prepares paths first to first+n−1.
func newCarrier(p *Plan, d Decider, lengths *Lengths, own []float64, first, n int) *carrier {
	c := &carrier{
		plan: p, decider: d, source: drawerOf(p, lengths), first: first, fee: 1 - p.Fee/12, drawn: p.Months.Inflation != nil,
		paths: make([]path, n), curve: make([]curveCount, Workers()), states: make([]State, Workers()), prices: make([]float64, p.Horizon()+1),
	}
	if c.source.past() && p.Rebalance == Monthly && !p.Glides {
		c.own = own
	} else {
		c.held = newHoldings(len(p.Weights), n)
	}
	if p.Glides {
		c.targets = newHoldings(len(p.Weights), n)
		for i := range n {
			c.targets.set(i, p.Weights)
		}
	}
	if p.Remembers {
		c.past = make([]float64, n*p.Horizon())
	}
	for t := range c.prices {
		c.prices[t] = math.Pow(1+p.Inflation, float64(t)/12)
	}
	for i := range c.paths {
		c.paths[i] = path{
			value: p.StartValue, peak: p.StartValue, lowest: math.Inf(1), growth: 1, price: 1, yearGrowth: 1, yearPrice: 1,
			draw: draw{stream: stream{from: philox{p.Seed, uint64(first + i)}}}, rate: int32(len(curveRates) - 1),
		}
	}
	return c
}

// window receives some months of all paths, by month and then path.
type window struct {
	value, spent         [][]float64
	realValue, realSpent [][]float64 // nil where prices are the same for all paths
}

func (c *carrier) newWindow(months int) *window {
	rows := func() [][]float64 {
		out := make([][]float64, months)
		for t := range out {
			out[t] = make([]float64, len(c.paths))
		}
		return out
	}
	w := &window{value: rows(), spent: rows()}
	if c.drawn {
		w.realValue, w.realSpent = rows(), rows()
	}
	return w
}

// carry takes all paths through the months from..to−1 and fills the window.
func (c *carrier) carry(ctx context.Context, from, to int, w *window) error {
	tiles := (len(c.paths) + tile - 1) / tile
	return parallel(ctx, tiles, func(worker, i int) error {
		returns := make([]float64, len(c.plan.Weights))
		for p := i * tile; p < min((i+1)*tile, len(c.paths)); p++ {
			if err := c.carryPath(worker, p, from, to, w, returns); err != nil {
				return err
			}
		}
		return nil
	})
}

// parallel does tasks 0 to n−1, as many at a time as there are workers. It stops at
// the first error, and returns that of the lowest task that has one.
func parallel(ctx context.Context, n int, do func(worker, task int) error) error {
	var (
		next   atomic.Int64
		failed atomic.Bool
		work   sync.WaitGroup
		mu     sync.Mutex
		err    error
		at     = n
	)
	for worker := range min(Workers(), n) {
		work.Go(func() {
			for ctx.Err() == nil && !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if e := do(worker, i); e != nil {
					failed.Store(true)
					mu.Lock()
					if i < at {
						at, err = i, e
					}
					mu.Unlock()
				}
			}
		})
	}
	work.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// carryPath takes a path through the months from..to−1: in each the payment, the
// return, the fee. Returns is room for a month's returns by member.
func (c *carrier) carryPath(worker, number, from, to int, w *window, returns []float64) error {
	p := &c.paths[number]
	counts := &c.curve[worker]
	for t := from; t < to; t++ {
		if t%c.plan.StepMonths == 0 {
			if err := c.decide(worker, number, p, t); err != nil {
				return err
			}
		}
		c.source.draw(&p.draw, t)
		paid := p.pay(t)
		var r, inflated float64
		if c.own != nil {
			r = c.own[p.draw.month]
		} else {
			c.returns(&p.draw, returns)
			r = c.drift(number, t, returns)
		}
		if c.past != nil {
			c.past[number*c.plan.Horizon()+t] = r
		}
		before := p.price
		if c.drawn {
			inflated = 1 + c.inflation(&p.draw)
			p.price *= inflated
		} else {
			p.price = c.prices[t+1]
			inflated = p.price / before
		}
		spent := p.settle(paid, r, c.fee, inflated)
		for p.rate >= 0 && p.annuity > curveLimits[p.rate] {
			counts.failed[p.rate]++
			counts.missing[p.rate] += int64(c.plan.Horizon() - t)
			p.rate--
		}
		w.value[t-from][number], w.spent[t-from][number] = p.value, spent
		if c.drawn {
			w.realValue[t-from][number], w.realSpent[t-from][number] = p.value/p.price, spent/before
		}
	}
	return nil
}

// decide asks for the money of the step that begins with month t.
func (c *carrier) decide(worker, number int, p *path, t int) error {
	s := &c.states[worker]
	*s = State{
		Month: t, StepMonths: c.plan.StepMonths, Horizon: c.plan.Horizon(), StartValue: c.plan.StartValue,
		Value: p.value, Peak: p.peak, Price: p.price, YearGrowth: p.yearGrowth, Inflation: c.plan.Inflation,
	}
	if c.drawn && t > 0 {
		s.Inflation = p.price/p.yearPrice - 1
	}
	if c.plan.Glides {
		s.Weights = c.held.of(number)
	}
	if c.past != nil {
		s.Past = c.past[number*c.plan.Horizon():][:t]
	}
	d, err := c.decider.Decide(worker, number, s)
	if err != nil {
		return err
	}
	if math.IsNaN(d.Money) || math.IsInf(d.Money, 0) {
		return invalid("simulate", "the money of path %d in month %d is %v: it must be a number", c.first+number, t+1, d.Money)
	}
	p.money = d.Money / float64(c.plan.StepMonths)
	if t%12 == 0 {
		p.yearGrowth, p.yearPrice = 1, p.price
	}
	if d.Weights != nil {
		return c.target(number, d.Weights)
	}
	return nil
}

// target brings a path to weights of its own from now on.
func (c *carrier) target(number int, weights []float64) error {
	if c.targets == nil || len(weights) != len(c.plan.Weights) {
		return invalid("weights", "a decision gave %d weights for %d members of a plan whose weights stay (%v)", len(weights), len(c.plan.Weights), !c.plan.Glides)
	}
	if err := checkShares("weights", weights); err != nil {
		return err
	}
	c.targets.set(number, weights)
	c.held.set(number, weights)
	return nil
}

// returns are the members' returns of the month that is drawn.
func (c *carrier) returns(d *draw, out []float64) {
	if d.values != nil {
		copy(out, d.values)
		return
	}
	for i := range out {
		out[i] = c.plan.Months.Returns[i][d.month]
	}
}

// inflation is that of the month that is drawn.
func (c *carrier) inflation(d *draw) float64 {
	if d.values != nil {
		return d.values[len(c.plan.Weights)]
	}
	return c.plan.Months.Inflation[d.month]
}

// drift is the plan's return of a month, after rebalancing where that is due.
func (c *carrier) drift(number, t int, returns []float64) float64 {
	if due(c.plan.Rebalance, t) {
		weights := c.plan.Weights
		if c.targets != nil {
			weights = c.targets.of(number)
		}
		c.held.set(number, weights)
	}
	return c.held.drift(number, returns)
}

// short is the part of a payment that may be missing by rounding.
const short = 1e-9

// pay takes the money of month t out of a path, or puts it in, as far as it is there.
func (p *path) pay(t int) (paid float64) {
	if p.money < p.value || p.money <= 0 {
		p.value -= p.money
		return p.money
	}
	if p.money > p.value*(1+short) && p.depleted == 0 {
		p.depleted = int32(t + 1)
	}
	paid, p.value = p.value, 0
	return paid
}

// settle lays a month's return and fee on what is left after the payment. Inflated is
// the factor of the month's prices.
func (p *path) settle(paid, r, fee, inflated float64) (spent float64) {
	factor := max(1+r, 0) * fee
	p.value *= factor
	if p.value > p.peak {
		p.peak = p.value
	} else if p.value < (1+p.fall)*p.peak {
		p.fall = p.value/p.peak - 1
	}
	spent = max(paid, 0)
	p.spent += spent
	p.lowest = min(p.lowest, spent)
	p.yearGrowth *= 1 + r
	p.annuity += 1 / p.growth
	p.growth *= factor / inflated
	return spent
}

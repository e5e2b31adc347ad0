package simulate

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// tile is how many paths a worker takes at a time. All of them go one month before
// any goes the next: the processor works on several paths at once, as none waits for
// another, and a tile's paths stay in its nearest cache.
const tile = 128

// carrier carries the paths of a run.
type carrier struct {
	plan    *Plan
	decider Decider
	source  drawer
	first   int       // number of the first path
	own     []float64 // the plan's returns by month of history; nil where they hang on the path
	moves   [][]move  // of own, by month of the window and month of history; not used where inflation is drawn
	fee     float64   // factor of a month
	prices  []float64 // price level by months gone; not used where inflation is drawn
	drawn   bool      // inflation is

	paths   []path
	draws   []draw       // by path
	held    *holdings    // nil where own is not
	targets *holdings    // nil where decisions give no weights
	past    []float64    // returns by path, then month; nil unless the plan remembers
	curve   []curveCount // by worker
	states  []State      // by worker
	months  []tileMonth  // by worker
}

// tileMonth is room for a month of a tile's paths.
type tileMonth struct {
	members   []float64     // returns by member, of one path
	moves     [tile]move    // by path
	inflation [tile]float64 // factors of prices, by path; not used where it is not drawn
}

// move is what a month does to money that stays.
type move struct {
	gross  float64 // factor of its return, before the fee
	net    float64 // factor of its return and fee, at least 0
	shrink float64 // inverse of the real factor of net
}

// moveOf is the move of a return, in a month whose prices rise by a factor.
func (c *carrier) moveOf(r, inflated float64) move {
	net := max(1+r, 0) * c.fee // no more than all is lost
	return move{1 + r, net, inflated / net}
}

// path is where a path stands.
type path struct {
	value, peak, kept     float64 // kept is the least share of a peak that was left
	money                 float64 // of each month of the step
	spent, lowest         float64
	discount              float64 // inverse of the real growth of money that stays, after fees
	annuity, limit        float64 // Σ discount at the months' beginnings; how large it may become at rate
	price                 float64 // level
	yearGrowth, yearPrice float64 // since the year began; at its beginning
	inflation             float64 // State's
	depleted              int32   // month, 1 the first; 0 for never
	rate                  int32   // the highest rate of the curve that has not failed
}

// Workers is how many workers a run has.
func Workers() int { return runtime.GOMAXPROCS(0) }

// newCarrier prepares paths first to first+n−1.
func newCarrier(p *Plan, d Decider, lengths *Lengths, own []float64, first, n int) *carrier {
	inflation := p.inflation()
	c := &carrier{
		plan: p, decider: d, source: drawerOf(p, lengths), first: first, fee: 1 - p.Fee/12, drawn: p.Months.Inflation != nil,
		paths: make([]path, n), draws: make([]draw, n), prices: make([]float64, p.Horizon()+1),
		curve: make([]curveCount, Workers()), states: make([]State, Workers()), months: make([]tileMonth, Workers()),
	}
	for i := range c.months {
		c.states[i] = State{StepMonths: p.StepMonths, Horizon: p.Horizon(), StartValue: p.StartValue, Inflation: inflation}
		c.months[i].members = make([]float64, len(p.Weights))
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
			value: p.StartValue, peak: p.StartValue, lowest: math.Inf(1), kept: 1, discount: 1, price: 1, yearGrowth: 1, yearPrice: 1,
			inflation: inflation, rate: int32(len(curveRates) - 1), limit: curveLimits[len(curveRates)-1],
		}
		c.draws[i].stream.from = philox{p.Seed, uint64(first + i)}
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
	c.prepare(from, to)
	tiles := (len(c.paths) + tile - 1) / tile
	return parallel(ctx, tiles, func(worker, i int) error {
		first, end := i*tile, min((i+1)*tile, len(c.paths))
		for t := from; t < to; t++ {
			if err := c.month(worker, first, end, t, w, t-from); err != nil {
				return err
			}
		}
		return nil
	})
}

// prepare computes once for all paths what the months of history do in the months
// from..to−1.
func (c *carrier) prepare(from, to int) {
	if c.own == nil || c.drawn {
		return
	}
	c.moves = c.moves[:0]
	for t := from; t < to; t++ {
		moves := make([]move, len(c.own))
		for i, r := range c.own {
			moves[i] = c.moveOf(r, c.prices[t+1]/c.prices[t])
		}
		c.moves = append(c.moves, moves)
	}
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

// month takes the paths first..end−1 through month t: the decision where one is due,
// the payment, the return, the fee. Row is that of the window.
func (c *carrier) month(worker, first, end, t int, w *window, row int) error {
	paths, draws := c.paths[first:end], c.draws[first:end]
	if t%c.plan.StepMonths == 0 {
		for i := range paths {
			if err := c.decide(worker, first+i, &paths[i], t); err != nil {
				return err
			}
		}
	}
	c.source.draw(draws, t)
	c.move(&c.months[worker], first, draws, t, row)
	c.settle(worker, first, end, t, w, row)
	return nil
}

// decide asks for the money of the step that begins with month t.
func (c *carrier) decide(worker, number int, p *path, t int) error {
	s := &c.states[worker]
	s.Month, s.Value, s.Peak, s.Price, s.YearGrowth = t, p.value, p.peak, p.price, p.yearGrowth
	if c.drawn {
		if t%12 == 0 && t > 0 {
			p.inflation = p.price/p.yearPrice - 1
		}
		s.Inflation = p.inflation
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

// move finds what the month t does, for the paths that draws are of.
func (c *carrier) move(m *tileMonth, first int, draws []draw, t, row int) {
	switch {
	case c.own != nil && !c.drawn:
		moves := c.moves[row]
		for i := range draws {
			m.moves[i] = moves[draws[i].month]
		}
	case c.drawn:
		for i := range draws {
			m.inflation[i] = 1 + c.inflation(&draws[i])
			m.moves[i] = c.moveOf(c.planReturn(m, first+i, &draws[i], t), m.inflation[i])
		}
	default:
		for i := range draws {
			m.moves[i] = c.moveOf(c.planReturn(m, first+i, &draws[i], t), c.prices[t+1]/c.prices[t])
		}
	}
	if c.past != nil {
		for i := range draws {
			c.past[(first+i)*c.plan.Horizon()+t] = m.moves[i].gross - 1
		}
	}
}

// planReturn is the plan's return of the month t of a path.
func (c *carrier) planReturn(m *tileMonth, number int, d *draw, t int) float64 {
	if c.own != nil {
		return c.own[d.month]
	}
	c.memberReturns(d, m.members)
	return c.drift(number, t, m.members)
}

// memberReturns are the members' returns of the month that is drawn.
func (c *carrier) memberReturns(d *draw, out []float64) {
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

// settle lets the paths first..end−1 pay what month t asks for, as far as it is there,
// and lays the month's return, fee and inflation on the rest.
func (c *carrier) settle(worker, first, end, t int, w *window, row int) {
	m, counts := &c.months[worker], &c.curve[worker]
	paths := c.paths[first:end]
	values, spends, moves := w.value[row][first:end], w.spent[row][first:end], m.moves[:len(paths)]
	price, missing := c.prices[t+1], int64(c.plan.Horizon()-t)
	for i := range paths {
		p, move := &paths[i], &moves[i]
		before := p.price
		if c.drawn {
			price = before * m.inflation[i]
		}
		p.price = price

		value, paid := p.value-p.money, p.money
		if paid >= p.value && paid > 0 {
			if paid > p.value*(1+short) && p.depleted == 0 {
				p.depleted = int32(t + 1)
			}
			value, paid = 0, p.value
		}
		value *= move.net
		p.value = value
		p.peak = max(p.peak, value)
		p.kept = min(p.kept, value/p.peak) // without a branch, which the processor would guess wrong too often
		spent := max(paid, 0)
		p.spent += spent
		p.lowest = min(p.lowest, spent)
		p.yearGrowth *= move.gross
		p.annuity += p.discount
		p.discount *= move.shrink
		if p.annuity > p.limit {
			counts.fail(p, missing)
		}
		values[i], spends[i] = value, spent
		if c.drawn {
			w.realValue[row][first+i], w.realSpent[row][first+i] = value/price, spent/before
		}
	}
}

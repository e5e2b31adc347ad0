package grammar

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/timeseries"
)

// calendar says on which sessions decisions are made: whether the one at i is one.
type calendar func(dates []timeseries.Date, i int) bool

func everySession([]timeseries.Date, int) bool { return true }

// lastOf is the last session of each period, which a function numbers.
func lastOf(period func(timeseries.Date) int) calendar {
	return func(dates []timeseries.Date, i int) bool {
		return i+1 < len(dates) && period(dates[i]) != period(dates[i+1])
	}
}

func monthOf(d timeseries.Date) int { return int(d.Time().Month()) }

var (
	daily     = calendar(everySession)
	weekly    = lastOf(func(d timeseries.Date) int { _, w := d.Time().ISOWeek(); return w })
	monthly   = lastOf(monthOf)
	quarterly = lastOf(func(d timeseries.Date) int { return (monthOf(d) - 1) / 3 })
	yearly    = lastOf(func(d timeseries.Date) int { return d.Time().Year() })
)

// endOf is the last session of some months.
func endOf(months ...int) calendar {
	return func(dates []timeseries.Date, i int) bool {
		return monthly(dates, i) && slices.Contains(months, monthOf(dates[i]))
	}
}

// on is a day of the week, or the next session if there is none on it.
func on(day time.Weekday) calendar {
	return func(dates []timeseries.Date, i int) bool {
		for d := dates[i]; i > 0 && d > dates[i-1]; d-- {
			if d.Weekday() == day {
				return true
			}
		}
		return false
	}
}

// tenthOfQuarter is the tenth session of each quarter.
func tenthOfQuarter(dates []timeseries.Date, i int) bool {
	return i > 9 && quarterly(dates, i-10)
}

// firstOfMonth is the first session of each month.
func firstOfMonth(dates []timeseries.Date, i int) bool { return i > 0 && monthly(dates, i-1) }

// band is the distance from the target at which it is traded: of one member, or of any.
type band struct {
	points, relative float64
	member           string
}

func (b band) passed(held, target weights) bool {
	for k, x := range target {
		distance := math.Abs(held[k] - x)
		if (b.member == "" || b.member == k) && (b.points > 0 && distance > b.points || b.relative > 0 && distance > b.relative*x) {
			return true
		}
	}
	return false
}

type holding func(known) weights

func always(h weights) holding { return func(known) weights { return h } }

type truth func(known) bool

func above(s string, n int) truth { return func(p known) bool { return p.above(s, n) } }
func below(s string, n int) truth { return func(p known) bool { return p.price(s) < p.sma(s, n) } }
func cross(s string, a, b int) truth {
	return func(p known) bool { return p.sma(s, a) > p.sma(s, b) }
}
func rose(s string, n int) truth { return func(p known) bool { return p.ret(s, n) > 0 } }
func beats(a, b string, n int) truth {
	return func(p known) bool { return p.ret(a, n) > p.ret(b, n) }
}
func rsiOver(s string, n int, x float64) truth {
	return func(p known) bool { return p.rsi(s, n) > x }
}
func rsiUnder(s string, n int, x float64) truth {
	return func(p known) bool { return p.rsi(s, n) < x }
}
func volUnder(s string, n int, x float64) truth {
	return func(p known) bool { return p.vol(s, n) < x }
}
func within(months ...int) truth {
	return func(p known) bool { return slices.Contains(months, p.month()) }
}
func stretched(s string, n int, x float64) truth {
	return func(p known) bool { return p.price(s) > (1+x)*p.sma(s, n) }
}
func off(s string, x float64, n int) truth {
	return func(p known) bool { return p.price(s) < (1-x)*p.high(s, n) }
}
func all(list ...truth) truth {
	return func(p known) bool {
		return !slices.ContainsFunc(list, func(t truth) bool { return !t(p) })
	}
}
func some(list ...truth) truth {
	return func(p known) bool { return slices.ContainsFunc(list, func(t truth) bool { return t(p) }) }
}
func no(t truth) truth { return func(p known) bool { return !t(p) } }

// before is what was known some sessions ago of one member.
func (p known) before(s string, n int) known {
	x := p.prices[s]
	return known{map[string][]float64{s: x[:len(x)-n]}, p.date}
}

// inRow is true if something was true of a member on the last n sessions.
func inRow(s string, n int, t truth) truth {
	return func(p known) bool {
		for i := range n {
			if !t(p.before(s, i)) {
				return false
			}
		}
		return true
	}
}

func rising(s string, n int) truth {
	return func(p known) bool { return p.sma(s, n) > p.before(s, 1).sma(s, n) }
}

// eachAbove holds those of several members that are above their averages, each with its
// part.
func eachAbove(n int, keys ...string) holding {
	return func(p known) weights {
		h := weights{}
		for _, s := range keys {
			if p.above(s, n) {
				h[s] = 1 / float64(len(keys))
			}
		}
		return h
	}
}

// deepest is the largest decline from a high within the last n prices.
func (p known) deepest(s string, n int) float64 {
	x := p.prices[s]
	high, most := 0.0, 0.0
	for _, v := range x[len(x)-n:] {
		high = max(high, v)
		most = max(most, 1-v/high)
	}
	return most
}

func (p known) mean(s string, n int) float64 {
	sum := 0.0
	for _, r := range p.daily(s, n) {
		sum += r / float64(n)
	}
	return sum
}

// ema is the exponential average over the last five times n prices, which starts at the
// first of them.
func (p known) ema(s string, n int) float64 {
	x := p.prices[s]
	x = x[max(0, len(x)-5*n):]
	e := x[0]
	for _, v := range x[1:] {
		e += 2 / float64(n+1) * (v - e)
	}
	return e
}

// cases writes a choice between allocations: pairs of a condition and what is held then,
// and what is held otherwise.
func cases(otherwise holding, pairs ...any) holding {
	return func(p known) weights {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i].(truth)(p) {
				return pairs[i+1].(holding)(p)
			}
		}
		return otherwise(p)
	}
}

func one(s string) holding { return always(only(s)) }

// mix blends: pairs of a share and a strategy.
func mix(pairs ...any) holding {
	return func(p known) weights {
		h := weights{}
		for i := 0; i < len(pairs); i += 2 {
			h.part(pairs[i].(float64), pairs[i+1].(holding)(p))
		}
		return h
	}
}

func times(x float64, h holding) holding {
	return func(p known) weights { return weights{}.part(x, h(p)) }
}

// bestBy holds the n of some members with the highest score.
func bestBy(n int, score func(known, string) float64, keys ...string) holding {
	return func(p known) weights {
		return equally(best(n, func(s string) float64 { return score(p, s) }, keys...)...)
	}
}

func gain(n int) func(known, string) float64 {
	return func(p known, s string) float64 { return p.ret(s, n) }
}

func loss(n int) func(known, string) float64 {
	return func(p known, s string) float64 { return -p.ret(s, n) }
}

// aimed scales an allocation to a volatility, with the sample covariance of returns.
func aimed(h holding, n int, target, most float64) holding {
	return func(p known) weights {
		held := h(p)
		sums := make([]float64, n)
		for k, w := range held {
			for i, r := range p.daily(k, n) {
				sums[i] += w * r
			}
		}
		mean, sum, gross := 0.0, 0.0, 0.0
		for _, r := range sums {
			mean += r / float64(n)
		}
		for _, r := range sums {
			sum += (r - mean) * (r - mean)
		}
		for _, w := range held {
			gross += math.Abs(w)
		}
		return weights{}.part(min(target/math.Sqrt(sum/float64(n-1)*252), most/gross), held)
	}
}

// cut limits one member's weight; what is cut off goes to the others in proportion.
func cut(h holding, key string, most float64) holding {
	return func(p known) weights {
		held := h(p)
		over := held[key] - most
		if over <= 0 {
			return held
		}
		rest := 1 - held[key]
		for k := range held {
			if k != key {
				held[k] *= 1 + over/rest
			}
		}
		held[key] = most
		return held
	}
}

func inverseOf(n int, keys ...string) holding {
	return func(p known) weights { return inverse(p, n, keys...) }
}

// switched holds one allocation from when a condition on a member is true until another
// is, and the other allocation otherwise.
func switched(s string, n int, enter, leave truth, then, otherwise holding) holding {
	seen, in := n, false
	return func(p known) weights {
		x := p.prices[s]
		for ; seen <= len(x); seen++ {
			q := known{map[string][]float64{s: x[:seen]}, p.date}
			in = enter(q) || in && !leave(q)
		}
		if in {
			return then(p)
		}
		return otherwise(p)
	}
}

// compareDays compares the weights of every day with those of a plain simulation: at each
// decision everything is brought to what is meant, and between decisions it drifts with
// returns.
func compareDays(t *testing.T, text string, result *backtest.Result, when calendar, holds holding, b band) {
	t.Helper()
	prices, at := map[string][]float64{}, map[string]map[timeseries.Date]int{}
	for _, key := range result.Keys {
		s := sampled(t, key)
		prices[key], at[key] = []float64{1}, map[timeseries.Date]int{s.Base: 1}
		for i, r := range s.Returns {
			prices[key] = append(prices[key], prices[key][i]*(1+r))
			at[key][s.Dates[i]] = i + 2
		}
	}
	var own weights
	compared := 0
	for i, date := range result.Dates[:len(result.Dates)-1] { // the last session may end no period
		p := known{map[string][]float64{}, date}
		young := false
		for _, key := range result.Keys {
			n := at[key][date]
			young = young || n < 1010
			p.prices[key] = prices[key][:n]
		}
		if young {
			continue
		}
		if own != nil {
			growth, moved := 1.0, weights{}
			for k, w := range own {
				x := p.prices[k]
				r := x[len(x)-1]/x[len(x)-2] - 1
				growth += w * r
				moved[k] = w * (1 + r)
			}
			for k := range moved {
				moved[k] /= growth
			}
			own = moved
		}
		decides := when(result.Dates, i)
		if own == nil && b == (band{}) && !decides {
			continue
		}
		want := holds(p)
		for key := range want {
			if !slices.Contains(result.Keys, key) {
				t.Fatalf("%s is not a member of the script:\n%s", key, text)
			}
		}
		switch {
		case own == nil && b != (band{}): // what is held then depends on the whole past
			own = weights{}
			for k, key := range result.Keys {
				if result.Weights[k] != nil {
					own[key] = result.Weights[k][i]
				}
			}
		case decides && (b == (band{}) || b.passed(own, want)):
			own = weights{}.part(1, want)
		}
		for k, key := range result.Keys {
			got := 0.0
			if result.Weights[k] != nil {
				got = result.Weights[k][i]
			}
			if math.Abs(got-own[key]) > 1e-8 {
				t.Fatalf("on %s %s has the weight %v, not %v\n%s", date, key, got, own[key], strings.SplitN(text, `"""`, 3)[1])
			}
		}
		compared++
	}
	if compared < 500 {
		t.Fatalf("only %d days were compared", compared)
	}
}

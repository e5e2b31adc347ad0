package simulate

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// plain carries one path by hand: dictionaries, no shortcuts, a loop over months.
type plain struct {
	values, reals, withdrawn []float64
	depleted                 int
	spent, lowest, fall      float64
	safe, perpetual          float64
}

// plainPath is written from the description of a plan alone. Money gives a year's
// money of the rule at the beginning of each step.
func plainPath(p *Plan, number int, money func(month int, value, price, yearReturn float64) float64) plain {
	months := p.Months.Len()
	numbers := stream{from: philox{p.Seed, uint64(number)}}
	pick := -1
	out := plain{values: []float64{p.StartValue}, reals: []float64{p.StartValue}, lowest: math.Inf(1)}
	value, peak := p.StartValue, p.StartValue
	shares := map[string]float64{}
	var payment, discounted float64
	staying, price := 1.0, 1.0
	var returns []float64
	for t := range 12 * p.Years {
		switch u := numbers.uniform(t); p.Source {
		case Stationary:
			switch {
			case t == 0:
				pick = int(u * float64(months))
			case u < 1/p.Block:
				pick = min(int(u*p.Block*float64(months)), months-1)
			default:
				pick = (pick + 1) % months
			}
		case Circular:
			if length := int(math.Round(p.Block)); t%length == 0 {
				pick = int(numbers.uniform(t/length) * float64(months))
			} else {
				pick = (pick + 1) % months
			}
		case Independent:
			pick = int(u * float64(months))
		case History:
			pick = number + t
		}
		if p.Months.Inflation == nil {
			price = math.Pow(1+p.Inflation, float64(t)/12)
		}
		if t%p.StepMonths == 0 {
			year := 1.0
			for i := t - 12; i >= 0 && i < t; i++ {
				year *= 1 + returns[i]
			}
			payment = money(t, value, price, year-1) / 12
		}
		paid := payment
		if payment > value*(1+1e-9) && payment > 0 {
			if out.depleted == 0 {
				out.depleted = t + 1
			}
			paid = value
		} else if payment > value && payment > 0 {
			paid = value
		}
		value -= paid
		if t == 0 || p.Rebalance == Monthly || p.Rebalance == Quarterly && t%3 == 0 || p.Rebalance == Yearly && t%12 == 0 {
			for i, key := range p.Months.Keys {
				shares[key] = p.Weights[i]
			}
		}
		r := 0.0
		for i, key := range p.Months.Keys {
			r += shares[key] * p.Months.Returns[i][pick]
		}
		for i, key := range p.Months.Keys {
			shares[key] *= (1 + p.Months.Returns[i][pick]) / (1 + r)
		}
		returns = append(returns, r)
		value = value * (1 + r) * (1 - p.Fee/12)
		next := math.Pow(1+p.Inflation, float64(t+1)/12)
		if p.Months.Inflation != nil {
			next = price * (1 + p.Months.Inflation[pick])
		}
		discounted += 1 / staying
		staying *= (1 + r) * (1 - p.Fee/12) / (next / price)
		peak = math.Max(peak, value)
		if peak > 0 {
			out.fall = math.Min(out.fall, value/peak-1)
		}
		out.spent += math.Max(paid, 0)
		out.lowest = math.Min(out.lowest, math.Max(paid, 0))
		out.values, out.reals, out.withdrawn = append(out.values, value), append(out.reals, value/next), append(out.withdrawn, paid)
		price = next
	}
	out.safe, out.perpetual = 12/discounted, 12*(1-1/staying)/discounted
	return out
}

// plainRule is a rule in two ways: ours, and a year's money by hand.
type plainRule struct {
	name string
	rule Rule
	hand func(p *Plan) func(month int, value, price, yearReturn float64) float64
}

func drawRule(t *rapid.T) plainRule {
	rate := rapid.Float64Range(0, 0.2).Draw(t, "rate")
	switch rapid.IntRange(0, 8).Draw(t, "rule") {
	case 0:
		return plainRule{"fixed", Fixed{Rate: rate}, func(p *Plan) func(int, float64, float64, float64) float64 {
			return func(_ int, _, price, _ float64) float64 { return rate * p.StartValue * price }
		}}
	case 1:
		return plainRule{"percentage", Percentage{rate}, func(*Plan) func(int, float64, float64, float64) float64 {
			return func(_ int, value, _, _ float64) float64 { return rate * value }
		}}
	case 2:
		return plainRule{"floor and ceiling", FloorCeiling{rate, 0.8, 1.3}, func(*Plan) func(int, float64, float64, float64) float64 {
			first := math.NaN()
			return func(month int, value, price, _ float64) float64 {
				if month == 0 {
					first = rate * value
				}
				return math.Min(math.Max(rate*value, 0.8*first*price), 1.3*first*price)
			}
		}}
	case 3:
		return plainRule{"Guyton and Klinger", GuytonKlinger{rate, 0.2, 0.1}, func(p *Plan) func(int, float64, float64, float64) float64 {
			var last, lastPrice float64
			return func(month int, value, price, yearReturn float64) float64 {
				if month%12 != 0 {
					return last
				}
				if month == 0 {
					last, lastPrice = rate*p.StartValue, price
					return last
				}
				if yearReturn < 0 && last/value > rate {
					lastPrice = price
				}
				last, lastPrice = last*price/lastPrice, price
				switch {
				case last/value > 1.2*rate && 12*p.Years-month > 15*12:
					last *= 0.9
				case last/value < 0.8*rate:
					last *= 1.1
				}
				return last
			}
		}}
	case 4:
		return plainRule{"annuity", Annuity{rate}, func(p *Plan) func(int, float64, float64, float64) float64 {
			return func(month int, value, _, _ float64) float64 {
				left := float64(12*p.Years-month) / 12
				if rate == 0 {
					return value / left
				}
				discounted := -math.Expm1(-left * math.Log1p(rate)) // 1 − (1 + rate)^−left, with all of its digits
				return value * rate / (discounted * (1 + rate))
			}
		}}
	case 5:
		return plainRule{"life expectancy", LifeExpectancy{75}, func(*Plan) func(int, float64, float64, float64) float64 {
			table := map[int]float64{75: 24.6, 76: 23.7, 77: 22.9, 78: 22.0, 79: 21.1, 80: 20.2, 81: 19.4, 82: 18.5, 83: 17.7, 84: 16.8, 85: 16.0}
			return func(month int, value, _, _ float64) float64 { return value / table[75+month/12] }
		}}
	case 6:
		return plainRule{"ratchet", Ratchet{rate, 0.1, 1.1}, func(p *Plan) func(int, float64, float64, float64) float64 {
			real := rate * p.StartValue
			return func(month int, value, price, _ float64) float64 {
				if month > 0 && month%12 == 0 && value/price > 1.1*p.StartValue {
					real *= 1.1
				}
				return real * price
			}
		}}
	case 7:
		growth := rate
		return plainRule{"contribution", Contribute{1000, &growth}, func(*Plan) func(int, float64, float64, float64) float64 {
			return func(month int, _, _, _ float64) float64 { return -1000 * math.Pow(1+growth, float64(month)/12) }
		}}
	default:
		flows := Flows{{1, 2, -30000, true}, {2, 4, 50000, false}, {3, 9, 70000, true}}
		return plainRule{"flows", flows, func(*Plan) func(int, float64, float64, float64) float64 {
			return func(month int, _, price, _ float64) float64 {
				sum := 0.0
				if y := month/12 + 1; y <= 2 {
					sum -= 30000 * price
				}
				if y := month/12 + 1; y >= 2 && y <= 4 {
					sum += 50000
				}
				if y := month/12 + 1; y >= 3 && y <= 9 {
					sum += 70000 * price
				}
				return sum
			}
		}}
	}
}

func nearly(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(1000, math.Max(math.Abs(a), math.Abs(b)))
}

// Every path of a random plan is the one that is computed by hand, and a path that is
// read alone is the same to the bit.
func TestPathsEqualPlainOnes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := months(rapid.Uint64().Draw(t, "market"), rapid.IntRange(1, 3).Draw(t, "members"), rapid.IntRange(121, 160).Draw(t, "months"))
		p := planOf(m)
		p.Years = rapid.IntRange(1, 10).Draw(t, "years")
		p.Paths = MinPaths
		p.Seed = rapid.Uint64().Draw(t, "seed")
		p.Source = rapid.SampledFrom([]Source{Stationary, Circular, Independent, History}).Draw(t, "source")
		p.Block = float64(rapid.IntRange(1, 30).Draw(t, "block"))
		p.Rebalance = rapid.SampledFrom(Rebalances).Draw(t, "rebalance")
		p.StepMonths = rapid.SampledFrom([]int{1, 3, 12}).Draw(t, "step")
		p.Inflation = rapid.Float64Range(-0.02, 0.1).Draw(t, "inflation")
		p.Fee = rapid.Float64Range(0, 0.03).Draw(t, "fee")
		if rapid.Bool().Draw(t, "series") {
			p.Months.Inflation = make([]float64, p.Months.Len())
			for i := range p.Months.Inflation {
				p.Months.Inflation[i] = rapid.Float64Range(-0.02, 0.05).Draw(t, "month")
			}
		}
		rule := drawRule(t)
		if err := rule.rule.Check(); err != nil {
			t.Fatal(err)
		}
		r, err := Run(background(), p, ruled(rule.rule), nil)
		if err != nil {
			t.Fatal(err)
		}
		safe := math.Inf(1)
		for i, o := range r.Outcomes {
			want := plainPath(p, i, rule.hand(p))
			what := fmt.Sprintf("%s, %s, path %d", rule.name, p.Source, i)
			if o.Depleted != want.depleted || !nearly(o.Final, want.values[len(want.values)-1]) || !nearly(o.FinalReal, want.reals[len(want.reals)-1]) ||
				!nearly(o.Spent, want.spent) || !nearly(o.LowestSpent, want.lowest) || !nearly(o.MaxDrawdown, want.fall) {
				t.Fatalf("%s: %+v, by hand %d, %v, %v, %v, %v", what, o, want.depleted, want.values[len(want.values)-1], want.spent, want.lowest, want.fall)
			}
			safe = math.Min(safe, want.safe)
			if i%17 > 0 {
				continue
			}
			rows, err := Path(background(), p, ruled(rule.rule), i)
			if err != nil {
				t.Fatal(err)
			}
			for step, row := range rows {
				if !nearly(row.Value, want.values[step]) || !nearly(row.RealValue, want.reals[step]) || step > 0 && !nearly(row.Withdrawn, want.withdrawn[step-1]) {
					t.Fatalf("%s, month %d: %+v, by hand %v", what, step, row, want.values[step])
				}
				if i < len(r.SamplePaths) && r.SamplePaths[i][step] != row.Value {
					t.Fatalf("%s, month %d: %v in the sample", what, step, r.SamplePaths[i][step])
				}
			}
		}
		if p.Source == History && !(math.Abs(r.SafeRate-safe) <= 1e-11) {
			t.Fatalf("safe rate %v, by hand %v", r.SafeRate, safe)
		}
	})
}

package analyze

import "math"

// Segment is one holding of two portfolios over one period.
type Segment struct {
	Weight, BenchmarkWeight float64 // at the start of the period; fractions
	Return, BenchmarkReturn float64 // over the period; fractions
}

// Effects are the parts of a portfolio's return beyond its benchmark's.
type Effects struct {
	Allocation  float64 // from other weights
	Selection   float64 // from other returns within a holding
	Interaction float64 // from both together
}

// Total is the sum of the effects.
func (e Effects) Total() float64 { return e.Allocation + e.Selection + e.Interaction }

func (e *Effects) add(other Effects, factor float64) {
	e.Allocation += factor * other.Allocation
	e.Selection += factor * other.Selection
	e.Interaction += factor * other.Interaction
}

// Attribution explains the active return over some periods.
type Attribution struct {
	Effects           []Effects // by holding; together they add up to Return − BenchmarkReturn
	Return, Benchmark float64   // compounded over the periods
}

// weightTolerance is by how much the weights of a period may miss 1.
const weightTolerance = 1e-9

// Attribute explains the active return of periods, each a segment per key in the order
// of keys. The effects of a period are those of Brinson and Fachler (1985); those of
// several periods are linked by Cariño (1999), so that they add up to the compounded
// active return. Cash is a holding like any other. It returns a *DataError if the weights
// of a period do not add up to 1, if a holding with a weight has no return, or if a
// portfolio loses everything.
func Attribute(keys []string, periods [][]Segment) (*Attribution, error) {
	out := &Attribution{Effects: make([]Effects, len(keys))}
	grown, grownBenchmark := 1.0, 1.0
	for t, segments := range periods {
		if len(segments) != len(keys) {
			panic("analyze: a period has another number of segments than there are keys")
		}
		r, b, err := returns(keys, t, segments)
		if err != nil {
			return nil, err
		}
		factor := linking(r, b)
		for i, s := range segments {
			out.Effects[i].add(s.effects(b), factor)
		}
		grown, grownBenchmark = grown*(1+r), grownBenchmark*(1+b)
	}
	out.Return, out.Benchmark = grown-1, grownBenchmark-1
	whole := linking(out.Return, out.Benchmark)
	for i := range out.Effects {
		e := Effects{}
		e.add(out.Effects[i], 1/whole)
		out.Effects[i] = e
	}
	return out, nil
}

// returns checks the segments of a period and returns both portfolios' returns.
func returns(keys []string, period int, segments []Segment) (r, b float64, err error) {
	weight, benchmark := 0.0, 0.0
	for i, s := range segments {
		weight += s.Weight
		benchmark += s.BenchmarkWeight
		if s.Weight != 0 {
			r += s.Weight * s.Return
		}
		if s.BenchmarkWeight != 0 {
			b += s.BenchmarkWeight * s.BenchmarkReturn
		}
		if (s.Weight != 0 && !finite(s.Return)) || (s.BenchmarkWeight != 0 && !finite(s.BenchmarkReturn)) {
			return 0, 0, failed(keys[i], "%s is held in period %d and has no return in it", keys[i], period)
		}
	}
	switch {
	case !(math.Abs(weight-1) <= weightTolerance):
		return 0, 0, failed("", "the portfolio's weights in period %d add up to %v; they must add up to 1, with cash as a holding", period, weight)
	case !(math.Abs(benchmark-1) <= weightTolerance):
		return 0, 0, failed("", "the benchmark's weights in period %d add up to %v; they must add up to 1, with cash as a holding", period, benchmark)
	case r <= -1:
		return 0, 0, failed("", "the portfolio loses everything in period %d, so later periods have no attribution", period)
	case b <= -1:
		return 0, 0, failed("", "the benchmark loses everything in period %d, so later periods have no attribution", period)
	}
	return r, b, nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// effects are those of one holding, given the benchmark's return. A holding that one
// portfolio does not have is taken to have earned there what it earned in the other.
func (s Segment) effects(benchmark float64) Effects {
	switch {
	case s.Weight == 0 && s.BenchmarkWeight == 0:
		return Effects{}
	case s.Weight == 0:
		s.Return = s.BenchmarkReturn
	case s.BenchmarkWeight == 0:
		s.BenchmarkReturn = s.Return
	}
	active, better := s.Weight-s.BenchmarkWeight, s.Return-s.BenchmarkReturn
	return Effects{
		Allocation:  active * (s.BenchmarkReturn - benchmark),
		Selection:   s.BenchmarkWeight * better,
		Interaction: active * better,
	}
}

// linking is (ln(1+r) − ln(1+b))/(r − b), and its limit where r = b.
func linking(r, b float64) float64 {
	active := r - b
	if active == 0 {
		return 1 / (1 + r)
	}
	return math.Log1p(active/(1+b)) / active
}

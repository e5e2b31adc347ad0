package metrics

import "ballast/timeseries"

// Aligned returns the benchmark's daily returns on the sessions of s that both cover,
// and the index in s.Dates of the first of these sessions. A benchmark on another
// calendar is compounded onto the sessions of s. The result is empty if the two do not
// overlap.
func Aligned(s, benchmark timeseries.Series) (returns []float64, from int) {
	returns, from, _ = aligned(s, benchmark, nil)
	return returns, from
}

// aligned returns the benchmark's returns on the sessions of s that both cover,
// s.Dates[from:to]. Each is the benchmark's return since the previous session of s. A
// session without a bar of the benchmark has a return of 0, and the next one has the
// whole move. from equals to if the two share no session: the benchmark ends before
// the series starts, starts after its end, or has no bar in between.
func aligned(s, benchmark timeseries.Series, scratch []float64) (returns []float64, from, to int) {
	if benchmark.Empty() || s.Empty() {
		return nil, 0, 0
	}
	last := benchmark.Last()
	previous := s.Base
	for from < len(s.Dates) && previous < benchmark.Base {
		previous = s.Dates[from]
		from++
	}
	b := 0
	for b < len(benchmark.Dates) && benchmark.Dates[b] <= previous {
		b++
	}
	first := b
	returns = scratch[:0]
	for to = from; to < len(s.Dates) && s.Dates[to] <= last; to++ {
		move := 0.0
		if b < len(benchmark.Dates) && benchmark.Dates[b] <= s.Dates[to] {
			// Usually a session has one bar; its return is used unchanged.
			move = benchmark.Returns[b]
			for b++; b < len(benchmark.Dates) && benchmark.Dates[b] <= s.Dates[to]; b++ {
				move = float64((1+move)*(1+benchmark.Returns[b])) - 1
			}
		}
		returns = append(returns, move)
	}
	if b == first {
		return nil, from, from
	}
	return returns, from, to
}

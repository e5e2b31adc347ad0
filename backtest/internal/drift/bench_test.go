package drift

import (
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
)

// BenchmarkRun processes 500 columns of 8,000 sessions in segments and reports the
// fastest pass: with the kernel, in plain Go, repeating one segment, and only reading
// the columns one after the other.
func BenchmarkRun(b *testing.B) {
	const columns, sessions, segment = 500, 8000, 21
	all := make([]float64, columns*sessions)
	p := func() *Panel {
		c := make([][]float64, columns)
		for i := range c {
			c[i] = all[i*sessions : (i+1)*sessions]
		}
		return NewPanel(c)
	}()
	for i := range all {
		all[i] = 0.001 * float64(i%7-3)
	}
	members := make([]int, columns)
	hold := make([]float64, columns)
	for i := range members {
		members[i], hold[i] = i, 1
	}
	sum := make([]float64, sessions)
	segments := func(run func(sum []float64, from int)) {
		for t := 0; t < sessions; t += segment {
			run(sum[t:min(t+segment, sessions)], t)
		}
	}
	for _, c := range []struct {
		name string
		pass func()
	}{
		{"run", func() { segments(func(sum []float64, from int) { p.Run(sum, hold, members, from) }) }},
		{"plain", func() { segments(func(sum []float64, from int) { p.plain(sum, hold, members, from) }) }},
		{"gonum", func() { segments(func(sum []float64, from int) { withGonum(p, sum, hold, members, from) }) }},
		{"in cache", func() {
			for range sessions / segment {
				p.Run(sum[:segment], hold, members, 0)
			}
		}},
		{"read", func() {
			var s0, s1, s2, s3 float64
			for r := all; len(r) >= 8; r = r[8:] {
				s0 += r[0] + r[4]
				s1 += r[1] + r[5]
				s2 += r[2] + r[6]
				s3 += r[3] + r[7]
			}
			sum[0] = s0 + s1 + s2 + s3
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				for i := range hold {
					hold[i] = 1
				}
				began := time.Now()
				c.pass()
				times = append(times, time.Since(began))
			}
			b.SetBytes(8 * columns * sessions)
			slices.Sort(times)
			b.ReportMetric(float64(times[0])/1e6, "fastest-ms")
			b.ReportMetric(float64(times[len(times)/2])/1e6, "median-ms")
		})
	}
}

// withGonum is the pass in gonum's kernels: one column at a time, an operation each.
func withGonum(p *Panel, sum, hold []float64, members []int, from int) {
	path := make([]float64, len(sum))
	for k, i := range members {
		copy(path, p.Column(i)[from:])
		floats.AddConst(1, path)
		path[0] *= hold[k]
		hold[k] = floats.CumProd(path, path)[len(path)-1]
		floats.Add(sum, path)
	}
}

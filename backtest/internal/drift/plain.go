package drift

// plain is Run in plain Go. It handles four members at a time: their chains of
// products are independent, so the processor computes them in parallel.
func (p *Panel) plain(sum, hold []float64, members []int, from int) {
	to := from + len(sum)
	next := min(to+len(sum), p.sessions)
	wide := len(members) >= wideUniverse
	for ; len(members) >= 4; members = members[4:] {
		i, j, k, l := members[0], members[1], members[2], members[3]
		a, b, c, d := p.columns[i], p.columns[j], p.columns[k], p.columns[l]
		hold[i], hold[j], hold[k], hold[l] = four(sum, a[from:to], b[from:to], c[from:to], d[from:to], hold[i], hold[j], hold[k], hold[l])
		if wide {
			p.touched += touch(a[to:next], b[to:next], c[to:next], d[to:next])
		}
	}
	if len(members) >= 2 {
		i, j := members[0], members[1]
		hold[i], hold[j] = two(sum, p.columns[i][from:to], p.columns[j][from:to], hold[i], hold[j])
		members = members[2:]
	}
	for _, i := range members {
		hold[i] = one(sum, p.columns[i][from:to], hold[i])
	}
}

// wideUniverse is the number of members from which a segment of all of them no longer
// fits in the level 1 cache, so that prefetching pays.
const wideUniverse = 64

// touch reads one number per cache line of the next segment of four columns, because
// Go has no prefetch instruction. The sum has no meaning; without it the compiler
// would remove the reads.
func touch(r0, r1, r2, r3 []float64) float64 {
	r1, r2, r3 = r1[:len(r0)], r2[:len(r0)], r3[:len(r0)]
	var s0, s1, s2, s3 float64
	for t := 0; t < len(r0); t += 8 {
		s0 += r0[t]
		s1 += r1[t]
		s2 += r2[t]
		s3 += r3[t]
	}
	return s0 + s1 + s2 + s3
}

func one(sum, r []float64, h float64) float64 {
	r = r[:len(sum)]
	for t := range sum {
		h = float64(h * (1 + r[t]))
		sum[t] += h
	}
	return h
}

func two(sum, r0, r1 []float64, h0, h1 float64) (float64, float64) {
	r0, r1 = r0[:len(sum)], r1[:len(sum)]
	for t := range sum {
		h0 = float64(h0 * (1 + r0[t]))
		h1 = float64(h1 * (1 + r1[t]))
		sum[t] += h0 + h1
	}
	return h0, h1
}

func four(sum, r0, r1, r2, r3 []float64, h0, h1, h2, h3 float64) (float64, float64, float64, float64) {
	r0, r1, r2, r3 = r0[:len(sum)], r1[:len(sum)], r2[:len(sum)], r3[:len(sum)]
	for t := range sum {
		h0 = float64(h0 * (1 + r0[t]))
		h1 = float64(h1 * (1 + r1[t]))
		h2 = float64(h2 * (1 + r2[t]))
		h3 = float64(h3 * (1 + r3[t]))
		sum[t] += (h0 + h1) + (h2 + h3)
	}
	return h0, h1, h2, h3
}

package drift

// plain is what Run gives, in Go alone. Members go four at a time: their chains
// of products are independent, so the processor works on them side by side.
func (p *Panel) plain(sum, hold []float64, members []int, from int) {
	to := from + len(sum)
	for ; len(members) >= 4; members = members[4:] {
		i, j, k, l := members[0], members[1], members[2], members[3]
		hold[i], hold[j], hold[k], hold[l] = four(sum,
			p.columns[i][from:to], p.columns[j][from:to], p.columns[k][from:to], p.columns[l][from:to],
			hold[i], hold[j], hold[k], hold[l])
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

package harness

const (
	descentSteps = 20000
	converged    = 1e-12
)

// descend minimises w'Mw/2 + l'w within bounds by pairwise coordinate descent:
// weight goes from the member with the highest gradient that can give any to the
// one with the lowest that can take it, as far as is best. Each step is exact, so
// the path is the same everywhere; it ends when no exchange gains more than 1e-12
// of the scale of M.
func descend(m *Matrix, linear []float64, b bounds) []float64 {
	if len(m.symbols) == 0 {
		return nil
	}
	w := b.start()
	var scale float64
	for i := range w {
		scale = max(scale, m.row(i)[i])
	}
	gradient := m.multiply(w)
	for i := range gradient {
		gradient[i] += linear[i]
	}
	for range descentSteps {
		from, to := b.pair(w, gradient)
		if from < 0 || to < 0 {
			break
		}
		gap := gradient[from] - gradient[to]
		if gap <= converged*scale {
			break
		}
		giving, taking := m.row(from), m.row(to)
		move := min(w[from]-b.lower[from], b.upper[to]-w[to])
		if curve := giving[from] + taking[to] - 2*giving[to]; curve > 0 {
			move = min(move, gap/curve)
		}
		if w[to] += move; b.upper[to]-w[to] < atBound {
			w[to] = b.upper[to]
		}
		if w[from] -= move; w[from]-b.lower[from] < atBound {
			w[from] = b.lower[from]
		}
		for i := range gradient {
			gradient[i] += float64(move * (taking[i] - giving[i]))
		}
	}
	return w
}

// pair finds the member with the highest gradient among those above their lower
// bound and the one with the lowest among those below their upper; −1 for none.
func (b bounds) pair(w, gradient []float64) (from, to int) {
	from, to = -1, -1
	for i, g := range gradient {
		if w[i] > b.lower[i] && (from < 0 || g > gradient[from]) {
			from = i
		}
		if w[i] < b.upper[i] && (to < 0 || g < gradient[to]) {
			to = i
		}
	}
	return from, to
}

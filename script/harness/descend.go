package harness

const (
	descentSteps = 20000
	converged    = 1e-12
)

// descend minimises w'Mw/2 + l'w within bounds by pairwise coordinate descent. Each
// step moves weight from the member with the highest gradient above its lower
// bound to the member with the lowest gradient below its upper bound, as far as is
// optimal. Each step is computed in closed form, so the path is the same on every
// machine. It ends when the gradients of the pair differ by at most 1e-12 times
// the largest diagonal element of M.
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
// bound, and the one with the lowest gradient among those below their upper bound;
// −1 if there is none.
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

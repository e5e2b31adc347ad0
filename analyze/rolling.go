package analyze

import "math"

// Rolling are loadings over windows, by the row that ends each window.
type Rolling struct {
	Last     []int       // the row that ends the window
	Alpha    []float64   // a fraction per row
	Loadings [][]float64 // by factor, then window
	RSquared []float64
}

// RollingRegression regresses y on x over each window of complete rows. Rows with a
// missing value are in no window. All figures of a window are NaN if its y or a factor
// is constant in it, or if its factors are collinear. The result is empty for fewer than
// window rows. It returns a *DataError if the window is shorter than factors + 2.
//
// The sums of a window are added from the suffix of one block of rows and the prefix of
// the next (van Herk 1992), never subtracted, so they depend on the window's rows alone.
func RollingRegression(y Column, x []Column, window int) (*Rolling, error) {
	k := len(x)
	switch {
	case k == 0:
		return nil, failed("", "a regression needs at least one factor")
	case window < k+2:
		return nil, failed("", "the window is %d rows; a regression on %d factors needs at least %d", window, k, k+2)
	}
	all := append(append([]Column(nil), x...), y)
	rows, kept, err := complete(all)
	if err != nil {
		return nil, err
	}
	out := &Rolling{Loadings: make([][]float64, k)}
	n := len(kept)
	if n < window {
		return out, nil
	}
	// Products of centred values lose no digits to the mean. Each window removes the
	// small mean that it still has.
	means := make([]float64, k+1)
	norms := make([]float64, k+1)
	for j := range rows {
		means[j], norms[j] = center(rows[j].Values)
	}
	s := newWindows(rows, window)
	g := newGram(k+1, window)
	for end := window - 1; end < n; end++ {
		sums := s.at(end)
		alpha, fit := missing, missing
		if g.solve(sums) {
			alpha, fit = means[k]+norms[k]*g.mean[k], g.fit
			for j := range k {
				loading := g.loadings[j] * norms[k] / norms[j]
				out.Loadings[j] = append(out.Loadings[j], loading)
				alpha -= loading * (means[j] + norms[j]*g.mean[j])
			}
		} else {
			for j := range k {
				out.Loadings[j] = append(out.Loadings[j], missing)
			}
		}
		out.Last = append(out.Last, kept[end])
		out.Alpha = append(out.Alpha, alpha)
		out.RSquared = append(out.RSquared, fit)
	}
	return out, nil
}

// windows are the sums of values and of products over windows of rows.
type windows struct {
	columns []Column
	size    int
	terms   int         // sums of one window: values, then products i ≤ j
	suffix  [][]float64 // of the block that the window begins in, by its first row
	prefix  []float64   // of the block that the window ends in
	out     []float64
	row     []float64
}

func newWindows(columns []Column, size int) *windows {
	k := len(columns)
	w := &windows{columns: columns, size: size, terms: k + k*(k+1)/2}
	w.prefix, w.out, w.row = make([]float64, w.terms), make([]float64, w.terms), make([]float64, w.terms)
	w.suffix = make([][]float64, size+1)
	for i := range w.suffix {
		w.suffix[i] = make([]float64, w.terms)
	}
	w.fill(0)
	return w
}

// products writes the terms of one row.
func (w *windows) products(row int) []float64 {
	at := len(w.columns)
	for i, c := range w.columns {
		v := c.Values[row]
		w.row[i] = v
		for _, other := range w.columns[i:] {
			w.row[at] = v * other.Values[row]
			at++
		}
	}
	return w.row
}

// fill computes the suffixes of the block of rows that begins at first.
func (w *windows) fill(first int) {
	for i := w.size - 1; i >= 0; i-- {
		for t, v := range w.products(first + i) {
			w.suffix[i][t] = w.suffix[i+1][t] + v
		}
	}
	clear(w.prefix)
}

// at returns the sums of the window that ends with row end. It is called for each end in
// turn, from size − 1 on. The next call overwrites them.
func (w *windows) at(end int) []float64 {
	into := (end + 1) % w.size // rows of the block after the one in which the window begins
	if into == 0 {
		if end >= w.size {
			w.fill(end + 1 - w.size)
		}
		copy(w.out, w.suffix[0])
		return w.out
	}
	for t, v := range w.products(end) {
		w.prefix[t] += v
		w.out[t] = w.suffix[into][t] + w.prefix[t]
	}
	return w.out
}

// gram solves the normal equations of one window by Cholesky's decomposition.
type gram struct {
	k, n     int // columns, the target last; rows
	mean     []float64
	matrix   []float64 // k×k
	loadings []float64
	fit      float64 // R²
}

func newGram(k, n int) *gram {
	return &gram{k: k, n: n, mean: make([]float64, k), matrix: make([]float64, k*k), loadings: make([]float64, k-1)}
}

// Limits below which a window's variance is rounding: as a fraction of the sum of
// squares, and what collinear factors leave of a factor's variance.
const (
	flatWindow      = 1e-12
	collinearWindow = 1e-10
)

// solve reports whether the window has a solution.
func (g *gram) solve(sums []float64) bool {
	k, n := g.k, float64(g.n)
	for i := range k {
		g.mean[i] = sums[i] / n
	}
	at := k
	for i := range k {
		for j := i; j < k; j++ {
			g.matrix[j*k+i] = sums[at] - n*g.mean[i]*g.mean[j]
			if i == j && !(g.matrix[i*k+i] > flatWindow*sums[at]) {
				return false
			}
			at++
		}
	}
	total := g.matrix[k*k-1]
	// The target is the last row of the decomposition: its entries are the projections
	// on the factors, and its last pivot is what they leave unexplained.
	for j := range k - 1 {
		variance := g.matrix[j*k+j]
		pivot := variance
		for m := range j {
			pivot -= g.matrix[j*k+m] * g.matrix[j*k+m]
		}
		if pivot <= collinearWindow*variance {
			return false
		}
		pivot = math.Sqrt(pivot)
		g.matrix[j*k+j] = pivot
		for i := j + 1; i < k; i++ {
			v := g.matrix[i*k+j]
			for m := range j {
				v -= g.matrix[i*k+m] * g.matrix[j*k+m]
			}
			g.matrix[i*k+j] = v / pivot
		}
	}
	explained := 0.0
	last := g.matrix[(k-1)*k : k*k-1]
	for j := k - 2; j >= 0; j-- {
		explained += last[j] * last[j]
		v := last[j]
		for m := j + 1; m < k-1; m++ {
			v -= g.matrix[m*k+j] * g.loadings[m]
		}
		g.loadings[j] = v / g.matrix[j*k+j]
	}
	g.fit = min(1, explained/total)
	return true
}

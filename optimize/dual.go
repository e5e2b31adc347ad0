package optimize

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// errNotConvex is the error for a matrix that is not positive semidefinite.
var errNotConvex = errors.New("the matrix is not positive semidefinite, so it is not a covariance")

const (
	// broken is by how much a limit may be broken before it counts.
	broken = 1e-13
	// rounding is by how much a limit that follows from active ones may be broken.
	rounding = 1e-9
	// noise is a coefficient that rounding alone may leave.
	noise = 1e-10
	// parallel is how short the part of a normal outside the span of the active ones is,
	// relative to the normal, when the two count as dependent.
	parallel = 1e-8
)

// dual is the state of the dual active-set method of Goldfarb and Idnani (1983). It
// begins at the minimum without limits and adds broken ones, one at a time; the
// multipliers never have the wrong sign. Bounds are unit vectors, of which a product
// with J is one row of J.
type dual struct {
	n      int
	rows   []Row
	lower  []float64
	upper  []float64
	x      []float64
	j      [][]float64 // J: J'GJ = I, one row per weight
	r      [][]float64 // R, upper triangular, one column per active limit
	active []Limit
	u      []float64 // multipliers of the active limits, along their normals
	sign   []float64 // 1 or −1: which way each normal points
	held   []int8    // per weight: −1 at its lower bound, 1 at its upper, 0 free, 2 implied
	on     []int8    // the same per row

	d, z, step []float64
}

// newDual returns the state at the minimum of x'Gx/2 + l'x.
func newDual(g *mat.SymDense, linear, lower, upper []float64, rows []Row) (*dual, bool) {
	n := len(lower)
	var factor mat.Cholesky
	if !factor.Factorize(g) {
		return nil, false
	}
	var u, inverse mat.TriDense
	factor.UTo(&u)
	for i := range n {
		if p := u.At(i, i); p*p < leastPivot*g.At(i, i) {
			return nil, false
		}
	}
	if inverse.InverseTri(&u) != nil && !finite(inverse.RawTriangular().Data) {
		return nil, false
	}
	raw := inverse.RawTriangular()
	s := &dual{
		n: n, rows: rows, lower: lower, upper: upper, x: make([]float64, n),
		j: make([][]float64, n), held: make([]int8, n), on: make([]int8, len(rows)),
		d: make([]float64, n), z: make([]float64, n),
	}
	values := make([]float64, n*n)
	for i := range s.j {
		s.j[i] = values[i*n : (i+1)*n]
		copy(s.j[i][i:], raw.Data[i*raw.Stride+i:i*raw.Stride+n])
		floats.AddScaled(s.d, linear[i], s.j[i])
	}
	for i, row := range s.j {
		s.x[i] = -floats.Dot(row, s.d)
	}
	return s, true
}

func finite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// run adds limits until none is broken.
func (s *dual) run() error {
	for r, row := range s.rows {
		if row.Min == row.Max {
			gap := row.Of(s.x) - row.Min
			if err := s.add(Limit{Row: r, Upper: gap > 0}, math.Abs(gap)); err != nil {
				return err
			}
		}
	}
	fresh := false
	for range 100 * (s.n + len(s.rows) + 1) {
		l, gap := s.worst()
		if gap == 0 {
			if fresh {
				return nil
			}
			s.refresh()
			fresh = true
			continue
		}
		fresh = false
		if err := s.add(l, gap); err != nil {
			return err
		}
	}
	return errors.New("the limits keep being exchanged without an end")
}

// worst returns the limit that is broken most, relative to the length of its normal,
// and by how much.
func (s *dual) worst() (worst Limit, gap float64) {
	most := broken
	see := func(l Limit, by, norm float64) {
		if by > most*norm {
			most, worst, gap = by/norm, l, by
		}
	}
	for i, x := range s.x {
		if s.held[i] == 0 {
			see(Limit{Row: -1, Weight: i}, s.lower[i]-x, 1)
			see(Limit{Row: -1, Weight: i, Upper: true}, x-s.upper[i], 1)
		}
	}
	for r, row := range s.rows {
		if s.on[r] == 0 {
			v, norm := row.Of(s.x), row.norm()
			see(Limit{Row: r}, row.Min-v, norm)
			see(Limit{Row: r, Upper: true}, v-row.Max, norm)
		}
	}
	return worst, gap
}

// add makes a broken limit active, and drops those that would get a multiplier of the
// wrong sign on the way.
func (s *dual) add(l Limit, gap float64) error {
	var multiplier float64
	sign := 1.0
	if l.Upper {
		sign = -1
	}
	for {
		q := len(s.active)
		s.normal(l, sign)
		outside := floats.Norm(s.d[q:], 2)
		dependent := outside <= parallel*floats.Norm(s.d, 2)
		s.step = s.back(s.step, s.d[:q])
		t, drop := math.Inf(1), -1
		for k, v := range s.step {
			if v > noise && !s.equation(s.active[k]) {
				if reach := s.u[k] / v; reach < t {
					t, drop = reach, k
				}
			}
		}
		full := math.Inf(1)
		if !dependent {
			full = gap / (outside * outside)
		}
		switch {
		case dependent && gap <= rounding:
			s.implied(l) // it follows from the others but for rounding
			return nil
		case dependent && drop < 0:
			s.refresh()
			if gap = s.gap(l); gap > rounding {
				return s.clash(l)
			}
			continue
		}
		if dependent {
			s.move(t, nil)
			multiplier += t
			s.drop(drop)
			continue
		}
		z := s.z
		for i, row := range s.j {
			z[i] = floats.Dot(row[q:], s.d[q:])
		}
		if full <= t {
			s.move(full, z)
			s.u = append(s.u, multiplier+full)
			s.push(l, sign, outside)
			return nil
		}
		s.move(t, z)
		multiplier += t
		gap -= t * outside * outside
		s.drop(drop)
	}
}

func (s *dual) equation(l Limit) bool {
	return l.Row >= 0 && s.rows[l.Row].Min == s.rows[l.Row].Max
}

// normal sets d to J'n for the normal n of a limit.
func (s *dual) normal(l Limit, sign float64) {
	if l.Row < 0 {
		floats.ScaleTo(s.d, sign, s.j[l.Weight])
		return
	}
	clear(s.d)
	row := s.rows[l.Row]
	for k, i := range row.Members {
		floats.AddScaled(s.d, sign*row.coefficient(k), s.j[i])
	}
}

// back solves R·out = v.
func (s *dual) back(out, v []float64) []float64 {
	out = append(out[:0], v...)
	for k := len(out) - 1; k >= 0; k-- {
		out[k] /= s.r[k][k]
		floats.AddScaled(out[:k], -out[k], s.r[k][:k])
	}
	return out
}

// move changes the multipliers by t along step and the weights by t along z.
func (s *dual) move(t float64, z []float64) {
	floats.AddScaled(s.u, -t, s.step)
	if z == nil {
		return
	}
	for i, v := range z {
		if s.held[i] == 0 || s.held[i] == 2 { // others stay where they are held, without rounding
			s.x[i] += float64(t * v)
		}
	}
}

// push appends the limit whose normal is in d. A reflection of the columns of J beyond
// the active ones leaves only the first of them with a part of the normal; z is J·d
// beyond the active ones.
func (s *dual) push(l Limit, sign, outside float64) {
	q := len(s.active)
	column := append(make([]float64, 0, q+1), s.d[:q]...)
	first := outside
	if s.d[q] > 0 {
		first = -outside
	}
	v := s.d[q:]
	v[0] -= first
	if length := floats.Dot(v, v); length > 0 {
		for i, row := range s.j {
			along := s.z[i] - first*row[q] // J·v
			floats.AddScaled(row[q:], -2*along/length, v)
		}
	}
	s.r = append(s.r, append(column, first))
	s.active, s.sign = append(s.active, l), append(s.sign, sign)
	s.mark(l, true)
	switch {
	case l.Row < 0 && l.Upper:
		s.x[l.Weight] = s.upper[l.Weight]
	case l.Row < 0:
		s.x[l.Weight] = s.lower[l.Weight]
	}
}

func (s *dual) mark(l Limit, active bool) {
	var state int8
	switch {
	case active && l.Upper:
		state = 1
	case active:
		state = -1
	}
	if l.Row < 0 {
		s.held[l.Weight] = state
	} else {
		s.on[l.Row] = state
	}
}

// implied leaves a limit out from now on.
func (s *dual) implied(l Limit) {
	if l.Row < 0 {
		s.held[l.Weight] = 2
	} else {
		s.on[l.Row] = 2
	}
}

// gap returns by how much a limit is broken.
func (s *dual) gap(l Limit) float64 {
	switch {
	case l.Row < 0 && l.Upper:
		return s.x[l.Weight] - s.upper[l.Weight]
	case l.Row < 0:
		return s.lower[l.Weight] - s.x[l.Weight]
	case l.Upper:
		return s.rows[l.Row].Of(s.x) - s.rows[l.Row].Max
	}
	return s.rows[l.Row].Min - s.rows[l.Row].Of(s.x)
}

// refresh moves the weights back to the active limits, from which rounding has taken
// them.
func (s *dual) refresh() {
	y := make([]float64, len(s.active))
	for k, l := range s.active {
		y[k] = s.gap(l)
		for c, v := range s.r[k][:k] {
			y[k] -= float64(v * y[c])
		}
		y[k] /= s.r[k][k]
	}
	for i, row := range s.j {
		if s.held[i] == 0 || s.held[i] == 2 {
			s.x[i] += floats.Dot(row[:len(y)], y)
		}
	}
}

// drop removes the k-th active limit, and makes R triangular again by rotations.
func (s *dual) drop(k int) {
	s.mark(s.active[k], false)
	s.active = append(s.active[:k], s.active[k+1:]...)
	s.sign = append(s.sign[:k], s.sign[k+1:]...)
	s.u = append(s.u[:k], s.u[k+1:]...)
	s.r = append(s.r[:k], s.r[k+1:]...)
	for c := k; c < len(s.r); c++ {
		a, b := s.r[c][c], s.r[c][c+1]
		length := math.Hypot(a, b)
		cos, sin := a/length, b/length
		for later := c; later < len(s.r); later++ {
			column := s.r[later]
			column[c], column[c+1] = cos*column[c]+sin*column[c+1], cos*column[c+1]-sin*column[c]
		}
		s.r[c] = s.r[c][:c+1]
		for _, row := range s.j {
			row[c], row[c+1] = cos*row[c]+sin*row[c+1], cos*row[c+1]-sin*row[c]
		}
	}
}

// clash returns the limits that contradict l: those in the only combination of active
// normals that gives the normal of l. The active normals are independent, so without
// any one of these the rest can be satisfied.
func (s *dual) clash(l Limit) error {
	limits := []Limit{l}
	for k, v := range s.step {
		if math.Abs(v) > noise {
			limits = append(limits, s.active[k])
		}
	}
	return &Clash{limits}
}

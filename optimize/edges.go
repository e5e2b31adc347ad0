package optimize

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// crossed is how far a scenario must be beyond α to count there, for returns with a mean
// square of 1.
const crossed = 1e-12

// plane is a plane of the space of the variables and α: a scenario at α, a variable at a
// bound, or a row at a limit. A variable may also be fixed where it began.
type plane struct {
	kind  planeKind
	index int // of the scenario, variable or row
	limit float64
}

type planeKind int8

const (
	scenarioPlane planeKind = iota
	lowerPlane
	upperPlane
	atLeastPlane // a row at its Min
	atMostPlane
	equalPlane
	beginningPlane
)

// edges is a point in which as many planes meet as there are variables, and the edges that
// leave it.
type edges struct {
	limits  Problem
	tail    Tail
	returns blas64.General // one row per scenario, scaled
	level   float64        // of the returns
	ceiling float64

	weightOf []int     // of each variable
	signOf   []float64 // 1, or −1 for what is sold
	base     []float64 // the weights at which all variables are 0
	lower    []float64 // of the variables
	upper    []float64
	rows     []Row // over the variables
	own      int   // how many of the rows are the problem's

	at       []float64 // the variables and, last, α
	residual []float64 // loss − α of each scenario
	in       []bool    // per scenario: it counts in the tail
	met      []plane
	edge     [][]float64 // along edge k all planes but the k-th stay met
	normals  [][]float64 // of the planes
	isMet    map[plane]bool
	gradient []float64
	rate     []float64 // of each scenario's residual along the edge
	chance   *rand.Rand
}

// newEdges begins at the weights of a solution.
func newEdges(p Problem, tail Tail, start Solution) *edges {
	n, bars := len(p.Lower), len(tail.Returns[0])
	e := &edges{
		limits: p, tail: tail, ceiling: tail.ceiling(), base: make([]float64, n), own: len(p.Rows),
		returns:  blas64.General{Rows: bars, Cols: n, Stride: n, Data: make([]float64, n*bars)},
		residual: make([]float64, bars), in: make([]bool, bars), rate: make([]float64, bars),
		isMet: make(map[plane]bool), chance: rand.New(rand.NewPCG(uint64(n), uint64(bars))),
	}
	for _, column := range tail.Returns {
		e.level += floats.Dot(column, column)
	}
	if e.level = math.Sqrt(e.level / float64(n*bars)); e.level == 0 {
		e.level = 1
	}
	for i, column := range tail.Returns {
		for t, v := range column {
			e.returns.Data[t*n+i] = v / e.level
		}
	}
	e.variables(p, start.Weights)
	e.begin()
	return e
}

// variables sets the variables: the weights or, if turnover is limited, what is bought
// and sold of each.
func (e *edges) variables(p Problem, w []float64) {
	add := func(i int, sign, low, high, at float64) {
		e.weightOf, e.signOf = append(e.weightOf, i), append(e.signOf, sign)
		e.lower, e.upper, e.at = append(e.lower, low), append(e.upper, high), append(e.at, at)
	}
	for i := range w {
		if p.Turnover == nil {
			add(i, 1, p.Lower[i], p.Upper[i], w[i])
			continue
		}
		base := min(max(p.Turnover.Current[i], p.Lower[i]), p.Upper[i])
		e.base[i] = base
		add(i, 1, 0, p.Upper[i]-base, max(0, w[i]-base))
		add(i, -1, 0, base-p.Lower[i], max(0, base-w[i]))
	}
	places := make([][]int, len(w))
	for j, i := range e.weightOf {
		places[i] = append(places[i], j)
	}
	for _, row := range p.Rows {
		fixed := row.Of(e.base)
		own := Row{Min: row.Min - fixed, Max: row.Max - fixed}
		for k, i := range row.Members {
			for _, j := range places[i] {
				own.Members = append(own.Members, j)
				own.Coefficients = append(own.Coefficients, row.coefficient(k)*e.signOf[j])
			}
		}
		e.rows = append(e.rows, own)
	}
	if p.Turnover != nil {
		row := Total(len(e.at), p.Turnover.Max-floats.Distance(e.base, p.Turnover.Current, 1))
		row.Min = math.Inf(-1)
		e.rows = append(e.rows, row)
	}
}

// begin finds planes that meet at the start: all variables fixed where they are, then the
// limits that hold there instead, and one scenario at the beginning of the tail.
func (e *edges) begin() {
	m := len(e.at) + 1
	e.at = append(e.at, 0)
	e.gradient = make([]float64, m)
	e.edge, e.normals = make([][]float64, m), make([][]float64, m)
	for k := range m {
		e.edge[k] = make([]float64, m)
		e.edge[k][k] = 1
		e.met = append(e.met, plane{beginningPlane, k, e.at[k]})
		e.normals[k] = e.normal(e.met[k])
	}
	for j := range m - 1 {
		switch e.at[j] {
		case e.lower[j]:
			e.met[j] = plane{lowerPlane, j, e.lower[j]}
		case e.upper[j]:
			e.met[j] = plane{upperPlane, j, e.upper[j]}
		default:
			continue
		}
		e.isMet[e.met[j]] = true
	}
	for r, row := range e.rows {
		switch v := row.Of(e.at); {
		case row.Min == row.Max:
			e.meetFirst(plane{equalPlane, r, row.Min})
		case v <= row.Min+rounding:
			e.meetFirst(plane{atLeastPlane, r, row.Min})
		case v >= row.Max-rounding:
			e.meetFirst(plane{atMostPlane, r, row.Max})
		}
	}
	e.losses()
	order := make([]int, len(e.residual))
	for t := range order {
		order[t] = t
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.residual[b], e.residual[a]) })
	size := e.tail.Share * float64(len(order))
	first := min(int(math.Ceil(size*(1-1e-12))), len(order)) - 1
	for _, t := range order[:first] {
		e.in[t] = true
	}
	e.at[m-1] = e.residual[order[first]]
	e.exchange(m-1, plane{scenarioPlane, order[first], 0})
	e.refresh()
}

// meetFirst exchanges the variable that is fixed where it began, and that the plane
// depends on most, for the plane. If there is none, the plane follows from others.
func (e *edges) meetFirst(p plane) {
	normal := e.normal(p)
	best, at := 1e-8*floats.Norm(normal, 2), -1
	for k, own := range e.met[:len(e.met)-1] {
		if v := math.Abs(floats.Dot(normal, e.edge[k])); own.kind == beginningPlane && v > best {
			best, at = v, k
		}
	}
	if at >= 0 {
		e.exchange(at, p)
	}
}

// normal returns the normal of a plane. It points to losses above α, and to larger values.
func (e *edges) normal(p plane) []float64 {
	out := make([]float64, len(e.at))
	switch p.kind {
	case scenarioPlane:
		e.addScenario(out, 1, p.index)
	case atLeastPlane, atMostPlane, equalPlane:
		row := e.rows[p.index]
		for k, j := range row.Members {
			out[j] = row.coefficient(k)
		}
	default:
		out[p.index] = 1
	}
	return out
}

// addScenario adds c times the gradient of a scenario's loss − α.
func (e *edges) addScenario(out []float64, c float64, t int) {
	x := e.returns.Data[t*e.returns.Stride:]
	for j, i := range e.weightOf {
		out[j] -= float64(c * e.signOf[j] * x[i])
	}
	out[len(out)-1] -= c
}

// weights returns the weights that the variables mean.
func (e *edges) weights(at, base []float64) []float64 {
	w := slices.Clone(base)
	for j, i := range e.weightOf {
		w[i] += float64(e.signOf[j] * at[j])
	}
	return w
}

// losses computes loss − α of all scenarios.
func (e *edges) losses() {
	alpha := e.at[len(e.at)-1]
	for t := range e.residual {
		e.residual[t] = -alpha
	}
	w := blas64.Vector{N: len(e.base), Inc: 1, Data: e.weights(e.at, e.base)}
	blas64.Gemv(blas.NoTrans, -1, e.returns, w, 1, blas64.Vector{N: len(e.residual), Inc: 1, Data: e.residual})
}

// exchange replaces the k-th plane.
func (e *edges) exchange(k int, p plane) {
	delete(e.isMet, e.met[k])
	e.met[k], e.normals[k], e.isMet[p] = p, e.normal(p), true
	own := e.edge[k]
	floats.Scale(1/floats.Dot(e.normals[k], own), own)
	for j, other := range e.edge {
		if j != k {
			floats.AddScaled(other, -floats.Dot(e.normals[k], other), own)
		}
	}
}

// refresh computes the edges, the point, the losses and the gradient anew from the planes.
func (e *edges) refresh() {
	m := len(e.at)
	normals := mat.NewDense(m, m, nil)
	right := mat.NewVecDense(m, nil)
	for k, p := range e.met {
		normals.SetRow(k, e.normals[k])
		right.SetVec(k, p.limit)
		if p.kind == scenarioPlane { // −x'(base + y) − α = 0
			right.SetVec(k, floats.Dot(e.base, e.returns.Data[p.index*e.returns.Stride:p.index*e.returns.Stride+len(e.base)]))
		}
	}
	var inverse mat.Dense
	if inverse.Inverse(normals); finite(inverse.RawMatrix().Data) { //nolint:errcheck // a large condition is no reason to keep the old edges
		for k := range e.edge {
			mat.Col(e.edge[k], k, &inverse)
		}
		var at, miss, step mat.VecDense
		at.MulVec(&inverse, right)
		miss.MulVec(normals, &at)
		miss.SubVec(right, &miss)
		step.MulVec(&inverse, &miss)
		at.AddVec(&at, &step)
		copy(e.at, at.RawVector().Data)
		for _, p := range e.met {
			if p.kind == lowerPlane || p.kind == upperPlane {
				e.at[p.index] = p.limit
			}
		}
	}
	e.losses()
	for t, v := range e.residual {
		// Rounding, and what was too slow to be seen as crossing α.
		if math.Abs(v) > crossed && !e.isMet[plane{scenarioPlane, t, 0}] {
			e.in[t] = v > 0
		}
	}
	clear(e.gradient)
	e.gradient[m-1] = 1
	for t, in := range e.in {
		if in {
			e.addScenario(e.gradient, e.ceiling, t)
		}
	}
}

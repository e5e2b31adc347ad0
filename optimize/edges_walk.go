package optimize

import (
	"container/heap"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

const (
	// downhill is the slope, for returns with a mean square of 1, from which an edge
	// leads down.
	downhill = 1e-12
	// parallelEdge is the rate at which a plane is approached, relative to the length of
	// the edge, that rounding alone may leave.
	parallelEdge = 1e-10
	// afresh is after how many steps the edges are computed anew.
	afresh = 50
)

// run moves along edges until none leads down.
func (e *edges) run() error {
	fresh, still := true, 0
	for step := 1; step < 200*(len(e.at)+20); step++ {
		k, up := e.steepest(still > 2*len(e.at))
		if k < 0 {
			if fresh {
				return nil
			}
			e.refresh()
			fresh = true
			continue
		}
		moved, ok := e.move(k, up)
		if !ok {
			return errShortfallLong
		}
		if still++; moved > 1e-14 {
			still = 0
		}
		if fresh = step%afresh == 0; fresh {
			e.refresh()
		}
	}
	return errShortfallLong
}

// steepest returns the edge along which the objective falls most, and which way. At a
// point where many planes meet, steps of no length could go round in circles; then any
// edge that leads down may be taken.
func (e *edges) steepest(arbitrary bool) (edge int, up bool) {
	worst, edge := downhill, -1
	seen := 0
	see := func(k int, rate float64, way bool) {
		length := floats.Norm(e.edge[k], 2)
		fall := -rate / length
		if fall <= downhill {
			return
		}
		if arbitrary {
			if seen++; e.chance.IntN(seen) == 0 {
				edge, up = k, way
			}
		} else if fall > worst {
			worst, edge, up = fall, k, way
		}
	}
	for k, p := range e.met {
		u := floats.Dot(e.gradient, e.edge[k])
		switch p.kind {
		case scenarioPlane:
			see(k, u+e.ceiling, true)
			see(k, -u, false)
		case lowerPlane, atLeastPlane:
			if p.kind == atLeastPlane || e.lower[p.index] < e.upper[p.index] {
				see(k, u, true)
			}
		case upperPlane, atMostPlane:
			if p.kind == atMostPlane || e.lower[p.index] < e.upper[p.index] {
				see(k, -u, false)
			}
		case beginningPlane:
			see(k, u, true)
			see(k, -u, false)
		}
	}
	return edge, up
}

// kink is where an edge crosses a plane.
type kink struct {
	after float64
	plane plane
	bends float64 // by how much the slope rises
}

type kinks []kink

func (s kinks) Len() int           { return len(s) }
func (s kinks) Less(i, j int) bool { return s[i].after < s[j].after }
func (s kinks) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *kinks) Push(any)          {}
func (s *kinks) Pop() any          { *s = (*s)[:len(*s)-1]; return nil }

// move goes along an edge to the lowest point on it, and makes the plane there one of
// those that meet.
func (e *edges) move(k int, up bool) (after float64, ok bool) {
	along := slices.Clone(e.edge[k])
	if !up {
		floats.Scale(-1, along)
	}
	slope := floats.Dot(e.gradient, along)
	leaving := e.met[k]
	if leaving.kind == scenarioPlane && up {
		slope += e.ceiling
	}
	ahead := e.ahead(along)
	if leaving.kind == scenarioPlane {
		e.rate[leaving.index] = floats.Dot(e.normals[k], along)
	}
	heap.Init(&ahead)
	level := -downhill * floats.Norm(along, 2)
	var reached plane
	var passed []int
	for {
		if len(ahead) == 0 {
			return 0, false
		}
		next := ahead[0]
		if slope += next.bends; slope >= level {
			after, reached = next.after, next.plane
			break
		}
		passed = append(passed, next.plane.index)
		heap.Pop(&ahead)
	}
	for _, t := range passed {
		e.cross(t, !e.in[t])
	}
	if reached.kind == scenarioPlane && e.in[reached.index] {
		e.cross(reached.index, false)
	}
	if leaving.kind == scenarioPlane && up {
		e.cross(leaving.index, true)
	}
	floats.AddScaled(e.at, after, along)
	floats.AddScaled(e.residual, after, e.rate)
	switch reached.kind {
	case scenarioPlane:
		e.residual[reached.index] = 0
	case lowerPlane, upperPlane:
		e.at[reached.index] = reached.limit
	}
	e.exchange(k, reached)
	return after, true
}

// cross puts a scenario into the tail or takes it out.
func (e *edges) cross(t int, in bool) {
	e.in[t] = in
	c := e.ceiling
	if !in {
		c = -c
	}
	e.addScenario(e.gradient, c, t)
}

// ahead returns the kinks on an edge.
func (e *edges) ahead(along []float64) kinks {
	small := parallelEdge * floats.Norm(along, 2)
	var out kinks
	last := math.Inf(1) // a limit
	wall := func(p plane, distance, rate float64) {
		if rate > small && !e.isMet[p] {
			if after := max(0, distance) / rate; after < last {
				last = after
				out = append(out[:0], kink{after, p, math.Inf(1)})
			}
		}
	}
	for j, v := range e.at[:len(e.at)-1] {
		wall(plane{lowerPlane, j, e.lower[j]}, v-e.lower[j], -along[j])
		wall(plane{upperPlane, j, e.upper[j]}, e.upper[j]-v, along[j])
	}
	for r, row := range e.rows {
		v, rate := row.Of(e.at), row.Of(along)
		if row.Min == row.Max {
			wall(plane{equalPlane, r, row.Min}, 0, math.Abs(rate)) // it follows from others so far
			continue
		}
		wall(plane{atLeastPlane, r, row.Min}, v-row.Min, -rate)
		wall(plane{atMostPlane, r, row.Max}, row.Max-v, rate)
	}
	alpha := along[len(along)-1]
	for t := range e.rate {
		e.rate[t] = -alpha
	}
	d := blas64.Vector{N: len(e.base), Inc: 1, Data: e.weights(along, make([]float64, len(e.base)))}
	blas64.Gemv(blas.NoTrans, -1, e.returns, d, 1, blas64.Vector{N: len(e.rate), Inc: 1, Data: e.rate})
	for _, p := range e.met {
		if p.kind == scenarioPlane {
			e.rate[p.index] = 0
		}
	}
	for t, rate := range e.rate {
		gap := e.residual[t]
		if e.in[t] {
			rate = -rate
		} else {
			gap = -gap
		}
		if rate > small {
			if after := max(0, gap) / rate; after <= last {
				out = append(out, kink{after, plane{scenarioPlane, t, 0}, e.ceiling * rate})
			}
		}
	}
	return out
}

// solution returns the weights and the multipliers.
func (e *edges) solution() ShortfallSolution {
	s := ShortfallSolution{Scenarios: make([]float64, len(e.in)), Rows: make([]float64, e.own)}
	for t, in := range e.in {
		if in {
			s.Scenarios[t] = e.ceiling
		}
	}
	for k, p := range e.met {
		u := floats.Dot(e.gradient, e.edge[k])
		switch p.kind {
		case scenarioPlane:
			s.Scenarios[p.index] = min(max(-u, 0), e.ceiling)
		case atLeastPlane:
			s.Rows[p.index] = max(0, u) * e.level
		case equalPlane:
			s.Rows[p.index] = u * e.level
		case atMostPlane:
			if p.index < e.own {
				s.Rows[p.index] = min(0, u) * e.level
			} else {
				s.Traded = max(0, -u) * e.level
			}
		}
	}
	s.Weights = e.weights(e.at, e.base)
	for i, w := range s.Weights {
		s.Weights[i] = min(max(w, e.limits.Lower[i]), e.limits.Upper[i])
	}
	return s
}

package optimize

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// HierarchicalParity returns the weights of hierarchical risk parity (López de Prado
// 2016) within bounds, which add up to total. Members are ordered by single linkage of
// their distances √((1 − ρ)/2), and the weight is split between the halves of that order,
// again and again, in inverse proportion to the variances of the halves. A split gives no
// half more or less than its bounds allow (Pfitzinger and Katzke 2019). Every variance
// must be above 0. The leaves are not reordered, so the order is that of the tree, the
// part with the earlier members or clusters first. It takes time in proportion to n².
func HierarchicalParity(covariance *mat.SymDense, lower, upper []float64, total float64) ([]float64, error) {
	n := len(lower)
	if n == 0 {
		return nil, nil
	}
	if floats.Sum(lower) > total+rounding || floats.Sum(upper) < total-rounding {
		return nil, boundsClash(lower, total)
	}
	h := hierarchy{covariance: covariance, lower: lower, upper: upper, weights: make([]float64, n)}
	h.split(linked(covariance), total)
	return h.weights, nil
}

// boundsClash is the clash of bounds with a total that they cannot reach.
func boundsClash(lower []float64, total float64) *Clash {
	c := &Clash{[]Limit{{Row: 0}}}
	above := floats.Sum(lower) > total
	for i := range lower {
		c.Limits = append(c.Limits, Limit{Row: -1, Weight: i, Upper: !above})
	}
	return c
}

type hierarchy struct {
	covariance   *mat.SymDense
	lower, upper []float64
	weights      []float64
}

// split divides total among members.
func (h *hierarchy) split(members []int, total float64) {
	if len(members) == 1 {
		h.weights[members[0]] = min(max(total, h.lower[members[0]]), h.upper[members[0]])
		return
	}
	left, right := members[:len(members)/2], members[len(members)/2:]
	a, b := h.risk(left), h.risk(right)
	share := total * (1 - a/(a+b))
	least, most := h.room(left)
	otherLeast, otherMost := h.room(right)
	share = min(max(share, least, total-otherMost), most, total-otherLeast)
	h.split(left, share)
	h.split(right, total-share)
}

// room returns the least and the most that members can hold.
func (h *hierarchy) room(members []int) (least, most float64) {
	for _, i := range members {
		least += h.lower[i]
		most += h.upper[i]
	}
	return least, most
}

// risk returns the variance of members weighted in inverse proportion to their variances.
func (h *hierarchy) risk(members []int) float64 {
	w := make([]float64, len(members))
	for k, i := range members {
		w[k] = 1 / h.covariance.At(i, i)
	}
	floats.Scale(1/floats.Sum(w), w)
	var v float64
	for a, i := range members {
		for b, j := range members[:a] {
			v += 2 * w[a] * w[b] * h.covariance.At(i, j)
		}
		v += w[a] * w[a] * h.covariance.At(i, i)
	}
	return v
}

// link joins two clusters at a distance.
type link struct {
	a, b     int
	distance float64
}

// linked returns the members in the order of the leaves of the tree of single linkage.
func linked(c *mat.SymDense) []int {
	n := c.SymmetricDim()
	links := spanning(c)
	slices.SortStableFunc(links, func(x, y link) int { return cmp.Compare(x.distance, y.distance) })
	parent := make([]int, 2*n-1)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	leaves := make([][]int, n, 2*n-1)
	for i := range n {
		leaves[i] = []int{i}
	}
	for _, l := range links {
		a, b := root(l.a), root(l.b)
		if a > b {
			a, b = b, a
		}
		parent[a], parent[b] = len(leaves), len(leaves)
		leaves = append(leaves, slices.Concat(leaves[a], leaves[b]))
	}
	return leaves[len(leaves)-1]
}

// spanning returns the edges of a minimum spanning tree, by the method of Prim.
func spanning(c *mat.SymDense) []link {
	n := c.SymmetricDim()
	volatility := make([]float64, n)
	for i := range n {
		volatility[i] = math.Sqrt(c.At(i, i))
	}
	near, from := make([]float64, n), make([]int, n)
	joined := make([]bool, n)
	for i := range near {
		near[i] = math.Inf(1)
	}
	links := make([]link, 0, n-1)
	for at := 0; len(links) < n-1; {
		joined[at] = true
		next := -1
		for i := range n {
			if joined[i] {
				continue
			}
			rho := c.At(at, i) / (volatility[at] * volatility[i])
			if d := math.Sqrt(max(0, (1-rho)/2)); d < near[i] {
				near[i], from[i] = d, at
			}
			if next < 0 || near[i] < near[next] {
				next = i
			}
		}
		links = append(links, link{from[next], next, near[next]})
		at = next
	}
	return links
}

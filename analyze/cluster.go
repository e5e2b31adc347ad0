package analyze

import (
	"math"
	"slices"
)

// ClusterOrder returns an order of the series in which similar ones are neighbours: that
// of the leaves of a tree by average linkage, in which the distance of two series is
// √((1 − ρ)/2). A correlation that is NaN counts as 0. Of equally close clusters, those
// that come first are joined first.
func (c *Correlations) ClusterOrder() []int {
	n := len(c.Names)
	distance := make([][]float64, n)
	leaves := make([][]int, n)
	for i := range n {
		leaves[i], distance[i] = []int{i}, make([]float64, n)
		for j := range n {
			rho := c.Values[i][j]
			if math.IsNaN(rho) {
				rho = 0
			}
			distance[i][j] = math.Sqrt((1 - rho) / 2)
		}
	}
	// nearest is the closest cluster after each; a cluster without one has −1.
	nearest := make([]int, n)
	find := func(i int) {
		nearest[i] = -1
		for j := i + 1; j < n; j++ {
			if leaves[j] != nil && (nearest[i] < 0 || distance[i][j] < distance[i][nearest[i]]) {
				nearest[i] = j
			}
		}
	}
	for i := range n {
		find(i)
	}
	for range n - 1 {
		a := -1
		for i := range n {
			if leaves[i] != nil && nearest[i] >= 0 && (a < 0 || distance[i][nearest[i]] < distance[a][nearest[a]]) {
				a = i
			}
		}
		b := nearest[a]
		sizeA, sizeB := float64(len(leaves[a])), float64(len(leaves[b]))
		for j := range n {
			if leaves[j] != nil && j != a && j != b {
				d := (sizeA*distance[a][j] + sizeB*distance[b][j]) / (sizeA + sizeB)
				distance[a][j], distance[j][a] = d, d
			}
		}
		leaves[a], leaves[b] = append(leaves[a], leaves[b]...), nil
		for i := range n {
			if leaves[i] == nil {
				continue
			}
			switch {
			case i == a || nearest[i] == a || nearest[i] == b:
				find(i)
			case i < a && nearest[i] >= 0 && distance[i][a] < distance[i][nearest[i]]:
				nearest[i] = a
			}
		}
	}
	order := []int{}
	for _, l := range leaves {
		order = append(order, l...)
	}
	return slices.Clip(order)
}

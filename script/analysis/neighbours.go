package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"ballast/script"
)

// neighbours returns for each point the mean metric of those next to it: points that
// differ in one input, which is a number, by one place among its values. It is NaN for a
// point without neighbours that have the metric. A result that rests on more than luck
// has good neighbours.
func (t *trials) neighbours(swept *script.Swept) []float64 {
	places := make([]map[any]int, len(t.grid)) // of the values of each input in ascending order, nil if they are not numbers
	for i, x := range t.grid {
		if slices.ContainsFunc(x.values, func(v any) bool { _, ok := numberOfInput(v); return !ok }) {
			continue
		}
		sorted := slices.SortedFunc(slices.Values(x.values), func(a, b any) int {
			p, _ := numberOfInput(a)
			q, _ := numberOfInput(b)
			if p < q {
				return -1
			}
			return 1
		})
		places[i] = map[any]int{}
		for place, v := range sorted {
			places[i][v] = place
		}
	}
	at := map[string]int{} // points by their places
	where := make([][]any, len(swept.Points))
	for p, values := range swept.Sweep.Points {
		where[p] = make([]any, len(values))
		for i, v := range values {
			if where[p][i] = v; places[i] != nil {
				where[p][i] = places[i][v]
			}
		}
		at[fmt.Sprint(where[p])] = p
	}
	means := slices.Repeat([]float64{missing}, len(swept.Points))
	for p := range where {
		sum, n := 0.0, 0
		for i := range where[p] {
			place, numeric := where[p][i].(int)
			if !numeric {
				continue
			}
			for _, next := range []int{place - 1, place + 1} {
				where[p][i] = next
				if k, ok := at[fmt.Sprint(where[p])]; ok {
					if v := t.figure(&swept.Points[k]); !math.IsNaN(v) {
						sum, n = sum+v, n+1
					}
				}
			}
			where[p][i] = place
		}
		if n > 0 {
			means[p] = sum / float64(n)
		}
	}
	return means
}

// likeness is the correlation between the metric of points and that of their neighbours,
// NaN for fewer than three points.
func (t *trials) likeness(swept *script.Swept, neighbours []float64) float64 {
	var own, near []float64
	for i := range swept.Points {
		if v := t.figure(&swept.Points[i]); !math.IsNaN(v) && !math.IsNaN(neighbours[i]) {
			own, near = append(own, v), append(near, neighbours[i])
		}
	}
	if len(own) < 3 {
		return missing
	}
	return stat.Correlation(own, near, nil)
}

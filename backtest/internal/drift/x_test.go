package drift

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	for _, c := range []struct{ columns, segment int }{{8, 21}, {64, 21}, {200, 21}, {200, 20}, {500, 21}, {500, 64}, {8, 252}, {64, 64}} {
		all := make([]float64, c.columns*8000)
		cols := make([][]float64, c.columns)
		members := make([]int, c.columns)
		hold := make([]float64, c.columns)
		for i := range cols {
			cols[i] = all[i*8000 : (i+1)*8000]
			members[i], hold[i] = i, 1
		}
		p := NewPanel(cols)
		sum := make([]float64, c.segment)
		for _, aligned := range []int{0, 5} {
			var ts []float64
			n := 4000000 / (c.columns * c.segment) / 10
			for range 300 {
				b := time.Now()
				for range n {
					p.run(sum, hold, members, aligned, 0)
				}
				ts = append(ts, float64(time.Since(b))/float64(n*c.columns*c.segment)*16)
			}
			slices.Sort(ts)
			fmt.Printf("%d x %d from %d: fastest %.2f ns per 16, median %.2f\n", c.columns, c.segment, aligned, ts[0], ts[150])
		}
	}
}

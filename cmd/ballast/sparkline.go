package main

import (
	"math"
)

// sparkline draws values as a row of bars, width runes wide. Each rune is the last
// value of its share, scaled between the lowest and the highest value on a log scale,
// because equity grows by factors.
func sparkline(values []float64, width int) string {
	if len(values) == 0 || width <= 0 {
		return ""
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v > 0 {
			low, high = min(low, math.Log(v)), max(high, math.Log(v))
		}
	}
	out := make([]rune, 0, width)
	for i := range width {
		v := values[(i+1)*len(values)/width-min(1, (i+1)*len(values)/width)]
		level := 0
		if v > 0 && high > low {
			level = int((math.Log(v) - low) / (high - low) * float64(len(bars)-1))
		}
		out = append(out, bars[level])
	}
	return string(out)
}

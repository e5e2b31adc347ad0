package metrics_test

import (
	"math"
	"testing"

	"ballast/metrics"
)

func TestRolling(t *testing.T) {
	// Two bars per year: growths over two bars 1.21, 0.99, 0.9, 1.5 and over six 1.21·0.9·x.
	block := metrics.Compute(weekdays(0.1, 0.1, -0.1, 0, 0.5, 0), metrics.Options{BarsPerYear: 2})
	one, three, five := block.Rolling.OneYear, block.Rolling.ThreeYear, block.Rolling.FiveYear
	// Windows of one year: 1.21, 0.99, 0.90, 1.50, 1.50; only one window of three years.
	near(t, "one year, min", float64(one.Min), -0.1, 1e-15)
	near(t, "one year, median", float64(one.Median), 0.21, 1e-15)
	near(t, "one year, max", float64(one.Max), 0.5, 1e-15)
	whole := math.Cbrt(1.1*1.1*0.9*1.5) - 1
	near(t, "three years, min", float64(three.Min), whole, 1e-15)
	near(t, "three years, median", float64(three.Median), whole, 1e-15)
	near(t, "three years, max", float64(three.Max), whole, 1e-15)
	if !math.IsNaN(float64(five.Min)) || !math.IsNaN(float64(five.Median)) || !math.IsNaN(float64(five.Max)) {
		t.Errorf("five years = %v, want NaN", five)
	}
}

func TestRollingMedianOfAnEvenNumber(t *testing.T) {
	// Windows of three years (three bars, one per year): growths 1.331 and 1.1·1.1·1.4.
	block := metrics.Compute(weekdays(0.1, 0.1, 0.1, 0.4), metrics.Options{BarsPerYear: 1})
	want := (0.1 + math.Cbrt(1.1*1.1*1.4) - 1) / 2
	near(t, "median", float64(block.Rolling.ThreeYear.Median), want, 1e-15)
}

func TestRollingLeavesOutWindowsAfterRuin(t *testing.T) {
	block := metrics.Compute(weekdays(0.1, -1, 0, 0), metrics.Options{BarsPerYear: 1})
	near(t, "min", float64(block.Rolling.OneYear.Min), -1, 0)
	near(t, "max", float64(block.Rolling.OneYear.Max), 0.1, 1e-15)
	near(t, "median", float64(block.Rolling.OneYear.Median), -0.45, 1e-15)
}

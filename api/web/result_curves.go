package web

import (
	"math"

	"ballast/timeseries"
)

// curveData is what the script of a page draws the growth from: every session, written
// as differences so that it compresses well.
type curveData struct {
	Days   []int32  `json:"days"`   // of each session and the base since 1970, as differences
	Unit   float64  `json:"unit"`   // values are in 1/unit
	Equity []int64  `json:"equity"` // differences
	Beside []int64  `json:"beside,omitempty"`
	From   int      `json:"from"` // position of the benchmark's first value
	Name   string   `json:"against,omitempty"`
	Linear bool     `json:"linear"`
	Shaded [][2]int `json:"shaded,omitempty"` // first and last day of stretches
}

// curveDigits is how many decimals the values have: enough for drawdowns in tenths of a
// per cent. Of many sessions they have one less, so that the page stays small.
const (
	curveDigits  = 5
	manySessions = 5000
)

// curvesOf returns the values of a plot; nil if they span so many powers of ten that
// integers cannot hold them.
func curvesOf(c *curves, against []float64, from int, name string, linear bool, shaded []span) *curveData {
	low, high := math.Inf(1), 0.0
	for _, values := range [][]float64{c.equity, against} {
		for _, v := range values {
			if v > 0 {
				low = min(low, v)
			}
			high = max(high, v)
		}
	}
	digits := curveDigits
	if len(c.equity) > manySessions {
		digits--
	}
	unit := math.Pow10(digits + max(0, int(math.Ceil(-math.Log10(low)))))
	if !(high*unit < 1<<53) {
		return nil
	}
	d := &curveData{Unit: unit, From: from, Name: name, Linear: linear, Equity: differences(c.equity, unit), Beside: differences(against, unit)}
	before := timeseries.Date(0)
	for i := range c.equity {
		d.Days = append(d.Days, int32(c.day(i)-before))
		before = c.day(i)
	}
	for _, s := range shaded {
		d.Shaded = append(d.Shaded, [2]int{int(s.First), int(s.Last)})
	}
	return d
}

func differences(values []float64, unit float64) []int64 {
	out := make([]int64, len(values))
	before := int64(0)
	for i, v := range values {
		now := int64(math.Round(v * unit))
		out[i], before = now-before, now
	}
	return out
}

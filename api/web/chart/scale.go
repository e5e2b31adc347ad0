package chart

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"ballast/timeseries"
)

// scale maps values to per cent of the plot, from one end of an axis to the other.
type scale struct {
	from, to float64
	step     float64 // between labelled values
	down     bool    // the axis goes up, so that greater values are nearer the top
}

func (s scale) at(v float64) float64 {
	part := 100 * ((v - s.from) / (s.to - s.from))
	if s.down {
		return 100 - part
	}
	return part
}

// steps are the first digits of the distances between labelled values.
var steps = []float64{1, 2, 2.5, 5, 10}

// round returns the least round distance that divides a range into at most n parts.
func round(span float64, n int) float64 {
	power := math.Pow(10, math.Floor(math.Log10(span/float64(n))))
	for _, digit := range steps {
		if span/(power*digit) <= float64(n)*(1+1e-9) {
			return power * digit
		}
	}
	return power * 10
}

// levels is the vertical scale of values. It begins at zero if zero is asked for or the
// values are not far from it, and ends at labelled values.
func levels(low, high float64, zero bool) scale {
	if zero || low > 0 && low < high/2 {
		low, high = min(low, 0), max(high, 0)
	}
	if zero && low == 0 && high < tiny {
		high = 1
	}
	low, high = widened(low, high)
	step := round(high-low, 6)
	return scale{from: math.Floor(low/step+1e-9) * step, to: math.Ceil(high/step-1e-9) * step, step: step, down: true}
}

// tiny is the least range of an axis. Below it, float64 has no round steps.
const tiny = 1e-200

// widened returns a range that has room for labels: one of values that are all the same,
// or differ in their last digits alone, grows by a tenth on each side.
func widened(low, high float64) (float64, float64) {
	largest := max(math.Abs(low), math.Abs(high))
	if high-low > max(largest*1e-9, tiny) {
		return low, high
	}
	margin := largest / 10
	if margin < tiny {
		margin = 1
	}
	return low - margin, high + margin
}

// values are the labelled values of a scale. One that rounding has put just outside the
// ends belongs to it; the measure is the range, since a step can be much longer.
func (s scale) values() []float64 {
	var list []float64
	slack := max((s.to-s.from)*1e-9, max(math.Abs(s.from), math.Abs(s.to))*1e-15)
	for i := math.Ceil((s.from - slack) / s.step); i*s.step <= s.to+slack; i++ {
		list = append(list, i*s.step)
	}
	return list
}

// label sets the labelled values of the vertical axis.
func (d *Drawing) label(s scale, unit string) {
	write := format(unit, s.step, max(math.Abs(s.from), math.Abs(s.to)))
	for _, v := range s.values() {
		d.Levels = append(d.Levels, Tick{At: place(s.at(v)), Text: write(v)})
	}
	d.YName = axisName(unit)
}

// across is the horizontal axis of numbers or dates: where each row is.
type across struct {
	scale
	of    func(row int) float64
	marks []mark
	name  string
}

// mark is a labelled value.
type mark struct {
	value float64
	text  string
}

// ticks are the labelled places of the axis, of which at most n are shown where there is
// little room.
func (x *across) ticks(n int) []Tick {
	ticks := make([]Tick, len(x.marks))
	for i, m := range x.marks {
		ticks[i] = Tick{At: place(x.at(m.value)), Text: m.text}
	}
	thinned(ticks, n)
	return ticks
}

// horizontal returns the axis of a column; false if it has no range of values.
func horizontal(c *Column) (*across, bool) {
	switch {
	case c.Dates != nil:
		return dates(c)
	case c.Numbers != nil:
		return numbered(c)
	}
	return nil, false
}

func numbered(c *Column) (*across, bool) {
	low, high, ok := extent(c.Numbers)
	if !ok {
		return nil, false
	}
	low, high = widened(low, high)
	unit, name := 1.0, axisName(c.Unit)
	write := func(s scale) func(float64) string {
		return format(c.Unit, s.step, max(math.Abs(s.from), math.Abs(s.to)))
	}
	if c.Unit == unitMonths && high-low >= 24 {
		unit, name = 12, "years"
		write = func(s scale) func(float64) string { return format("", s.step, s.to) }
	}
	labelled := scale{from: low / unit, to: high / unit}
	labelled.step = round(labelled.to-labelled.from, 10)
	if unit != 1 || c.Unit == unitMonths {
		labelled.step = max(labelled.step, 1) // whole months and years
		if labelled.step == 2.5 {
			labelled.step = 5
		}
	}
	x := &across{scale: scale{from: low, to: high}, of: func(row int) float64 { return c.Numbers[row] }, name: name}
	text := write(labelled)
	for _, v := range labelled.values() {
		x.marks = append(x.marks, mark{v * unit, text(v)})
	}
	return x, true
}

func dates(c *Column) (*across, bool) {
	first, last := timeseries.Date(math.MaxInt32), timeseries.Date(math.MinInt32)
	for _, d := range c.Dates {
		if d != timeseries.NoDate {
			first, last = min(first, d), max(last, d)
		}
	}
	if first > last {
		return nil, false
	}
	x := &across{scale: scale{from: float64(first), to: float64(max(last, first+1))}, of: func(row int) float64 {
		if c.Dates[row] == timeseries.NoDate {
			return math.NaN()
		}
		return float64(c.Dates[row])
	}}
	for _, d := range Calendar(first, last) {
		x.marks = append(x.marks, mark{float64(d.Date), d.Text})
	}
	return x, true
}

// thinned hides ticks where there is little room, so that at most n are left.
func thinned(ticks []Tick, n int) {
	every := (len(ticks) + n - 1) / n
	for i := range ticks {
		ticks[i].Minor = i%max(every, 1) != 0
	}
}

// Dated is a labelled date.
type Dated struct {
	Date timeseries.Date
	Text string
}

// Calendar returns beginnings of years, about ten at most, or of quarters or months if
// the window is short.
func Calendar(from, to timeseries.Date) []Dated {
	first, _, _ := from.YMD()
	last, _, _ := to.YMD()
	var marks []Dated
	if last-first >= 3 {
		step := 1
		for _, s := range []int{1, 2, 5, 10, 20, 50, 100} {
			if step = s; (last-first)/s <= 10 {
				break
			}
		}
		for y := first + 1; y <= last; y++ {
			if y%step == 0 {
				marks = append(marks, Dated{timeseries.NewDate(y, 1, 1), strconv.Itoa(y)})
			}
		}
		return marks
	}
	months := 3
	if to-from < 200 {
		months = 1
	}
	for y := first; y <= last; y++ {
		for m := 1; m <= 12; m += months {
			if d := timeseries.NewDate(y, time.Month(m), 1); d >= from && d <= to {
				marks = append(marks, Dated{d, fmt.Sprintf("%d-%02d", y, m)})
			}
		}
	}
	return marks
}

package backtest

import (
	"ballast/internal/number"
	"ballast/timeseries/calendar"
)

// periodCodes are the codes of Decisions.PeriodPosition.
var periodCodes = []struct{ code, every string }{
	{"W", "weekly"}, {"M", "monthly"}, {"Q", "quarterly"}, {"Y", "yearly"},
}

// decisions summarises the decisions that were taken. years is the time from the base
// to the end.
func (e *engine) decisions(cal calendar.Calendar, years float64) Decisions {
	d := Decisions{
		Count: len(e.decided), PerYear: number.NaN(),
		Weekday: make(map[string]int), PeriodPosition: make(map[string]Position),
	}
	if years > 0 {
		d.PerYear = number.Float(float64(d.Count) / years)
	}
	var days [7]int
	for _, t := range e.decided {
		days[e.frame.Axis[t].Weekday()]++
	}
	for w, n := range days {
		if n > 0 {
			d.Weekday[weekdays[w]] = n
		}
	}
	regular := e.decided
	if len(regular) > 1 {
		regular = regular[1:]
	}
	first, last := make([]int, len(regular)), make([]int, len(regular))
	axis := e.frame.Axis
	for _, p := range periodCodes {
		starts := periodStarts(p.every, axis[regular[0]], axis[regular[len(regular)-1]])
		before, through := 0, cal.Count(starts[0]-1)
		for k, t := range regular {
			day := axis[t]
			for day >= starts[0] {
				starts = starts[1:]
				before, through = through, cal.Count(starts[0]-1)
			}
			at := cal.Count(day)
			first[k], last[k] = at-before, at-through-1
		}
		d.PeriodPosition[p.code] = Position{First: median(first, 1), Last: median(last, -1)}
	}
	return d
}

// median returns the median of positions, which must all have the given sign and lie
// within a year. For an even number it is the mean of the middle two.
func median(positions []int, sign int) number.Float {
	var counts [400]int
	for _, p := range positions {
		counts[min(max(p*sign, 0), len(counts)-1)]++
	}
	// at returns the position of rank k, from 0.
	at := func(k int) int {
		for p, n := range counts {
			if k -= n; k < 0 {
				return p
			}
		}
		return len(counts) - 1
	}
	n := len(positions)
	return number.Float(float64(sign*(at((n-1)/2)+at(n/2))) / 2)
}

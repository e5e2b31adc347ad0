package web

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// The plot's measures, in the units of its drawing: growth above, drawdown below.
const (
	plotWidth    = 960
	plotLeft     = 56 // of the scale
	growthTop    = 12
	growthBottom = 300
	underTop     = 324
	underBottom  = 404
	plotHeight   = 430
	plotColumns  = 800 // points that are drawn, or up to twice as many
)

// plot is how 1 on the base grew, and how deep it stood below its highest, as
// points of a drawing.
type plot struct {
	Width, Height, Left, Right int
	Growth                     string // points of a line
	Beside                     string // points of the benchmark's line, "" without one
	Against                    string // the benchmark's symbol
	Under                      string // points of an area
	Levels, Depths, Times      []mark
	TimesAt                    int
	Title                      string
}

// mark is a line of a scale.
type mark struct {
	At   string
	Text string
}

// newPlot draws returns of a window with one date at least, and a benchmark's
// beside them where there is one; nil where the returns grow beyond all numbers.
func newPlot(base timeseries.Date, dates []timeseries.Date, returns []float64, beside *history.Beside) *plot {
	equity := metrics.Equity(nil, returns)
	under := make([]float64, len(equity))
	high, low, highest, deepest := 1.0, 1.0, 1.0, 0.0
	for i, v := range equity {
		high = max(high, v)
		under[i] = v/high - 1
		low, highest, deepest = min(low, v), high, min(deepest, under[i])
	}
	if math.IsInf(highest, 0) || math.IsNaN(low+highest) {
		return nil
	}
	against, lowest, top := benchmarkGrowth(equity, beside)
	if against != nil {
		low, highest = min(low, lowest), max(highest, top)
	}
	last := dates[len(dates)-1]
	across := func(d timeseries.Date) float64 {
		return plotLeft + float64(plotWidth-plotLeft-1)*float64(d-base)/float64(max(1, last-base))
	}
	growth, depth := growthScale(low, highest), scale{from: min(deepest, -.01), to: 0, top: underTop, bottom: underBottom}

	var line, area strings.Builder
	fmt.Fprintf(&area, "%d,%d", plotLeft, underTop)
	step := max(1, len(equity)/plotColumns)
	day := func(i int) timeseries.Date {
		if i == 0 {
			return base
		}
		return dates[i-1]
	}
	for i := 0; i < len(equity); i += step {
		end := min(i+step, len(equity)) - 1
		deep := under[i]
		for _, v := range under[i : end+1] {
			deep = min(deep, v)
		}
		x := coordinate(across(day(end)))
		if i == 0 {
			x = coordinate(across(base))
		}
		fmt.Fprintf(&line, " %s,%s", x, coordinate(growth.at(equity[end])))
		fmt.Fprintf(&area, " %s,%s", x, coordinate(depth.at(deep)))
	}
	fmt.Fprintf(&area, " %d,%d", plotWidth-1, underTop)

	p := &plot{
		Width: plotWidth, Height: plotHeight, Left: plotLeft, Right: plotWidth - 1, TimesAt: plotHeight - 8,
		Growth: strings.TrimSpace(line.String()), Under: area.String(),
		Title: fmt.Sprintf("What 1 grew to from %s to %s: %s", base, last, decimal(equity[len(equity)-1], 2, "")),
	}
	if against != nil {
		p.Against = beside.Symbol
		var other strings.Builder
		for i := 0; i < len(against); i += step {
			end := min(i+step, len(against)) - 1
			if i == 0 {
				end = 0
			}
			fmt.Fprintf(&other, " %s,%s", coordinate(across(day(beside.From+end))), coordinate(growth.at(against[end])))
		}
		p.Beside = strings.TrimSpace(other.String())
	}
	for _, v := range growth.ticks() {
		p.Levels = append(p.Levels, mark{coordinate(growth.at(v)), strconv.FormatFloat(v, 'g', 4, 64)})
	}
	for _, v := range depthTicks(deepest) {
		p.Depths = append(p.Depths, mark{coordinate(depth.at(v)), percent(v, 0)})
	}
	for _, d := range timeMarks(base, last) {
		p.Times = append(p.Times, mark{coordinate(across(d.date)), d.text})
	}
	return p
}

// benchmarkGrowth is how a benchmark grew from where the model stood when the
// benchmark's first return began; nil where that cannot be drawn.
func benchmarkGrowth(equity []float64, beside *history.Beside) (growth []float64, low, high float64) {
	if beside == nil || len(beside.Returns) == 0 || !(equity[beside.From] > 0) {
		return nil, 0, 0
	}
	growth = metrics.Equity(nil, beside.Returns)
	low, high = math.Inf(1), 0
	for i := range growth {
		growth[i] *= equity[beside.From]
		low, high = min(low, growth[i]), max(high, growth[i])
	}
	if !(low > 0) || math.IsInf(high, 0) {
		return nil, 0, 0
	}
	return growth, low, high
}

func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// scale maps values to heights; by their logarithms where log is set.
type scale struct {
	from, to    float64
	top, bottom float64
	log         bool
}

// growthScale is logarithmic unless everything was lost.
func growthScale(low, high float64) scale {
	s := scale{from: low, to: high, top: growthTop, bottom: growthBottom, log: low > 0}
	if s.log {
		s.from, s.to = low/1.03, high*1.03
		return s
	}
	margin := (high - low) * .03
	s.from, s.to = low-margin, high+margin
	return s
}

func (s scale) at(v float64) float64 {
	from, to := s.from, s.to
	if s.log {
		from, to, v = math.Log(from), math.Log(to), math.Log(v)
	}
	return s.bottom - (s.bottom-s.top)*(v-from)/(to-from)
}

// ticks are round values of the scale: 1, 2 and 5 times the powers of ten where
// it spans much, else equal steps.
func (s scale) ticks() []float64 {
	var ticks []float64
	if s.log && s.to/s.from > 5 {
		for power := math.Floor(math.Log10(s.from)); power <= math.Log10(s.to); power++ {
			for _, digit := range []float64{1, 2, 5} {
				if v := digit * math.Pow(10, power); v >= s.from && v <= s.to {
					ticks = append(ticks, v)
				}
			}
		}
		for len(ticks) > 10 { // of a span of many powers, every third
			var fewer []float64
			for i := 0; i < len(ticks); i += 3 {
				fewer = append(fewer, ticks[i])
			}
			ticks = fewer
		}
		return ticks
	}
	step := math.Pow(10, math.Floor(math.Log10((s.to-s.from)/4)))
	for _, multiple := range []float64{1, 2, 2.5, 5, 10} {
		if (s.to-s.from)/(step*multiple) <= 6 {
			step *= multiple
			break
		}
	}
	for i := math.Ceil(s.from / step); i*step <= s.to; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// depthTicks are 0 and up to three round depths of a drawdown.
func depthTicks(deepest float64) []float64 {
	ticks := []float64{0}
	for _, step := range []float64{.01, .02, .05, .1, .2, .5, 1} {
		if n := math.Floor(-deepest / step); n <= 3 {
			for i := 1.0; i <= n; i++ {
				ticks = append(ticks, -i*step)
			}
			break
		}
	}
	return ticks
}

// dated is a date of the time scale with its name.
type dated struct {
	date timeseries.Date
	text string
}

// timeMarks are beginnings of years, up to about ten, or of quarters and months
// where there are few years.
func timeMarks(from, to timeseries.Date) []dated {
	first, _, _ := from.YMD()
	last, _, _ := to.YMD()
	var marks []dated
	if last-first >= 3 {
		step := 1
		for _, s := range []int{1, 2, 5, 10, 20, 50, 100} {
			if step = s; (last-first)/s <= 10 {
				break
			}
		}
		for y := first + 1; y <= last; y++ {
			if y%step == 0 {
				marks = append(marks, dated{timeseries.NewDate(y, 1, 1), strconv.Itoa(y)})
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
				marks = append(marks, dated{d, fmt.Sprintf("%d-%02d", y, m)})
			}
		}
	}
	return marks
}

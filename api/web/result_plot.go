package web

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/api/web/chart"
	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// Measures of the plot, which stretches with the page: growth above, drawdown below.
const (
	plotWidth    = 2000
	growthTop    = 10
	growthBottom = 690
	underTop     = 740
	underBottom  = 940
	plotHeight   = 1000
	plotColumns  = 800 // least number of points drawn for a long history; at most twice as many
)

// plot shows how 1 invested at the base grew, and its drawdown, as points of a
// drawing.
type plot struct {
	Width, Height         int
	Growth                string // points of a line
	Beside                string // points of the benchmark's line; "" if there is none
	Against               string // the benchmark's symbol
	Under                 string // points of an area
	Shaded                []stretch
	Levels, Depths, Times []mark
	Title                 string
	Last                  string     // the values at the end, in words
	Data                  *curveData // nil if it cannot be explored
}

// mark is a labelled line of a scale, at per cent of the plot.
type mark struct {
	At   string
	Text string
}

// stretch is a shaded part of the plot.
type stretch struct{ X, Width string }

// newPlot draws the returns of a history with at least one date, and those of its
// benchmark if it has one. It returns nil if the growth exceeds float64.
func newPlot(h *history.History, linear bool, shaded []span) *plot {
	c := curves{base: h.Base, dates: h.Dates, equity: metrics.Equity(nil, h.Returns)}
	c.under = make([]float64, len(c.equity))
	high, low, highest, deepest := 1.0, 1.0, 1.0, 0.0
	for i, v := range c.equity {
		high = max(high, v)
		c.under[i] = v/high - 1
		low, highest, deepest = min(low, v), high, min(deepest, c.under[i])
	}
	if math.IsInf(highest, 0) || math.IsNaN(low+highest) {
		return nil
	}
	against, lowest, top := benchmarkGrowth(c.equity, h.Beside)
	if against != nil {
		low, highest = min(low, lowest), max(highest, top)
	}
	c.growth, c.depth = growthScale(low, highest, linear), scale{from: min(deepest, -.01), to: 0, top: underTop, bottom: underBottom}

	last := h.Dates[len(h.Dates)-1]
	p := &plot{
		Width: plotWidth, Height: plotHeight,
		Title: fmt.Sprintf("What 1 grew to from %s to %s: %s", h.Base, last, decimal(c.equity[len(c.equity)-1], 2, "")),
	}
	p.Growth, p.Under = c.points()
	if against != nil {
		p.Against, p.Beside = h.Beside.Symbol, c.pointsBeside(against, h.Beside.From)
	}
	for _, v := range c.growth.ticks() {
		p.Levels = append(p.Levels, mark{downwards(c.growth.at(v)), strconv.FormatFloat(v, 'g', 4, 64)})
	}
	for _, v := range depthTicks(deepest) {
		p.Depths = append(p.Depths, mark{downwards(c.depth.at(v)), percent(v, 0)})
	}
	for _, d := range chart.Calendar(h.Base, last) {
		p.Times = append(p.Times, mark{strconv.FormatFloat(100*c.across(d.Date)/plotWidth, 'f', 1, 64), d.Text})
	}
	for _, x := range shaded {
		from, to := c.across(max(x.First-1, h.Base)), c.across(min(x.Last, last))
		p.Shaded = append(p.Shaded, stretch{coordinate(from), coordinate(to - from)})
	}
	p.Last = c.told(p.Against, against)
	from := 0
	if against != nil {
		from = h.Beside.From
	}
	p.Data = curvesOf(&c, against, from, p.Against, linear, shaded)
	return p
}

// told says what the curves show at their end, as the script does at any other day.
func (c *curves) told(name string, against []float64) string {
	end := len(c.equity) - 1
	text := fmt.Sprintf("%s: %s", c.day(end), decimal(c.equity[end], 2, ""))
	if against != nil {
		text += fmt.Sprintf(", %s %s", name, decimal(against[len(against)-1], 2, ""))
	}
	return text + ", drawdown " + percent(c.under[end], 1)
}

// curves are the values that a plot draws, by session from the base on, and their
// scales.
type curves struct {
	base          timeseries.Date
	dates         []timeseries.Date // after the base
	equity, under []float64         // one longer than dates
	growth, depth scale
}

// across returns the horizontal position of a date.
func (c *curves) across(d timeseries.Date) float64 {
	last := c.dates[len(c.dates)-1]
	return plotWidth * float64(d-c.base) / float64(max(1, last-c.base))
}

// day returns the date of a value of equity.
func (c *curves) day(i int) timeseries.Date {
	if i == 0 {
		return c.base
	}
	return c.dates[i-1]
}

// step returns how many sessions one point of a line stands for.
func (c *curves) step() int { return max(1, len(c.equity)/plotColumns) }

// points returns the line of growth, with the last value of each step, and the area
// of drawdowns, with the deepest value of each step.
func (c *curves) points() (growth, under string) {
	var line, area strings.Builder
	fmt.Fprintf(&area, "0,%d", underTop)
	step := c.step()
	for i := 0; i < len(c.equity); i += step {
		end := min(i+step, len(c.equity)) - 1
		deep := slices.Min(c.under[i : end+1])
		x := coordinate(c.across(c.day(end)))
		if i == 0 {
			x = coordinate(c.across(c.base))
		}
		fmt.Fprintf(&line, " %s,%s", x, coordinate(c.growth.at(c.equity[end])))
		fmt.Fprintf(&area, " %s,%s", x, coordinate(c.depth.at(deep)))
	}
	fmt.Fprintf(&area, " %d,%d", plotWidth, underTop)
	return strings.TrimSpace(line.String()), area.String()
}

// pointsBeside returns the line of a benchmark whose first value belongs to session
// from.
func (c *curves) pointsBeside(values []float64, from int) string {
	var line strings.Builder
	step := c.step()
	for i := 0; i < len(values); i += step {
		end := min(i+step, len(values)) - 1
		if i == 0 {
			end = 0
		}
		fmt.Fprintf(&line, " %s,%s", coordinate(c.across(c.day(from+end))), coordinate(c.growth.at(values[end])))
	}
	return strings.TrimSpace(line.String())
}

// benchmarkGrowth scales the growth of a benchmark so that it starts at the model's
// value when the benchmark's first return starts. It returns nil if that cannot be
// drawn.
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

// downwards writes a height as per cent of the plot.
func downwards(y float64) string { return strconv.FormatFloat(100*y/plotHeight, 'f', 1, 64) }

// coordinate writes a place of the drawing, whose units are less than a pixel.
func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// scale maps values to heights, logarithmically if log is set.
type scale struct {
	from, to    float64
	top, bottom float64
	log         bool
}

// growthScale is logarithmic, unless a linear one is asked for or everything was lost.
func growthScale(low, high float64, linear bool) scale {
	s := scale{from: low, to: high, top: growthTop, bottom: growthBottom, log: low > 0 && !linear}
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

// ticks returns round values of the scale: 1, 2 and 5 times powers of ten for a wide
// logarithmic scale, otherwise equal steps.
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
		for len(ticks) > 10 { // too many: keep every third
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

// depthTicks returns 0 and up to three round depths of a drawdown.
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

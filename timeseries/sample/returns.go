package sample

import (
	"math"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// days holds the life of one asset, or of the whole market.
type days struct {
	dates   []timeseries.Date
	returns []float64 // total, the first one 0
}

// extreme is the largest move of an asset, in standard deviations.
const extreme = 10

// leverageFee and leverageFinancing are the annual costs of a leveraged fund; the second
// applies to what it borrows.
const (
	leverageFee       = 0.009
	leverageFinancing = 0.021
)

// draw generates the total returns of every member, in the given order.
func draw(members []member) []days {
	dates := everyDay()
	open := make([]bool, len(dates))
	sky := make([]weather, len(dates))
	forecast := newForecaster()
	xnys := calendar.XNYS()
	for i, d := range dates {
		open[i] = calendar.IsSession(xnys, d)
		sky[i] = forecast.next(d)
		if !open[i] { // only coins move on closed days
			sky[i].shocks = loads{coin: sky[i].shocks[coin]}
		}
	}
	lives := make([]days, len(members))
	position := map[string]int{}
	for i, m := range members {
		position[m.Symbol] = i
		if m.follows == "" {
			lives[i] = live(m, dates, open, sky)
		}
	}
	for i, m := range members {
		if m.follows != "" {
			lives[i] = follow(m, lives[position[m.follows]])
		}
	}
	return lives
}

func everyDay() []timeseries.Date {
	dates := make([]timeseries.Date, 0, end-begin+1)
	for d := begin; d <= end; d++ {
		dates = append(dates, d)
	}
	return dates
}

// live draws the returns of one asset and scales them to its mean and volatility.
func live(m member, dates []timeseries.Date, open []bool, sky []weather) days {
	var life days
	own := newStream(m.Symbol)
	for i, d := range dates {
		if d < m.start || !open[i] && !m.SevenDay {
			continue
		}
		r := m.own * own.student() * sky[i].roughness
		for k, load := range m.loads {
			r += float64(load * sky[i].shocks[k])
		}
		life.dates = append(life.dates, d)
		life.returns = append(life.returns, r)
	}
	barsPerYear := 252.0
	if m.SevenDay {
		barsPerYear = 365
	}
	settle(life.returns, m.mean/barsPerYear, m.volatility/math.Sqrt(barsPerYear))
	return life
}

// settle shifts and scales x[1:] to a mean and standard deviation, limits extremes, and
// sets x[0], the first bar, to 0.
func settle(x []float64, mean, deviation float64) {
	x[0] = 0
	x = x[1:]
	n := float64(len(x))
	center := average(x)
	squares := 0.0
	for _, v := range x {
		d := v - center
		squares += float64(d * d)
	}
	spread := math.Sqrt(squares / n)
	for i, v := range x {
		x[i] = deviation * max(-extreme, min(extreme, (v-center)/spread))
	}
	shift := mean - average(x)
	for i := range x {
		x[i] += shift
	}
}

func average(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// follow multiplies the daily returns of another asset and subtracts fee and financing.
func follow(m member, other days) days {
	cost := (leverageFee + float64((m.Leverage-1)*leverageFinancing)) / 252
	var life days
	for i, d := range other.dates {
		if d >= m.start {
			life.dates = append(life.dates, d)
			life.returns = append(life.returns, float64(m.Leverage*other.returns[i])-cost)
		}
	}
	life.returns[0] = 0
	return life
}

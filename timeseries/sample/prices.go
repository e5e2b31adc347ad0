package sample

import (
	"math"

	"ballast/timeseries"
)

// bar is one day of an asset in the form that a vendor would supply.
type bar struct {
	date     timeseries.Date
	close    float64 // as traded, four decimals
	adjusted float64 // adj_close, equal to close on the last day
	dividend float64 // per share held the day before, four decimals
	split    float64 // new shares for an old one, 1 on most days
}

// prices converts total returns to closes, dividends and splits, following the
// vendors' convention for an adjusted close A:
//
//	A[t]/A[t−1] = close[t]·split[t] / (close[t−1] − dividend[t])
func prices(m member, life days) []bar {
	bars := make([]bar, len(life.dates))
	bars[0] = bar{date: life.dates[0], close: m.price, split: 1}
	for t := 1; t < len(bars); t++ {
		previous := bars[t-1].close
		b := bar{date: life.dates[t], split: 1}
		for _, s := range m.splits {
			if s.date == b.date {
				b.split = s.factor
			}
		}
		if b.split == 1 && pays(m.payments, life.dates[t-1], b.date) {
			b.dividend = decimals(previous*m.yield/float64(m.payments), 4)
		}
		b.close = decimals((previous-b.dividend)*(1+life.returns[t])/b.split, 4)
		bars[t] = b
	}
	adjust(bars)
	return bars
}

// adjust computes the adjusted closes, from the last day backwards.
func adjust(bars []bar) {
	last := len(bars) - 1
	value := bars[last].close
	bars[last].adjusted = value
	for t := last; t > 0; t-- {
		value = value * (bars[t-1].close - bars[t].dividend) / (bars[t].close * bars[t].split)
		bars[t-1].adjusted = decimals(value, 6)
	}
}

// pays reports whether a dividend falls on a day, given the previous session: with twelve
// payments a year on the first session of a month, with four on the first session on or
// after the 15th of March, June, September and December.
func pays(payments int, previous, d timeseries.Date) bool {
	if payments == 0 {
		return false
	}
	year, month, dayOfMonth := d.YMD()
	if payments == 12 {
		return previous < timeseries.NewDate(year, month, 1)
	}
	return month%3 == 0 && dayOfMonth >= 15 && previous < timeseries.NewDate(year, month, 15)
}

// decimals rounds x to n decimals.
func decimals(x float64, n int) float64 {
	scale := 1.0
	for range n {
		scale *= 10
	}
	return math.Round(x*scale) / scale
}

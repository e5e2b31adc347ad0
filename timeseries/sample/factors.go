package sample

import (
	"math"
	"time"

	"ballast/timeseries"
)

// factor is a common cause of returns.
type factor int

const (
	world     factor = iota // equities
	growth                  // technology against the rest
	size                    // small companies against large ones
	rates                   // bond prices
	credit                  // spreads of corporate bonds, in price
	inflation               // commodities
	gold
	dollar
	coin
	factors // number of factors
)

var factorNames = [factors]string{"world", "growth", "size", "rates", "credit", "inflation", "gold", "dollar", "coin"}

// loads are weights on the factors.
type loads [factors]float64

// regime is a period in which the market behaves unusually.
type regime struct {
	from, to timeseries.Date
	turmoil  float64 // multiplies the size of common shocks
	drift    loads   // per day, in daily standard deviations of the factor
}

var regimes = []regime{
	{day(2002, time.April, 8), day(2003, time.February, 28), 1.4, // growth stocks deflate
		loads{world: -0.11, growth: -0.16, credit: -0.04, rates: 0.05}},
	{day(2008, time.September, 2), day(2009, time.March, 31), 2.2, // a credit crisis
		loads{world: -0.22, credit: -0.34, size: -0.06, inflation: -0.18, rates: 0.10, dollar: 0.08}},
	{day(2017, time.May, 15), day(2017, time.June, 23), 2.4, // a short panic
		loads{world: -0.75, credit: -0.65, inflation: -0.5, rates: 0.2, coin: -0.5}},
	{day(2021, time.November, 8), day(2022, time.September, 30), 1.4, // bonds and equities fall together
		loads{world: -0.10, growth: -0.08, rates: -0.22, inflation: 0.05, coin: -0.14}},
}

// weather is one day of the market: its common shocks and their size.
type weather struct {
	shocks    loads
	roughness float64 // scale of the assets' own shocks, 1 on average
}

// forecaster draws the days of the market in chronological order.
type forecaster struct {
	streams  [factors]stream
	mixing   stream  // shared by all factors: bad days are bad for everything
	variance float64 // clustering, as in a GARCH(1,1) process, 1 on average
}

func newForecaster() *forecaster {
	f := &forecaster{mixing: newStream("mixing"), variance: 1}
	for i, name := range factorNames {
		f.streams[i] = newStream(name)
	}
	return f
}

func (f *forecaster) next(d timeseries.Date) weather {
	turmoil, drift := 1.0, loads{}
	for _, r := range regimes {
		if d >= r.from && d <= r.to {
			turmoil, drift = r.turmoil, r.drift
		}
	}
	calm := math.Sqrt(f.variance)
	scale := calm * turmoil * f.mixing.mixing()
	var w weather
	for i := range w.shocks {
		w.shocks[i] = drift[i] + float64(scale*f.streams[i].normal())
	}
	w.roughness = math.Sqrt(0.5 + float64(0.5*f.variance))
	shock := (w.shocks[world] - drift[world]) / turmoil
	f.variance = min(6, 0.03+float64(0.07*(shock*shock))+float64(0.90*f.variance))
	return w
}

package backtest_test

import (
	"math"
	"slices"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// oracleOf puts sources on one axis, computed from prices: for each member, the last
// price up to a session compared with that of its previous bar.
func oracleOf(sources []timeseries.Source) oracleMarket {
	exchange := slices.ContainsFunc(sources, func(s timeseries.Source) bool { return !s.SevenDay && !s.Series.Empty() })
	cal := calendar.XNYS()
	if !exchange {
		cal = calendar.AllDays()
	}
	m := oracleMarket{planned: func(d timeseries.Date) bool { return calendar.IsSession(cal, d) }}
	open := map[timeseries.Date]bool{}
	prices := make([]map[timeseries.Date]float64, len(sources))
	for i, s := range sources {
		prices[i] = oraclePrices(s.Series)
		for d := range prices[i] {
			if !s.SevenDay || !exchange {
				open[d] = true
			}
		}
	}
	for d := range open {
		m.axis = append(m.axis, d)
	}
	slices.Sort(m.axis)
	for i, s := range sources {
		one := oracleMember{key: s.Key, returns: make([]float64, len(m.axis)), bars: make([]bool, len(m.axis)), delisted: s.Delisted}
		price := math.NaN()
		for t, session := range m.axis {
			from := session - 6 // the week before the axis belongs to its first session
			if t > 0 {
				from = m.axis[t-1] + 1
			}
			level := math.NaN()
			for d := from; d <= session; d++ {
				if p, ok := prices[i][d]; ok {
					level = p
				}
			}
			if math.IsNaN(level) {
				continue
			}
			one.bars[t] = true
			if !math.IsNaN(price) {
				one.returns[t] = level/price - 1
			}
			price = level
		}
		m.members = append(m.members, one)
	}
	return m
}

// oraclePrices returns the series as prices by date, with 1 at its base.
func oraclePrices(s timeseries.Series) map[timeseries.Date]float64 {
	prices := map[timeseries.Date]float64{}
	if s.Empty() {
		return prices
	}
	price := 1.0
	prices[s.Base] = price
	for k, d := range s.Dates {
		price *= 1 + s.Returns[k]
		prices[d] = price
	}
	return prices
}

// oracleOn returns the market of a frame that is already aligned.
func oracleOn(f *timeseries.Frame) oracleMarket {
	cal, err := calendar.Named(f.Calendar)
	if err != nil {
		panic(err)
	}
	m := oracleMarket{axis: f.Axis, planned: func(d timeseries.Date) bool { return calendar.IsSession(cal, d) }}
	for i := range f.Members {
		one := oracleMember{key: f.Members[i].Key, returns: f.Members[i].Returns, delisted: f.Members[i].Delisted, bars: make([]bool, len(f.Axis))}
		for t := range one.bars {
			one.bars[t] = f.Members[i].HasBar(t)
		}
		m.members = append(m.members, one)
	}
	return m
}

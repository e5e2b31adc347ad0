package analyze

import (
	"time"

	"ballast/timeseries"
)

// Episode is a time of stress. Its return is that of the sessions from First to Last, so
// it starts at the close before First.
type Episode struct {
	Name        string
	First, Last timeseries.Date
}

// Episodes are the declines of the S&P 500 that are usually looked at, from the session
// after its highest close to its lowest close.
var Episodes = []Episode{
	{"1987", timeseries.NewDate(1987, time.August, 26), timeseries.NewDate(1987, time.December, 4)},
	{"2000", timeseries.NewDate(2000, time.March, 27), timeseries.NewDate(2002, time.October, 9)},
	{"2008", timeseries.NewDate(2007, time.October, 10), timeseries.NewDate(2009, time.March, 9)},
	{"2020", timeseries.NewDate(2020, time.February, 20), timeseries.NewDate(2020, time.March, 23)},
	{"2022", timeseries.NewDate(2022, time.January, 4), timeseries.NewDate(2022, time.October, 12)},
}

// Path is what happened to money in an episode. Both figures are NaN if the data do not
// cover the whole episode.
type Path struct {
	Return   float64 // a fraction
	Drawdown float64 // the deepest fall from a high within the episode, as a fraction; 0 or negative
}

// Through returns the path of a series through an episode. The series must have a close
// before the episode and one on its last day or later.
func Through(s timeseries.Series, e Episode) Path {
	return Held([]float64{1}, []timeseries.Series{s}, e)
}

// Held returns the path of weights that are bought at the close before an episode and
// held without trading. What the weights leave of 1 is cash without interest. Series with
// a weight of 0 need no data.
func Held(weights []float64, series []timeseries.Series, e Episode) Path {
	if len(weights) != len(series) {
		panic("analyze: weights and series differ in length")
	}
	cash := 1.0
	type holding struct {
		timeseries.Series
		value float64
	}
	var held []*holding
	for i, s := range series {
		if weights[i] == 0 {
			continue
		}
		if s.Empty() || s.Base >= e.First || s.Last() < e.Last {
			return Path{Return: missing, Drawdown: missing}
		}
		for len(s.Dates) > 0 && s.Dates[0] < e.First {
			s.Dates, s.Returns = s.Dates[1:], s.Returns[1:]
		}
		cash -= weights[i]
		held = append(held, &holding{s, weights[i]})
	}
	value, high, deepest := 1.0, 1.0, 0.0
	for {
		next := e.Last + 1
		for _, h := range held {
			if len(h.Dates) > 0 {
				next = min(next, h.Dates[0])
			}
		}
		if next > e.Last {
			return Path{Return: value - 1, Drawdown: deepest}
		}
		value = cash
		for _, h := range held {
			if len(h.Dates) > 0 && h.Dates[0] == next {
				h.value *= 1 + h.Returns[0]
				h.Dates, h.Returns = h.Dates[1:], h.Returns[1:]
			}
			value += h.value
		}
		high = max(high, value)
		deepest = min(deepest, value/high-1)
	}
}

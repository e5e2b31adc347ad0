package simulate

import (
	"math"

	"ballast/timeseries"
)

// leastInflation is how far prices may fall in a month that is drawn from a distribution.
const leastInflation = -0.5

// WithInflation returns the months for which inflation is known, with that inflation.
// Dates are in the months whose inflation the values are; name is that of the series. The
// error is an *InvalidError.
func (m *Months) WithInflation(name string, dates []timeseries.Date, values []float64) (*Months, error) {
	known := make(map[int]float64, len(dates))
	for i, d := range dates {
		known[monthOf(d)] = values[i]
	}
	has := func(month int) bool {
		_, ok := known[monthOf(m.Ends[month])]
		return ok
	}
	first, end := 0, m.Len()
	for first < end && !has(first) {
		first++
	}
	for end > first && !has(end-1) {
		end--
	}
	if len(dates) == 0 {
		return nil, invalid("inflation", "%s says no month's inflation", name)
	}
	if first == end {
		return nil, invalid("inflation", "%s has inflation from %.7s to %.7s, and the members have whole months from %s to %s: no month is in both",
			name, dates[0], dates[len(dates)-1], m.Base, m.Ends[m.Len()-1])
	}
	out := &Months{Keys: m.Keys, Base: m.Base, Ends: m.Ends[first:end], Returns: make([][]float64, len(m.Returns)), Prices: name}
	if first > 0 {
		out.Base = m.Ends[first-1]
	}
	for i, r := range m.Returns {
		out.Returns[i] = r[first:end]
	}
	for month := first; month < end; month++ {
		if !has(month) {
			return nil, invalid("inflation", "%s has no value for %.7s, between its first and its last month: add it to the series, or leave out the months before it with since", name, m.Ends[month])
		}
		out.Inflation = append(out.Inflation, known[monthOf(m.Ends[month])])
	}
	return out, nil
}

// MeanInflation is the yearly rate at which prices have risen over all months: the
// geometric mean.
func (m *Months) MeanInflation() float64 {
	sum := 0.0
	for _, x := range m.Inflation {
		sum += math.Log1p(x)
	}
	return math.Expm1(12 * sum / float64(len(m.Inflation)))
}

// members names what has the months, for messages.
func (m *Months) members() string {
	if m.Prices == "" {
		return "the members"
	}
	return "the members and " + m.Prices
}

package simulate

import (
	"fmt"
	"math"
	"strings"

	"ballast/timeseries"
)

// Months are the monthly returns of a plan's members over the months that all of
// them have.
type Months struct {
	Keys      []string
	Returns   [][]float64       // by member, then month; fractions
	Base      timeseries.Date   // the month end at which the first month begins
	Ends      []timeseries.Date // each month's last session
	Inflation []float64         // of each month, a fraction; nil if the plan has a rate
	Prices    string            // the series that Inflation is from, NAME.KEY; "" without one
}

// Len is the number of months.
func (m *Months) Len() int { return len(m.Ends) }

// Since returns the months from January of a calendar year on; months that begin later
// are returned as they are. The error is an *InvalidError.
func (m *Months) Since(year int) (*Months, error) {
	first := 0
	for first < m.Len() && monthOf(m.Ends[first]) < 12*year {
		first++
	}
	switch {
	case first == 0:
		return m, nil
	case first == m.Len():
		return nil, invalid("since", "since is %d, and the last month that %s have ends on %s: give an earlier year, or 0 for all months", year, m.members(), m.Ends[first-1])
	}
	out := &Months{Keys: m.Keys, Prices: m.Prices, Base: m.Ends[first-1], Ends: m.Ends[first:], Returns: make([][]float64, len(m.Returns))}
	for i, r := range m.Returns {
		out.Returns[i] = r[first:]
	}
	if m.Inflation != nil {
		out.Inflation = m.Inflation[first:]
	}
	return out, nil
}

// Span is when a series begins and ends.
type Span struct {
	Key         string
	First, Last timeseries.Date // its base and its last bar; 0 without bars
}

// NoCommonMonthsError says that no whole month has bars of all members.
type NoCommonMonthsError struct{ Spans []Span }

func (e *NoCommonMonthsError) Error() string {
	spans := make([]string, len(e.Spans))
	for i, s := range e.Spans {
		if s.Last == 0 {
			spans[i] = s.Key + " has no bars"
			continue
		}
		spans[i] = fmt.Sprintf("%s from %s to %s", s.Key, s.First, s.Last)
	}
	return "the members have no whole month in common: " + strings.Join(spans, ", ")
}

// monthOf numbers months on the calendar.
func monthOf(d timeseries.Date) int {
	y, m, _ := d.YMD()
	return 12*y + int(m) - 1
}

// MonthsOf compounds a frame's daily returns from month end to month end. A
// member's months begin after the first month end that it has a bar in: the return
// of an incomplete first month is left out. The last month counts as it is.
func MonthsOf(f *timeseries.Frame) (*Months, error) {
	n := len(f.Axis)
	month := make([]int, n)
	for t, d := range f.Axis {
		month[t] = monthOf(d)
	}
	first, last := math.MinInt, math.MaxInt
	spans := make([]Span, len(f.Members))
	for i := range f.Members {
		m := &f.Members[i]
		spans[i].Key = m.Key
		if m.First < 0 {
			return nil, &NoCommonMonthsError{spans[i : i+1]}
		}
		spans[i].First, spans[i].Last = f.Axis[m.First], f.Axis[m.Last]
		first, last = max(first, month[m.First]+1), min(last, month[m.Last])
	}
	if first > last {
		return nil, &NoCommonMonthsError{spans}
	}
	var out Months
	for t := range n {
		if month[t] < first {
			out.Base = f.Axis[t]
		}
		if month[t] >= first && month[t] <= last && (t == n-1 || month[t+1] != month[t]) {
			out.Ends = append(out.Ends, f.Axis[t])
		}
	}
	for i := range f.Members {
		m := &f.Members[i]
		r := make([]float64, 0, len(out.Ends))
		growth := 1.0
		for t := m.First + 1; t < n && month[t] <= last; t++ {
			growth *= 1 + m.Returns[t]
			if t == n-1 || month[t+1] != month[t] {
				if month[t] >= first {
					r = append(r, growth-1)
				}
				growth = 1
			}
		}
		if len(r) != len(out.Ends) {
			return nil, fmt.Errorf("%s has %d months of %d", m.Key, len(r), len(out.Ends))
		}
		out.Keys, out.Returns = append(out.Keys, m.Key), append(out.Returns, r)
	}
	return &out, nil
}

package timeseries

import "slices"

// Outside is one column of values from outside a market, such as a factor or a rate, on
// the axis of a frame. It has only the values that are known at the frame's last
// session.
type Outside struct {
	Key    string    // unique among those of the frame
	Dates  []Date    // of the values, ascending; a month is dated on its last day
	Values []float64 // one per date
	// Ends has one element more than the axis, the first of which is 0: at the close of
	// session t, the values before Ends[t+1] are known.
	Ends []int32
}

// Known returns the dates and values that are known at the close of session t. They
// share memory with o.
func (o *Outside) Known(t int) ([]Date, []float64) {
	n := o.Ends[t+1]
	return o.Dates[:n:n], o.Values[:n:n]
}

// NewOutside places values on an axis. Element i becomes known at the first session on
// or after known[i], which must ascend; NoDate, at the end, stands for never. The slices
// are shared.
func NewOutside(key string, axis, known, dates []Date, values []float64) Outside {
	o := Outside{Key: key, Ends: make([]int32, len(axis)+1)}
	n := 0
	for t, session := range axis {
		for n < len(known) && known[n] != NoDate && known[n] <= session {
			n++
		}
		o.Ends[t+1] = int32(n)
	}
	o.Dates, o.Values = dates[:n:n], values[:n:n]
	return o
}

// HasOutside reports whether the frame has a column from outside with this key.
func (f *Frame) HasOutside(key string) bool {
	return slices.ContainsFunc(f.Outside, func(o Outside) bool { return o.Key == key })
}

// cut returns what is known at the close of the n-th session.
func (o *Outside) cut(n int) Outside {
	known := o.Ends[n]
	return Outside{Key: o.Key, Dates: o.Dates[:known:known], Values: o.Values[:known:known], Ends: o.Ends[: n+1 : n+1]}
}

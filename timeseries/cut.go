package timeseries

// Cut returns the frame as it was known at the close of date d: without everything after
// d, and without the knowledge that a member with later bars would be delisted. Returns
// share memory with f.
func (f *Frame) Cut(d Date) *Frame {
	n := Through(f.Axis, d)
	cut := &Frame{
		Axis:        f.Axis[:n:n],
		Members:     make([]Member, len(f.Members)),
		BarsPerYear: f.BarsPerYear,
		Calendar:    f.Calendar,
	}
	for i := range f.Outside {
		cut.Outside = append(cut.Outside, f.Outside[i].cut(n))
	}
	bytes := (n + 7) / 8
	bitmaps := make([]byte, bytes*len(f.Members))
	for i, m := range f.Members {
		bars := bitmaps[i*bytes : (i+1)*bytes : (i+1)*bytes]
		copy(bars, m.Bars)
		if n&7 != 0 {
			bars[n>>3] &= 1<<(n&7) - 1
		}
		if m.Last >= n {
			m.Delisted = false
		}
		m.Returns, m.Bars = m.Returns[:n:n], bars
		m.First, m.Last = bounds(bars, n)
		m.Delisted = m.Delisted && m.First >= 0
		cut.Members[i] = m
	}
	return cut
}

package metrics

import "ballast/timeseries"

// Overlaps reports whether a benchmark covers a session of s, so that it can be
// compared: it has a value on that session and on the one before.
func Overlaps(s, benchmark timeseries.Series) bool {
	if benchmark.Empty() || s.Empty() {
		return false
	}
	previous, last := s.Base, benchmark.Last()
	for _, date := range s.Dates {
		if previous >= benchmark.Base {
			return date <= last
		}
		previous = date
	}
	return false
}

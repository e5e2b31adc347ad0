package metrics

import "ballast/timeseries"

// Overlaps reports whether a benchmark can be compared with s: whether it has a
// return on a session of s that it covers from the session before. Comparable
// says the same as an error, with the days of both.
func Overlaps(s, benchmark timeseries.Series) bool {
	_, from, to := aligned(s, benchmark, make([]float64, 0, len(s.Dates)))
	return from < to
}

package metrics

import (
	"errors"
	"fmt"

	"ballast/timeseries"
)

// ErrNoCommonSessions says that a benchmark has no return on any session of the
// series that it is to be compared with.
var ErrNoCommonSessions = errors.New("the benchmark shares no session with the series")

// Comparable tells whether s can be compared with a benchmark at all: nil where
// they share a session, an error that wraps ErrNoCommonSessions and names the
// days of both where they do not. A series without returns is nobody's fault
// and gives nil. Compute itself takes either, with null for every figure of a
// benchmark that shares nothing.
func Comparable(s timeseries.Series, against *BenchmarkSeries) error {
	if against == nil || len(s.Dates) == 0 || overlap(s, against.Series) {
		return nil
	}
	covered := "has no returns"
	if b := against.Series; len(b.Dates) > 0 {
		covered = fmt.Sprintf("has returns from %s to %s", b.Dates[0], b.Dates[len(b.Dates)-1])
	}
	return fmt.Errorf("%s %s, the series from %s to %s: %w",
		against.Symbol, covered, s.Dates[0], s.Dates[len(s.Dates)-1], ErrNoCommonSessions)
}

// overlap reports whether a benchmark has a return on a session of s that it
// covers from the session before.
func overlap(s, benchmark timeseries.Series) bool {
	_, from, to := aligned(s, benchmark, make([]float64, 0, len(s.Dates)))
	return from < to
}

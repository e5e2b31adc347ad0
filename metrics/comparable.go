package metrics

import (
	"errors"
	"fmt"

	"ballast/timeseries"
)

// ErrNoCommonSessions says that a benchmark has no return on any session of the series.
var ErrNoCommonSessions = errors.New("the benchmark shares no session with the series")

// Comparable checks whether s can be compared with a benchmark. It returns nil if they
// share a session, and otherwise an error that wraps ErrNoCommonSessions and names the
// dates of both. It also returns nil for a series without returns. Compute does not
// need this check: it returns null for every statistic of a benchmark without common
// sessions.
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

// overlap reports whether the benchmark has a return on a session of s whose previous
// session it covers too.
func overlap(s, benchmark timeseries.Series) bool {
	_, from, to := aligned(s, benchmark, make([]float64, 0, len(s.Dates)))
	return from < to
}

package backtest

import (
	"fmt"
	"slices"
	"strings"

	"ballast/timeseries"
)

// startSession returns the first session, not before the start date, on which the
// start rule is satisfied. In a universe of one, the rule of two members needs only
// that one.
func startSession(f *timeseries.Frame, spec Spec) (int, error) {
	if len(f.Members) == 0 || len(f.Axis) == 0 {
		return 0, &StartError{Message: "no member has a bar"}
	}
	need := len(f.Members)
	switch spec.Start {
	case StartTwoMembers:
		need = min(2, need)
	case StartFirstMember:
		need = 1
	}
	var firsts []int
	var missing []string
	for i := range f.Members {
		if first := f.Members[i].First; first >= 0 {
			firsts = append(firsts, first)
		} else {
			missing = append(missing, f.Members[i].Key)
		}
	}
	if len(firsts) < need {
		return 0, &StartError{Keys: missing, Message: fmt.Sprintf("start rule %s needs %d members with bars; %s %s none",
			spec.Start, need, strings.Join(missing, ", "), map[bool]string{true: "has", false: "have"}[len(missing) == 1])}
	}
	slices.Sort(firsts)
	from, _ := slices.BinarySearch(f.Axis, spec.StartDate)
	start := max(firsts[need-1], from)
	if start >= len(f.Axis) {
		return 0, &StartError{Message: fmt.Sprintf("start date %s is after the last bar, %s", spec.StartDate, f.Axis[len(f.Axis)-1])}
	}
	return start, nil
}

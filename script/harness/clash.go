package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ballast/optimize"
)

// unsolved turns an error of a solver into one that names the symbols.
func (c call) unsolved(b bounds, err error) error {
	var clash *optimize.Clash
	if !errors.As(err, &clash) {
		return c.errorf("%v", err)
	}
	var parts []string
	for _, upper := range []bool{false, true} {
		if s := b.bound(clash, upper); s != "" {
			parts = append(parts, s)
		}
	}
	for _, l := range clash.Limits {
		switch {
		case l.Row == 0:
			parts = append(parts, fmt.Sprintf("all weights add up to %v", b.total))
		case l.Row > 0:
			parts = append(parts, b.group(l))
		}
	}
	return c.errorf("no weights satisfy all limits. These contradict one another: %s. Relax one of them", strings.Join(parts, "; "))
}

// bound describes the lower or the upper bounds that clash, with their sum.
func (b bounds) bound(clash *optimize.Clash, upper bool) string {
	side, values := "lower", b.lower
	if upper {
		side, values = "upper", b.upper
	}
	var names []string
	var total float64
	for i, s := range b.symbols {
		if slices.Contains(clash.Limits, optimize.Limit{Row: -1, Weight: i, Upper: upper}) {
			names = append(names, s)
			total += values[i]
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("the %s bound of %s is %v", side, names[0], total)
	}
	return fmt.Sprintf("the %s bounds of %s add up to %v", side, several(names), total)
}

func (b bounds) group(l optimize.Limit) string {
	row := b.groups[l.Row-1]
	names := make([]string, len(row.Members))
	for k, i := range row.Members {
		names[k] = b.symbols[i]
	}
	verb, limit := "at least", row.Min
	if l.Upper {
		verb, limit = "at most", row.Max
	}
	if len(names) == 0 {
		return fmt.Sprintf("group %d has %s %v but no member in the panel", l.Row, verb, limit)
	}
	return fmt.Sprintf("group %d (%s) has %s %v", l.Row, several(names), verb, limit)
}

// several joins names; of many only the first are listed.
func several(names []string) string {
	const shown = 8
	if len(names) > shown {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

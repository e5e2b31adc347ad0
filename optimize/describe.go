package optimize

import (
	"fmt"
	"slices"
	"strings"
)

// Describe says in words which limits of a problem contradict one another, with the
// names of the weights. The first row is the total, the others are groups, unless other
// has a description of a row.
func (c *Clash) Describe(names []string, p Problem, other func(Limit) string) []string {
	var parts []string
	for _, upper := range []bool{false, true} {
		if s := c.bounds(names, p, upper); s != "" {
			parts = append(parts, s)
		}
	}
	for _, l := range c.Limits {
		switch {
		case l.Row < 0:
		case l.Row == 0:
			parts = append(parts, fmt.Sprintf("all weights add up to %v", p.Rows[0].Max))
		default:
			text := ""
			if other != nil {
				text = other(l)
			}
			if text == "" {
				text = group(names, p.Rows[l.Row], l)
			}
			parts = append(parts, text)
		}
	}
	return parts
}

// bounds describes the lower or the upper bounds that clash, with their sum.
func (c *Clash) bounds(names []string, p Problem, upper bool) string {
	side, values := "lower", p.Lower
	if upper {
		side, values = "upper", p.Upper
	}
	var at []string
	var total float64
	for i, name := range names {
		if slices.Contains(c.Limits, Limit{Row: -1, Weight: i, Upper: upper}) {
			at = append(at, name)
			total += values[i]
		}
	}
	switch len(at) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("the %s bound of %s is %v", side, at[0], total)
	}
	return fmt.Sprintf("the %s bounds of %s add up to %v", side, several(at), total)
}

func group(names []string, row Row, l Limit) string {
	members := make([]string, len(row.Members))
	for k, i := range row.Members {
		members[k] = names[i]
	}
	verb, limit := "at least", row.Min
	if l.Upper {
		verb, limit = "at most", row.Max
	}
	if len(members) == 0 {
		return fmt.Sprintf("group %d has %s %v but no member in the panel", l.Row, verb, limit)
	}
	return fmt.Sprintf("group %d (%s) has %s %v", l.Row, several(members), verb, limit)
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

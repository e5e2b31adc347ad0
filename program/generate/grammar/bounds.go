package grammar

import (
	"fmt"
	"slices"
)

// Bound limits the weight of a member of the pool.
type Bound struct {
	Key          string
	Lower, Upper float64 // from 0 to 1
}

// limited sets the limits of single members, and the least weight of all. They are
// constraints of weights that are optimised; equal weights are cut or raised to them, with
// the others in proportion.
func (p *parser) limited(plan *Plan) {
	d := &p.draft
	if len(d.bounds) == 0 {
		return
	}
	list := make([]Bound, len(plan.Pool))
	for i, h := range plan.Pool {
		list[i] = Bound{Key: h.Key, Upper: 1}
		if plan.Cap > 0 {
			list[i].Upper = plan.Cap
		}
	}
	for _, b := range d.bounds {
		found := false
		for i := range list {
			if b.key != "" && b.key != list[i].Key {
				continue
			}
			found = true
			list[i].Lower, list[i].Upper = max(list[i].Lower, b.lower), min(list[i].Upper, b.upper)
			if list[i].Lower > list[i].Upper {
				p.refuse(b.from, b.to, "", fmt.Sprintf("no weight of %s is within this limit and the one before", list[i].Key))
				return
			}
		}
		if !found {
			p.refuse(b.from, b.to, "", b.key+" is no member of what is held")
			return
		}
	}
	first := d.bounds[0]
	low, high := 0.0, 0.0
	for _, b := range list {
		low, high = low+b.Lower, high+b.Upper
	}
	switch {
	case low > 1+1e-9:
		p.refuse(first.from, first.to, "", fmt.Sprintf("the least weights add up to %s, more than all", percent(low)))
	case plan.Leverage != 1 || plan.Target > 0:
		p.refuse(first.from, first.to, "", "leverage or a volatility target would change the weights that this limits: give only one of the two")
	case plan.Select != nil || plan.Each != nil || plan.Rule != nil:
		p.refuse(first.from, first.to, "", "limits of single members need all members to be held: they cannot go with a choice among them")
	case plan.Weighting.optimal():
		if high < 1-1e-9 {
			plan.Notes = append(plan.Notes, fmt.Sprintf("The limits leave room for %s; the rest stays in CASH.", percent(high)))
		}
		plan.Bounds, plan.Cap = list, 0
	case plan.Weighting == Equal:
		p.withinLimits(plan, list)
	case plan.Weighting == Fixed:
		p.refuse(first.from, first.to, "", "the shares are given: change them instead of limiting them, or say minimum variance, mean variance or risk parity of the members")
	case plan.Weighting == InverseVolatility && len(d.bounds) == 1 && first.key != "" && first.lower == 0 && plan.Cap == 0:
		plan.Bounds = list
	default:
		p.refuse(first.from, first.to, "", "a limit of one member goes with minimum variance, mean variance, risk parity or equal weights, and one cap with inverse volatility; with others say a cap on all members, such as max 40% each")
	}
}

// withinLimits cuts equal weights to their limits, and shares what is cut off or taken among
// the others in proportion, until all are within their limits.
func (p *parser) withinLimits(plan *Plan, list []Bound) {
	weights := make([]float64, len(list))
	held := make([]bool, len(list)) // at a limit
	for range len(list) + 1 {
		free, left := 0, 1.0
		for i := range list {
			if held[i] {
				left -= weights[i]
			} else {
				free++
			}
		}
		moved := false
		for i, b := range list {
			if held[i] {
				continue
			}
			weights[i] = left / float64(free)
			if weights[i] > b.Upper+1e-12 || weights[i] < b.Lower-1e-12 {
				weights[i], held[i], moved = min(max(weights[i], b.Lower), b.Upper), true, true
				break
			}
		}
		if !moved {
			break
		}
	}
	if !slices.Contains(held, true) {
		plan.Notes = append(plan.Notes, "Equal weights are within the limits already: "+boundsInWords(list)+".")
		return
	}
	for i := range plan.Pool {
		plan.Pool[i].Weight = hundredth(weights[i] * 100)
	}
	plan.Weighting, plan.Cap = Fixed, 0
	plan.Notes = append(plan.Notes, "Equal weights are kept within the limits; what is cut off, or needed, is shared by the others in equal parts.")
}

// boundsInWords describes the limits of members.
func boundsInWords(list []Bound) string {
	var parts []string
	for _, b := range list {
		switch {
		case b.Lower > 0 && b.Upper < 1:
			parts = append(parts, fmt.Sprintf("%s from %s to %s", b.Key, percent(b.Lower), percent(b.Upper)))
		case b.Lower > 0:
			parts = append(parts, fmt.Sprintf("%s at least %s", b.Key, percent(b.Lower)))
		case b.Upper < 1:
			parts = append(parts, fmt.Sprintf("%s at most %s", b.Key, percent(b.Upper)))
		}
	}
	return and(parts)
}

// sayBounds says the limits as the grammar reads them.
func sayBounds(list []Bound) (parts []string) {
	for _, b := range list {
		if b.Lower > 0 || b.Upper < 1 {
			parts = append(parts, fmt.Sprintf("%s between %s and %s", b.Key, exactPercent(b.Lower), exactPercent(b.Upper)))
		}
	}
	return parts
}

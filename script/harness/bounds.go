package harness

import (
	"math"

	"go.starlark.net/starlark"

	"ballast/optimize"
)

// bounds limit the weights of an optimiser: one pair per symbol, their sum, and the sums
// of groups.
type bounds struct {
	symbols      []string
	lower, upper []float64
	total        float64
	groups       []optimize.Row
}

const feasible = 1e-12 // tolerance when sums of bounds are compared with the total

// bounds reads the limits of each weight. lower and upper are each a number for
// all symbols, or a dictionary by symbol, in which a missing symbol has a lower
// bound of 0 or an upper bound of 1. Bounds that no weights can satisfy are an
// error.
func (c call) bounds(symbols []string, lower, upper starlark.Value, total real, groups starlark.Value) (bounds, error) {
	b := bounds{symbols: symbols, total: float64(total)}
	var err error
	if b.lower, err = c.limits("lower", symbols, lower, 0); err != nil {
		return bounds{}, err
	}
	if b.upper, err = c.limits("upper", symbols, upper, 1); err != nil {
		return bounds{}, err
	}
	if b.groups, err = c.groups(symbols, groups); err != nil {
		return bounds{}, err
	}
	for i, s := range symbols {
		if b.lower[i] > b.upper[i] {
			return bounds{}, c.errorf("the lower bound of %s is %v, above its upper of %v", s, b.lower[i], b.upper[i])
		}
	}
	low, high := sum(b.lower), sum(b.upper)
	switch {
	case len(symbols) == 0:
	case low > b.total+feasible:
		return bounds{}, c.errorf("the lower bounds add up to %v, above the total of %v", low, b.total)
	case high < b.total-feasible:
		return bounds{}, c.errorf("the upper bounds add up to %v, below the total of %v", high, b.total)
	}
	return b, nil
}

func (c call) limits(what string, symbols []string, v starlark.Value, standard float64) ([]float64, error) {
	out := make([]float64, len(symbols))
	if _, by := v.(*starlark.Dict); !by {
		x, err := finite(v)
		if err != nil {
			return nil, c.errorf("%s %v, or a dictionary by symbol", what, err)
		}
		for i := range out {
			out[i] = x
		}
		return out, nil
	}
	k, err := c.numbers(what, v)
	if err != nil {
		return nil, err
	}
	for i, s := range symbols {
		out[i] = standard
		if x, ok := k.at(s); ok {
			out[i] = x
		}
	}
	return out, nil
}

// capped returns the bounds with no weight above limit. If that leaves too little room
// for the total, the total is what there is room for.
func (c call) capped(b bounds, limit float64) (bounds, error) {
	upper := make([]float64, len(b.upper))
	for i, s := range b.symbols {
		if b.lower[i] > limit {
			return bounds{}, c.errorf("the lower bound of %s is %v, above the limit of %v", s, b.lower[i], limit)
		}
		upper[i] = min(b.upper[i], limit)
	}
	b.upper, b.total = upper, min(b.total, sum(upper))
	return b, nil
}

// rows returns the sum of all weights and the groups as rows of a problem.
func (b bounds) rows() []optimize.Row {
	return append([]optimize.Row{optimize.Total(len(b.symbols), b.total)}, b.groups...)
}

// groups reads a list of groups: dictionaries with the members, and the least and the
// most that they may hold together. Members that the panel does not have are left out.
func (c call) groups(symbols []string, v starlark.Value) ([]optimize.Row, error) {
	if v == starlark.None {
		return nil, nil
	}
	list, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText {
		return nil, c.errorf("groups is a %s; a list of dictionaries is needed, such as [{\"members\": [\"A\", \"B\"], \"max\": 0.5}]", v.Type())
	}
	place := make(map[string]int, len(symbols))
	for i, s := range symbols {
		place[s] = i
	}
	rows := make([]optimize.Row, list.Len())
	for g := range rows {
		d, ok := list.Index(g).(*starlark.Dict)
		if !ok {
			return nil, c.errorf("group %d is a %s; a dictionary with members, min and max is needed", g+1, list.Index(g).Type())
		}
		row := optimize.Row{Min: math.Inf(-1), Max: math.Inf(1)}
		named := false
		for _, item := range d.Items() {
			key, _ := starlark.AsString(item[0])
			var err error
			switch key {
			case "members":
				named = true
				row.Members, err = c.membersOf(g, place, item[1])
			case "min":
				row.Min, err = c.limitOf(g, key, item[1])
			case "max":
				row.Max, err = c.limitOf(g, key, item[1])
			default:
				err = c.errorf("group %d has the key %s; it takes members, min and max", g+1, item[0])
			}
			if err != nil {
				return nil, err
			}
		}
		switch {
		case !named:
			return nil, c.errorf("group %d has no members", g+1)
		case row.Min > row.Max:
			return nil, c.errorf("group %d has a min of %v, above its max of %v", g+1, row.Min, row.Max)
		}
		rows[g] = row
	}
	return rows, nil
}

func (c call) limitOf(group int, key string, v starlark.Value) (float64, error) {
	x, err := finite(v)
	if err != nil {
		return 0, c.errorf("the %s of group %d %v", key, group+1, err)
	}
	return x, nil
}

func (c call) membersOf(group int, place map[string]int, v starlark.Value) ([]int, error) {
	list, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText {
		return nil, c.errorf("the members of group %d are a %s; a list of symbols is needed", group+1, v.Type())
	}
	seen := make(map[string]bool, list.Len())
	var out []int
	for k := range list.Len() {
		s, ok := starlark.AsString(list.Index(k))
		switch {
		case !ok:
			return nil, c.errorf("group %d has the member %s, which is not a symbol", group+1, list.Index(k))
		case seen[s]:
			return nil, c.errorf("group %d names %s twice", group+1, s)
		}
		seen[s] = true
		if i, held := place[s]; held {
			out = append(out, i)
		}
	}
	return out, nil
}

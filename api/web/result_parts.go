package web

import (
	"cmp"
	"math"
	"slices"

	"ballast/backtest"
	"ballast/metrics"
	"ballast/program/history"
)

// part is a node of a model's tree: what it is, its share of the whole and, for a member
// of the model itself, what it added to the return over the period.
type part struct {
	Name, Now, Mean, Added string
	Parts                  []part

	key string
}

// mostParts limits the nodes that a page shows below one node.
const mostParts = 50

// partsOf returns the parts of a model that holds other models; nil for one that holds
// assets alone, because its holdings say the same.
func partsOf(h *history.History) []part {
	if h.Tree == nil || !slices.ContainsFunc(h.Tree.Children, func(n *history.Node) bool { return n.Children != nil }) {
		return nil
	}
	names := map[string]string{}
	for _, l := range h.Labels {
		if l.Name != "" && l.Name != l.Key {
			names[l.Key] = l.Key + " " + l.Name
		}
	}
	parts := nodes(h.Tree.Children, names)
	if c := h.Contribution; c != nil {
		added := map[string]float64{}
		equity := metrics.Equity(nil, h.Returns)
		for k, key := range c.Keys {
			for d, v := range c.Values[k] {
				added[key] += equity[d] * v
			}
		}
		for i := range parts {
			parts[i].Added = decimal(100*added[parts[i].key], 1, "\u202fpp")
		}
	}
	return parts
}

func nodes(children []*history.Node, names map[string]string) []part {
	now := func(n *history.Node) float64 {
		if len(n.Weights) == 0 {
			return 0
		}
		return n.Weights[len(n.Weights)-1]
	}
	children = slices.Clone(children)
	slices.SortStableFunc(children, func(x, y *history.Node) int { return cmp.Compare(math.Abs(now(y)), math.Abs(now(x))) })
	var parts []part
	for _, n := range children[:min(len(children), mostParts)] {
		sum := 0.0
		for _, w := range n.Weights {
			sum += w
		}
		name := cmp.Or(names[n.Key], n.Key)
		if n.Key == backtest.CashKey {
			name = "Cash"
		}
		parts = append(parts, part{
			Name: name, Now: percent(now(n), 1), Mean: percent(sum/float64(max(len(n.Weights), 1)), 1), Parts: nodes(n.Children, names), key: n.Key,
		})
	}
	return parts
}

// contributions show what each member added to the return of each year.
type contributions struct {
	Members []string
	Rows    []contributionRow // latest year first
	More    int               // members that are not shown
}

// contributionRow is a year. Parts add up to Whole, with those of members that are not
// shown.
type contributionRow struct {
	Year  int
	Parts []cellOfYear
	Whole string
}

// mostMembers is how many members the table of contributions has columns for: those that
// added or cost most.
const mostMembers = 12

// linkedYear has what each member added to the return of a year.
type linkedYear struct {
	year  int
	parts []float64
	whole float64
}

// linked links the daily contributions of a year: each counts by the equity at
// the close before it, as a multiple of the equity at the beginning of the year, so the
// sums of all members add up to the year's return.
func linked(h *history.History) []linkedYear {
	c := h.Contribution
	var years []linkedYear
	equity := metrics.Equity(nil, h.Returns)
	opened := 1.0
	for d, date := range h.Dates {
		if y, _, _ := date.YMD(); len(years) == 0 || years[len(years)-1].year != y {
			years = append(years, linkedYear{year: y, parts: make([]float64, len(c.Keys))})
			opened = equity[d]
		}
		last := &years[len(years)-1]
		for k := range c.Keys {
			last.parts[k] += equity[d] / opened * c.Values[k][d]
		}
		last.whole = equity[d+1]/opened - 1
	}
	return years
}

// contributionsOf shows the members that added or cost most.
func contributionsOf(h *history.History) *contributions {
	c := h.Contribution
	if c == nil || len(h.Dates) == 0 {
		return nil
	}
	years := linked(h)
	size := make([]float64, len(c.Keys))
	var order []int
	for k, key := range c.Keys {
		for _, y := range years {
			size[k] += math.Abs(y.parts[k])
		}
		if size[k] > 0 && key != backtest.CashKey {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(size[y], size[x]) })
	out := &contributions{More: max(0, len(order)-mostMembers)}
	order = order[:min(len(order), mostMembers)]
	if len(order) == 0 {
		return nil
	}
	for _, k := range order {
		out.Members = append(out.Members, c.Keys[k])
	}
	for _, y := range slices.Backward(years) {
		row := contributionRow{Year: y.year, Whole: percent(y.whole, 1)}
		for _, k := range order {
			row.Parts = append(row.Parts, cellOfYear{Text: percent(y.parts[k], 1), Class: heat(y.parts[k], .2)})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

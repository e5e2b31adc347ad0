package analyze

import "ballast/metrics"

// CoDrawdown is the deepest drawdown of one series, and what the others did from its
// peak to its valley.
type CoDrawdown struct {
	Depth        float64 // a fraction; 0 for a series that never falls
	Peak, Valley int     // the rows at whose close they are; −1 is the close before the first row
	Others       []Path  // by column, the series itself among them; NaN for a series that never falls
}

// CoDrawdowns returns the deepest drawdown of each column over the complete rows, the
// earliest of those that are equally deep. It returns a *DataError if a return is infinite
// or below −1.
func CoDrawdowns(columns []Column) ([]CoDrawdown, error) {
	rows, kept, err := complete(columns)
	if err != nil {
		return nil, err
	}
	equity := make([][]float64, len(rows))
	for i, c := range rows {
		for t, r := range c.Values {
			if r < -1 {
				return nil, failed(c.Name, "%s loses more than everything in row %d, so its drawdowns cannot be told", c.Name, kept[t])
			}
		}
		equity[i] = metrics.Equity(nil, c.Values)
		if !finite(equity[i][len(c.Values)]) {
			return nil, failed(c.Name, "%s grows beyond what a number can hold", c.Name)
		}
	}
	out := make([]CoDrawdown, len(rows))
	for i := range rows {
		out[i] = CoDrawdown{Peak: -1, Valley: -1, Others: make([]Path, len(rows))}
		worst := metrics.Spell{Recovery: -1}
		for _, s := range metrics.Drawdowns(equity[i]) {
			if s.Depth < worst.Depth {
				worst = s
			}
		}
		for j := range rows {
			out[i].Others[j] = Path{Return: missing, Drawdown: missing}
			if worst.Depth < 0 {
				out[i].Others[j] = between(equity[j], worst.Peak, worst.Valley)
			}
		}
		if worst.Depth < 0 {
			out[i].Depth, out[i].Valley = worst.Depth, kept[worst.Valley-1]
			if worst.Peak > 0 {
				out[i].Peak = kept[worst.Peak-1]
			}
		}
	}
	return out, nil
}

// between is the path of equity from one position to a later one. It is NaN if the
// equity is 0 at the first.
func between(equity []float64, first, last int) Path {
	if equity[first] == 0 {
		return Path{Return: missing, Drawdown: missing}
	}
	high, deepest := equity[first], 0.0
	for _, v := range equity[first : last+1] {
		high = max(high, v)
		deepest = min(deepest, v/high-1)
	}
	return Path{Return: equity[last]/equity[first] - 1, Drawdown: deepest}
}

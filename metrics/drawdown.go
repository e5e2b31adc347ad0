package metrics

import (
	"slices"

	"ballast/internal/number"
	"ballast/timeseries"
)

// highTolerance is how far equity may be below its high, as a fraction of the high, and
// still count as recovered. The returns of a price that comes back to its old level
// compound to 1 only up to rounding.
const highTolerance = 1e-12

// Spell is one drawdown, in positions of an equity curve.
type Spell struct {
	Depth    float64 // equity at the valley divided by the high, minus 1; negative
	Peak     int     // last position at the old high
	Valley   int     // first position at the low
	Recovery int     // first position back at the old high, or −1
}

// Drawdowns returns the drawdowns of equity in order of time. All values must be finite.
func Drawdowns(equity []float64) []Spell {
	if len(equity) == 0 {
		return nil
	}
	var (
		spells []Spell
		high   = equity[0]
		peak   = 0
		open   = false
	)
	for i, value := range equity {
		if !underWater(value, high) {
			if open {
				spells[len(spells)-1].Recovery, open = i, false
			}
			high, peak = max(high, value), i
			continue
		}
		depth := value/high - 1
		if !open {
			spells, open = append(spells, Spell{Depth: depth, Peak: peak, Valley: i, Recovery: -1}), true
			continue
		}
		if last := &spells[len(spells)-1]; depth < last.Depth {
			last.Depth, last.Valley = depth, i
		}
	}
	return spells
}

func underWater(value, high float64) bool { return value < high*(1-highTolerance) }

// Drawdown is a drawdown in its JSON form.
type Drawdown struct {
	Value    number.Float     `json:"value"`    // fraction, 0 or negative; null without returns
	Peak     *timeseries.Date `json:"peak"`     // last session at the old high; null without a drawdown
	Valley   *timeseries.Date `json:"valley"`   // session of the low
	Recovery *timeseries.Date `json:"recovery"` // first session back at the old high; null before recovery
	Days     *int             `json:"days"`     // calendar days from peak to recovery or to the end
}

// DeepestDrawdowns returns the n deepest drawdowns of a series, deepest first; of two that
// are equally deep, the earlier one comes first. It is empty if a return is not finite.
func DeepestDrawdowns(s timeseries.Series, n int) []Drawdown {
	return deepest(s, Equity(nil, s.Returns), n)
}

// deepest finds the drawdowns in the equity of s.
func deepest(s timeseries.Series, equity []float64, n int) []Drawdown {
	if !finite(equity[len(equity)-1]) {
		return []Drawdown{}
	}
	day := func(position int) *timeseries.Date {
		date := s.Base
		if position > 0 {
			date = s.Dates[position-1]
		}
		if date == timeseries.NoDate {
			return nil
		}
		return &date
	}
	spells := Drawdowns(equity)
	slices.SortStableFunc(spells, func(a, b Spell) int {
		switch {
		case a.Depth < b.Depth:
			return -1
		case a.Depth > b.Depth:
			return 1
		}
		return 0
	})
	spells = spells[:min(n, len(spells))]
	out := make([]Drawdown, 0, len(spells))
	for _, spell := range spells {
		d := Drawdown{Value: number.Float(spell.Depth), Peak: day(spell.Peak), Valley: day(spell.Valley)}
		end := day(len(equity) - 1)
		if spell.Recovery >= 0 {
			d.Recovery = day(spell.Recovery)
			end = d.Recovery
		}
		if d.Peak != nil && end != nil {
			days := int(*end - *d.Peak)
			d.Days = &days
		}
		out = append(out, d)
	}
	return out
}

package syncing

import (
	"fmt"
	"math"
	"sort"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// agreement is the relative difference up to which two growths count as equal,
// beyond what the rounding of prices explains.
const agreement = 1e-5

// growth is a day's total return plus 1.
func growth(before, b provider.Bar) float64 {
	if !math.IsNaN(b.Adjusted) {
		return b.Adjusted / before.Adjusted
	}
	split, dividend := b.Split, b.Dividend
	if math.IsNaN(split) {
		split = 1
	}
	if math.IsNaN(dividend) {
		dividend = 0
	}
	return (float64(b.Close*split) + dividend) / before.Close
}

// difference describes the first disagreement between bars and the stored series,
// or returns "": a different growth from one common day to the next, or a day
// between stored days that is not stored. A stored day that the provider lacks is
// no disagreement as long as the growth across it is the same.
func difference(stored timeseries.Series, days []provider.Bar, rounding float64) string {
	if stored.Empty() || len(days) == 0 {
		return ""
	}
	last := stored.Last()
	from := sort.Search(len(days), func(i int) bool { return days[i].Date >= stored.Base })
	to := sort.Search(len(days), func(i int) bool { return days[i].Date > last })
	if from == to {
		return "they have no day in common"
	}
	next := sort.Search(len(stored.Dates), func(i int) bool { return stored.Dates[i] >= days[from].Date })
	switch {
	case days[from].Date == stored.Base:
	case next == len(stored.Dates) || stored.Dates[next] != days[from].Date:
		return fmt.Sprintf("%s is not stored", days[from].Date)
	default:
		next++
	}
	for i := from + 1; i < to; i++ {
		had := 1.0
		for next < len(stored.Dates) && stored.Dates[next] < days[i].Date {
			had *= 1 + stored.Returns[next]
			next++
		}
		if next == len(stored.Dates) || stored.Dates[next] != days[i].Date {
			return fmt.Sprintf("%s is not stored", days[i].Date)
		}
		had *= 1 + stored.Returns[next]
		next++
		has := growth(days[i-1], days[i])
		allowed := agreement + rounding*(1/level(days[i-1])+1/level(days[i]))
		if math.Abs(has-had) > allowed*math.Max(had, has) {
			return fmt.Sprintf("the return to %s is %.6g, but %.6g is stored", days[i].Date, has-1, had-1)
		}
	}
	return ""
}

// level is the price that was rounded.
func level(b provider.Bar) float64 {
	if math.IsNaN(b.Adjusted) {
		return b.Close
	}
	return b.Adjusted
}

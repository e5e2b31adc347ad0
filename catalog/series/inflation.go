package series

import (
	"fmt"
	"math"
	"time"

	"ballast/timeseries"
)

const (
	longestGap     = 3    // months between two levels of an index
	leastInflation = -0.5 // of a month
)

// Inflation returns the inflation of each month that a monthly column says: the return of
// the month, an annual rate (1 + v)^(1/12) − 1, or what an index of prices has risen by
// since its level before. Between two levels that are up to three months apart, prices
// rise evenly; a longer gap is left open. The error says why a column cannot be
// inflation.
func (v *Values) Inflation() (*Values, error) {
	if v.Of.Frequency != Monthly {
		return nil, fmt.Errorf("%s is a %s series: inflation comes from a monthly one", v.Name(), v.Of.Frequency)
	}
	out := &Values{Of: v.Of, Key: v.Key}
	for i, d := range v.Dates {
		x, gap := v.Values[i], 1
		switch v.Of.Kind {
		case Return:
		case Rate:
			x = math.Pow(1+x, 1.0/12) - 1
		case Index:
			if i == 0 {
				continue
			}
			if gap = monthNumber(d) - monthNumber(v.Dates[i-1]); gap > longestGap {
				continue
			}
			if x /= v.Values[i-1]; gap > 1 {
				x = math.Pow(x, 1/float64(gap))
			}
			x--
		}
		if x <= leastInflation {
			return nil, fmt.Errorf("%s says that prices fell by %.4g %% in the month to %s: at most %v %% is plausible", v.Name(), -100*x, d, -100*leastInflation)
		}
		year, month, _ := d.YMD()
		for k := gap - 1; k >= 0; k-- {
			out.Dates, out.Values = append(out.Dates, timeseries.NewDate(year, month+1-time.Month(k), 0)), append(out.Values, x)
		}
	}
	return out, nil
}

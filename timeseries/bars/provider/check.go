package provider

import (
	"fmt"
	"math"
	"time"

	"ballast/timeseries"
)

const (
	firstYear = 1885
	// mostBars is more days than any series has.
	mostBars = 100_000
	// mostPrice limits prices and split factors.
	mostPrice = 1e12
)

// Check refuses impossible bars: days that do not ascend or lie in the future, missing or
// impossible prices, adjusted closes on some days only. The error describes the first of
// them.
func Check(name string, bars []Bar, now time.Time) error {
	refuse := func(format string, args ...any) error {
		return &Error{Provider: name, Kind: Malformed, Detail: fmt.Sprintf(format, args...)}
	}
	if len(bars) > mostBars {
		return refuse("the response has %d bars; at most %d are accepted", len(bars), mostBars)
	}
	// No time zone is more than a day ahead of UTC.
	latest := timeseries.FromTime(now.UTC()) + 1
	for i, b := range bars {
		switch {
		case b.Date < timeseries.NewDate(firstYear, time.January, 1):
			return refuse("a bar is dated %s, before %d", b.Date, firstYear)
		case b.Date > latest:
			return refuse("a bar is dated %s, which is in the future", b.Date)
		case i > 0 && b.Date <= bars[i-1].Date:
			return refuse("the bar of %s comes after that of %s", b.Date, bars[i-1].Date)
		case math.IsNaN(b.Close) && math.IsNaN(b.Adjusted):
			return refuse("the bar of %s has no price", b.Date)
		case math.IsNaN(b.Adjusted) != math.IsNaN(bars[0].Adjusted) || math.IsNaN(b.Close) != math.IsNaN(bars[0].Close):
			return refuse("the first bar and that of %s do not have the same kinds of price", b.Date)
		case b.Close <= 0 || b.Close > mostPrice:
			return refuse("the close of %s is %v; it must be above 0 and at most 1e12", b.Date, b.Close)
		case b.Adjusted <= 0 || b.Adjusted > mostPrice:
			return refuse("the adjusted close of %s is %v; it must be above 0 and at most 1e12", b.Date, b.Adjusted)
		case b.Dividend < 0 || b.Dividend > mostPrice:
			return refuse("the dividend of %s is %v; it must be from 0 to 1e12", b.Date, b.Dividend)
		case b.Split <= 0 || b.Split > mostPrice:
			return refuse("the split of %s is %v; it must be above 0 and at most 1e12", b.Date, b.Split)
		}
	}
	return nil
}

// Number returns *v, or NaN if v is nil.
func Number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

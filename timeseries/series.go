package timeseries

// Series holds the daily total returns of one asset or model on its own dates.
//
// Base is the session before the first return (an asset's first bar, a model's first
// filled decision). Dates are strictly ascending and begin after Base. Returns are daily
// fractions, one per date. A series with a base and no return yet is valid; an empty
// series has neither, and Base NoDate (see Empty). The slices are shared and cached;
// callers must not change them.
type Series struct {
	Base    Date
	Dates   []Date
	Returns []float64
}

// Empty reports whether the series has no bars.
func (s Series) Empty() bool { return s.Base == NoDate }

// Last returns the date of the last bar, which is the base if there is no return yet.
func (s Series) Last() Date {
	if n := len(s.Dates); n > 0 {
		return s.Dates[n-1]
	}
	return s.Base
}

package timeseries

import "slices"

// From returns the position of the first date of axis on or after d, or len(axis) if
// there is none.
func From(axis []Date, d Date) int {
	i, _ := slices.BinarySearch(axis, d)
	return i
}

// Through returns the number of dates of axis on or before d. The position of the last of
// them is one less.
func Through(axis []Date, d Date) int {
	i, found := slices.BinarySearch(axis, d)
	if found {
		i++
	}
	return i
}

// Find returns the position of d in axis, and false if axis does not contain it.
func Find(axis []Date, d Date) (int, bool) { return slices.BinarySearch(axis, d) }

package timeseries

import "slices"

// From returns the position of the first date of axis on or after d, len(axis)
// where there is none.
func From(axis []Date, d Date) int {
	i, _ := slices.BinarySearch(axis, d)
	return i
}

// Through returns how many dates of axis are on or before d: the position of
// the last of them is one less.
func Through(axis []Date, d Date) int {
	i, found := slices.BinarySearch(axis, d)
	if found {
		i++
	}
	return i
}

// Find returns the position of d in axis, false where it is not there.
func Find(axis []Date, d Date) (int, bool) { return slices.BinarySearch(axis, d) }

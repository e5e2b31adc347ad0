package api

import "strings"

// nearest is the accepted value most like given, "" where none is near: at most
// a third of its letters, and never fewer than two, may differ.
func nearest(given string, accepted []string) string {
	given = strings.ToLower(given)
	best, least := "", max(2, len(given)/3)+1
	for _, a := range accepted {
		if d := distance(given, strings.ToLower(a)); d < least {
			best, least = a, d
		}
	}
	return best
}

// distance counts the edits between two words, a swap of neighbours as one
// (optimal string alignment).
func distance(a, b string) int {
	const longest = 64 // names are short; what is longer is no slip of the finger
	if len(a) > longest || len(b) > longest {
		return longest
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

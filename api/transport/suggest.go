package transport

import edit "ballast/internal/nearest"

// nearest is the accepted value most like given, "" where none is near: at most
// a third of its letters, and never fewer than two, may differ.
func nearest(given string, accepted []string) string {
	best, least := "", max(2, len(given)/3)+1
	for _, a := range accepted {
		if d := edit.Distance(given, a); d < least {
			best, least = a, d
		}
	}
	return best
}

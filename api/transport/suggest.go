package transport

import edit "ballast/internal/nearest"

// nearest returns the accepted value that is most similar to given, or "" if none is
// similar: at most a third of the letters may differ, or two if that is more.
func nearest(given string, accepted []string) string {
	best, least := "", max(2, len(given)/3)+1
	for _, a := range accepted {
		if d := edit.Distance(given, a); d < least {
			best, least = a, d
		}
	}
	return best
}

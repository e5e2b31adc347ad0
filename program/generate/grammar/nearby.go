package grammar

import (
	"cmp"
	"slices"
)

// What a refusal says at most: the first problems, since later ones often follow from
// them, and a few wordings.
const (
	mostRefused  = 4
	mostAccepted = 5
)

// nearby returns the wordings that have most words in common with a description, the
// nearest first; of equally near ones those that are listed first.
func nearby(wordings []string, tokens []token) []string {
	said := map[string]bool{}
	for _, t := range tokens {
		if t.kind == word && !filler[t.lower] && !introducing[t.lower] {
			said[t.lower] = true
		}
	}
	shared := make(map[string]int, len(wordings))
	for _, w := range wordings {
		counted := map[string]bool{}
		for _, t := range tokenize(w) {
			if said[t.lower] && !counted[t.lower] {
				counted[t.lower] = true
				shared[w]++
			}
		}
	}
	near := slices.Clone(wordings)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(shared[b], shared[a]) })
	return near[:min(mostAccepted, len(near))]
}

package grammar

import (
	"cmp"
	"slices"
	"sync"
)

// What a refusal says at most: the first problems, since later ones often follow from
// them, and a few wordings.
const (
	mostRefused  = 4
	mostAccepted = 5
)

// nearby returns the wordings that have most words in common with a description, the
// nearest first; of equally near ones those that are listed first.
func nearby(accepted []string, tokens []token) []string {
	said := map[string]bool{}
	for _, t := range tokens {
		if t.kind == word && !filler[t.lower] && !introducing[t.lower] {
			said[t.lower] = true
		}
	}
	shared := make(map[string]int, len(accepted))
	for _, w := range accepted {
		for _, lower := range wordsOf(w) {
			if said[lower] {
				shared[w]++
			}
		}
	}
	near := slices.Clone(accepted)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(shared[b], shared[a]) })
	return near[:min(mostAccepted, len(near))]
}

// wordings has the words of each accepted wording, in lower case and each once. The
// wordings are the program's own, so that it does not grow, and to read them takes longer
// than to compare them.
var wordings sync.Map

func wordsOf(wording string) []string {
	if words, ok := wordings.Load(wording); ok {
		return words.([]string)
	}
	var words []string
	for _, t := range tokenize(wording) {
		words = append(words, t.lower)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	wordings.Store(wording, words)
	return words
}

// Package nearest finds what somebody probably meant.
package nearest

import "strings"

// Match returns the candidate closest to word, "" where none is close: at most
// two insertions, deletions, substitutions or swaps of neighbours away (one for
// words of up to four letters), upper and lower case being the same. The first
// of several equally close ones wins.
func Match(word string, candidates []string) string {
	limit := 2
	if len([]rune(word)) <= 4 {
		limit = 1
	}
	best, bestDistance := "", limit+1
	folded := []rune(strings.ToLower(word))
	for _, c := range candidates {
		if c == word {
			continue
		}
		other := []rune(strings.ToLower(c))
		if d := len(other) - len(folded); d > limit || -d > limit {
			continue
		}
		if d := distance(folded, other); d < bestDistance && d < len(folded) {
			best, bestDistance = c, d
		}
	}
	return best
}

// longest bounds the words that are compared: what is longer is no slip of the finger.
const longest = 64

// Distance counts the insertions, deletions, substitutions and swaps of
// neighbours between two words, upper and lower case being the same. It is at
// least 64 where a word is longer than that.
func Distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if len(x) > longest || len(y) > longest {
		return longest
	}
	return distance(x, y)
}

// distance is the optimal string alignment distance (restricted
// Damerau–Levenshtein; Boytsov 2011, section 2.1).
func distance(a, b []rune) int {
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}

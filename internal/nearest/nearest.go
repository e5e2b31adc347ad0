// Package nearest finds the word that somebody probably meant, for suggestions in errors.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// Match returns the candidate closest to word, or "" if none is close. Close means at
// most two insertions, deletions, substitutions or swaps of neighbours (one for words
// of up to four letters), ignoring case. Of several equally close candidates the first
// wins. Words of more than 64 characters are not compared, so the time grows only with
// the number of candidates.
func Match(word string, candidates []string) string {
	count := utf8.RuneCountInString(word)
	if count > longest {
		return ""
	}
	limit := 2
	if count <= 4 {
		limit = 1
	}
	best, bestDistance := "", limit+1
	folded := []rune(strings.ToLower(word))
	for _, c := range candidates {
		if c == word || len(c) > utf8.UTFMax*longest {
			continue
		}
		if d := utf8.RuneCountInString(c) - count; d > limit || -d > limit {
			continue
		}
		other := []rune(strings.ToLower(c))
		if d := distance(folded, other, bestDistance-1); d < bestDistance && d < len(folded) {
			best, bestDistance = c, d
		}
	}
	return best
}

// longest is the length of the longest words that are compared: a longer text is not a
// typing error.
const longest = 64

// Distance counts the insertions, deletions, substitutions and swaps of neighbours
// between two words, ignoring case. It is at least 64 if a word is longer than that.
func Distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if len(x) > longest || len(y) > longest {
		return longest
	}
	return distance(x, y, longest)
}

// distance returns the optimal string alignment distance (restricted
// Damerau–Levenshtein; Boytsov 2011, section 2.1), or limit+1 if it is greater than
// limit. Only cells within limit of the diagonal are computed, because the others are
// greater than limit (Ukkonen 1985).
func distance(a, b []rune, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	far := limit + 1
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		before[j], previous[j], current[j] = far, min(j, far), far
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		current[from-1] = far
		if from == 1 {
			current[0] = min(i, far)
		}
		least := current[from-1]
		for j := from; j <= to; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			current[j] = min(d, far)
			least = min(least, d)
		}
		if to < len(b) {
			current[to+1] = far
		}
		if least > limit {
			return far
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}

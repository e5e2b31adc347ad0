package nearest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, word string
		candidates []string
		want       string
	}{
		{"a letter too many", "SPYY", []string{"AGG", "SPY"}, "SPY"},
		{"neighbours swapped", "momentmu", []string{"mean", "momentum"}, "momentum"},
		{"another case", "schedule", []string{"SCHEDULE"}, "SCHEDULE"},
		{"too far", "foo", []string{"momentum"}, ""},
		{"short words take one change", "abc", []string{"axy"}, ""},
		{"nothing in common", "a", []string{"b"}, ""},
		{"itself is no suggestion", "SPY", []string{"SPY"}, ""},
		{"the first of equals", "AGX", []string{"AGG", "AGZ"}, "AGG"},
		{"nothing to choose from", "SPY", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Match(c.word, c.candidates); got != c.want {
				t.Errorf("Match(%q, %v) = %q, want %q", c.word, c.candidates, got, c.want)
			}
		})
	}
}

// TestDistanceWithinALimit compares the computation within a band with the whole table.
func TestDistanceWithinALimit(t *testing.T) {
	t.Parallel()
	whole := func(a, b string) int {
		at := func(d [][]int, i, j int) int { return d[i][j] }
		d := make([][]int, len(a)+1)
		for i := range d {
			d[i] = make([]int, len(b)+1)
			for j := range d[i] {
				switch {
				case i == 0:
					d[i][j] = j
				case j == 0:
					d[i][j] = i
				default:
					cost := 1
					if a[i-1] == b[j-1] {
						cost = 0
					}
					d[i][j] = min(at(d, i-1, j)+1, at(d, i, j-1)+1, at(d, i-1, j-1)+cost)
					if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
						d[i][j] = min(d[i][j], at(d, i-2, j-2)+1)
					}
				}
			}
		}
		return d[len(a)][len(b)]
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{0,12}`)
		a, b, limit := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 14).Draw(t, "limit")
		if got, want := distance([]rune(a), []rune(b), limit), min(whole(a, b), limit+1); got != want {
			t.Fatalf("%q, %q within %d: %d, want %d", a, b, limit, got, want)
		}
	})
}

func TestLongWordsAreNotCompared(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<20)
	if got := Match(long, []string{long + "b"}); got != "" {
		t.Errorf("a match of %d characters", len(got))
	}
	if d := Distance(long, long+"b"); d != longest {
		t.Errorf("distance %d", d)
	}
}

package nearest

import "testing"

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

package classify

import (
	"regexp"
	"slices"
	"testing"
)

func TestVocabularyIsClosedAndPlain(t *testing.T) {
	t.Parallel()
	plain := regexp.MustCompile(`^[a-z0-9][a-z0-9_]*$`)
	var names []string
	for _, d := range Vocabulary() {
		names = append(names, d.Name)
		seen := map[string]bool{}
		for _, v := range d.Values {
			if !plain.MatchString(v) || seen[v] {
				t.Errorf("%s:%s is not a plain value, or is there twice", d.Name, v)
			}
			seen[v] = true
		}
	}
	if want := []string{"sector", "commodity", "theme", "region", "size", "bond"}; !slices.Equal(names, want) {
		t.Errorf("dimensions are %v, want %v", names, want)
	}
	if !slices.IsSorted(countries) || len(countries) != 44 {
		t.Errorf("countries: %d, sorted %v", len(countries), slices.IsSorted(countries))
	}
}

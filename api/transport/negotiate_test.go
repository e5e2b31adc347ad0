package transport

import (
	"slices"
	"testing"
)

// FuzzAccept reads arbitrary Accept and Accept-Encoding headers.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{"", "*/*", "application/json;q=0", "text/html, */*;q=0.1", ";;;", "application/*;q=x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		list := acceptedOf([]string{header})
		for _, a := range list {
			if a.name == "" || !(a.weight >= 0 && a.weight <= 1) {
				t.Fatalf("%q has an entry %+v", header, a)
			}
		}
		if media := bestMedia(list, Tables); media != "" && !slices.Contains(Tables, media) {
			t.Fatalf("%q chooses %q, which is not offered", header, media)
		}
		if coding := codingOf(list, MediaJSON, leastCompressed); coding != "" && refusesAll(list) {
			t.Fatalf("%q refuses everything and gets %q", header, coding)
		}
	})
}

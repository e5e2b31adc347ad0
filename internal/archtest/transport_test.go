package archtest

import (
	"strings"
	"testing"
)

// TestTransportKnowsNoDomain forbids what the drawing would allow: api/transport may
// import nothing of this module except errors, numbers and dates.
func TestTransportKnowsNoDomain(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "ballast/api/transport") {
		for _, i := range p.Imports {
			imported, own := strings.CutPrefix(i, "ballast/")
			if own && imported != "timeseries" && !within(imported, "internal") {
				t.Errorf("api/transport imports %s", imported)
			}
		}
	}
}

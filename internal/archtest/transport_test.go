package archtest

import (
	"strings"
	"testing"
)

// The drawing would let api/transport import the domain. It knows HTTP and JSON, and
// of this module only errors, numbers and dates.
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

package segments

import "testing"

// SetGroupBytes limits groups to n bytes while a test runs.
func SetGroupBytes(t *testing.T, n int) {
	before := groupBytes
	groupBytes = n
	t.Cleanup(func() { groupBytes = before })
}

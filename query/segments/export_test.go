package segments

import "testing"

// SetGroupBytes bounds groups by so many bytes while a test runs.
func SetGroupBytes(t *testing.T, n int) {
	before := groupBytes
	groupBytes = n
	t.Cleanup(func() { groupBytes = before })
}

package web

import (
	"strings"
	"testing"
)

func TestReturnTo(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/run/run_1?x=1": "/run/run_1?x=1", "": "/console", "https://evil.example": "/console", "//evil.example": "/console", "/\\evil.example": "/console",
		"/\tx": "/console", "javascript:alert(1)": "/console", "/" + strings.Repeat("x", 600): "/console",
	} {
		if got := returnTo(path); got != want {
			t.Errorf("%q: %q", path, got)
		}
	}
}

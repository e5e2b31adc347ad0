package web

import (
	"strings"
	"testing"
)

func TestReturnTo(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/run/run_1?x=1": "/run/run_1?x=1", "": "/signin", "https://evil.example": "/signin", "//evil.example": "/signin", "/\\evil.example": "/signin",
		"/\tx": "/signin", "javascript:alert(1)": "/signin", "/" + strings.Repeat("x", 600): "/signin",
	} {
		if got := returnTo(path); got != want {
			t.Errorf("%q: %q", path, got)
		}
	}
}

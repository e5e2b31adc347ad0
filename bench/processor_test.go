package bench

import (
	"testing"
	"time"
)

func TestStatTimes(t *testing.T) {
	t.Parallel()
	// A name may hold anything; proc(5) numbers the fields from 1.
	const text = "7 (a) b (c)) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 30 20 20 0 1 0 100 0 0\n"
	self, ended, err := statTimes(text)
	if err != nil || self != 2*time.Second || ended != 500*time.Millisecond {
		t.Errorf("%v and %v, error %v; want 2 s and 0.5 s", self, ended, err)
	}
	if _, _, err := statTimes("7 (x) S 1"); err == nil {
		t.Error("a short line is read")
	}
}

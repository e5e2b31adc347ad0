package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPeersHearEachOther(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	heard := make(chan string, 100)
	ended := make(chan error, 1)
	go func() { ended <- db.Hear(ctx, func(m string) { heard <- m }) }()
	for len(heard) == 0 { // until it listens
		must(t, db.Tell(ctx, []string{"ready"}))
		time.Sleep(10 * time.Millisecond)
	}
	messages := []string{"a", strings.Repeat("b", 7900), "c"}
	must(t, db.Tell(ctx, messages))
	var got []string
	for len(got) < len(messages) {
		if m := <-heard; m != "ready" {
			got = append(got, m)
		}
	}
	if !slices.Equal(got, messages) {
		t.Errorf("heard %q", got)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

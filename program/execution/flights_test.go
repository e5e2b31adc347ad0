package execution

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// work takes a minute and returns a number, or ends with its context.
func work(ended chan<- error) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		select {
		case <-time.After(time.Minute):
			ended <- nil
			return 7, nil
		case <-ctx.Done():
			ended <- ctx.Err()
			return 0, ctx.Err()
		}
	}
}

func TestCallersShareAFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f flights[int]
		ended := make(chan error, 9)
		got := make(chan int, 2)
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 2 {
			go func() {
				n, _ := f.do(t.Context(), "k", work(ended))
				got <- n
			}()
		}
		if _, err := f.do(impatient, "k", work(ended)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v of who went away", err)
		}
		for range 2 {
			if n := <-got; n != 7 {
				t.Errorf("who stayed got %d", n)
			}
		}
		if len(ended) != 1 {
			t.Errorf("computed %d times", len(ended))
		}
	})
}

func TestAFlightEndsWithItsLastCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f flights[int]
		ended := make(chan error, 9)
		for _, patience := range []time.Duration{time.Second, 2 * time.Second} {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				_, _ = f.do(ctx, "k", work(ended))
			}()
		}
		began := time.Now()
		if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(began) != 2*time.Second {
			t.Errorf("ended with %v after %s", err, time.Since(began))
		}
		if n, err := f.do(t.Context(), "k", work(ended)); n != 7 || err != nil {
			t.Errorf("who came later got %d, %v", n, err)
		}
	})
}

func TestAFlightThatPanicsIsAnError(t *testing.T) {
	t.Parallel()
	var f flights[int]
	if _, err := f.do(t.Context(), "k", func(context.Context) (int, error) { panic("at the disco") }); err == nil {
		t.Error("no error")
	}
}

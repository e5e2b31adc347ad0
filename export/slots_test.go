package export

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ballast/internal/fault"
)

// stuck is a connection whose caller reads a number of bytes, and then nothing more
// until the export ends.
type stuck struct {
	ctx  context.Context
	pace time.Duration // duration of each write; 0 means for ever
}

func (w stuck) Write(b []byte) (int, error) {
	if w.pace > 0 {
		time.Sleep(w.pace)
		return len(b), nil
	}
	<-w.ctx.Done()
	return 0, context.Cause(w.ctx)
}

// hold takes a slot and writes to a connection until the export ends.
func hold(ctx context.Context, t *testing.T, s *slots, account string, pace time.Duration) (ended <-chan error) {
	t.Helper()
	ctx, slot, err := s.take(ctx, account)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		w := slot.watch(stuck{ctx, pace})
		for ctx.Err() == nil {
			_, _ = w.Write(make([]byte, 64<<10))
		}
		s.release(slot)
		done <- context.Cause(ctx)
	}()
	return done
}

func TestAnAccountHasAShareOfTheSlots(t *testing.T) {
	t.Parallel()
	s := newSlots(8)
	var held []*slot
	for range 2 {
		_, slot, err := s.take(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, slot)
	}
	if _, _, err := s.take(t.Context(), "ann"); fault.TypeOf(err) != fault.RateLimited {
		t.Errorf("a third one: %v", err)
	}
	if _, _, err := s.take(t.Context(), "bob"); err != nil {
		t.Errorf("another account: %v", err)
	}
	s.release(held[0])
	s.release(held[0])
	if s.free != 6 {
		t.Errorf("%d are free", s.free)
	}
	if _, _, err := s.take(t.Context(), "ann"); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
}

// Four accounts whose callers do not read take all slots. Another account gets a slot
// within seconds, and only one of the four exports ends.
func TestCallersWhoDoNotReadMakeRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer func() {
			cancel()
			time.Sleep(time.Second) // synctest time: the writers notice that they were ended
		}()
		s := newSlots(8)
		ended := make(chan error, 8)
		for i := range 8 {
			done := hold(ctx, t, s, fmt.Sprint("account ", i/2), 0)
			go func() { ended <- <-done }()
		}
		began := time.Now()
		_, slot, err := s.take(t.Context(), "late")
		if took := time.Since(began); err != nil || took > 2*watched {
			t.Fatalf("%v after %v", err, took)
		}
		synctest.Wait()
		if len(ended) != 1 || !errors.Is(<-ended, ErrStalled) {
			t.Errorf("%d others have ended", len(ended))
		}
		s.release(slot)
	})
}

func TestCallersWhoReadKeepTheirSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer func() {
			cancel()
			time.Sleep(time.Second) // synctest time: the writers notice that they were ended
		}()
		s := newSlots(4)
		for i := range 4 { // 320 kB per second each
			hold(ctx, t, s, fmt.Sprint("account ", i), 200*time.Millisecond)
		}
		if _, _, err := s.take(t.Context(), "late"); fault.TypeOf(err) != fault.RateLimited {
			t.Errorf("%v", err)
		}
		if len(s.taken) != 4 || len(s.waiting) != 0 {
			t.Errorf("%d hold a slot, %d wait", len(s.taken), len(s.waiting))
		}
	})
}

// An export that has not written yet does not count as one whose caller does not read.
func TestExportsThatPrepareKeepTheirSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(1)
		if _, _, err := s.take(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.take(t.Context(), "late"); fault.TypeOf(err) != fault.RateLimited {
			t.Errorf("%v", err)
		}
	})
}

func TestAWaitEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	s := newSlots(1)
	if _, _, err := s.take(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.take(ctx, "bob"); !errors.Is(err, context.Canceled) || len(s.waiting) != 0 {
		t.Errorf("%v, %d wait", err, len(s.waiting))
	}
}

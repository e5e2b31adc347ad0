package limit

import (
	"context"
	"encoding/base64"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// bus carries messages between the exchanges of a test at once.
type bus struct {
	mu   sync.Mutex
	each []func(string)
}

func (b *bus) Tell(_ context.Context, messages []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range messages {
		for _, heard := range b.each {
			heard(m)
		}
	}
	return nil
}

func (b *bus) Hear(ctx context.Context, heard func(string)) error {
	b.mu.Lock()
	b.each = append(b.each, heard)
	b.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// Whatever the number of processes over which a caller spreads its requests, it gets what
// one process would give, and what several give before they have heard of each other.
func TestProcessesTogetherGiveTheRate(t *testing.T) {
	t.Parallel()
	for processes := 1; processes <= 4; processes++ {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			peers := &bus{}
			var running sync.WaitGroup
			each := make([]*Buckets, processes)
			for i := range each {
				each[i] = NewBuckets(Rate{PerSecond: 20, Burst: 10}, 8)
				e := NewExchange(peers, quiet)
				e.Share(nil, each[i])
				running.Go(func() { e.Run(ctx) })
			}
			synctest.Wait()
			const seconds, perSecond = 60, 200
			given := 0
			for range seconds * perSecond {
				time.Sleep(time.Second / perSecond)
				for _, b := range each {
					if b.Take(Key{1}, time.Now()) == 0 {
						given++
					}
				}
			}
			cancel()
			running.Wait()
			// One burst and the rate, and once another burst from each further process.
			least, most := 20*seconds, 20*seconds+10*processes+20
			if given < least || given > most {
				t.Errorf("%d processes gave %d tokens in a minute, want %d to %d", processes, given, least, most)
			}
		})
	}
}

// A message says exactly what was given, however many callers there are; only the
// smallest users of very many are left out.
func TestMessagesSayWhatWasGiven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := time.Now()
		rate := Rate{PerSecond: 1e-9, Burst: 1000}
		here, there := NewBuckets(rate, 1<<14), NewBuckets(rate, 1<<14)
		a, b := NewExchange(nil, quiet), NewExchange(nil, quiet)
		a.Share(here)
		b.Share(there)
		callers := rapid.SampledFrom([]int{0, 1, 200, 310, 320, 1000, 5000}).Draw(t, "callers")
		most := rapid.IntRange(1, 999).Draw(t, "most")
		for i := range callers {
			here.TakeN(Key{byte(i), byte(i >> 8)}, 1+i%most, now)
		}
		messages := a.messages()
		told := 0
		for _, m := range messages {
			if len(m) > longestMessage {
				t.Fatalf("a message of %d bytes", len(m))
			}
			a.heard(m, now) // its own: nothing is taken twice
			b.heard(m, now)
		}
		for i := range callers {
			key := Key{byte(i), byte(i >> 8)}
			switch left := there.bucket(key).TokensAt(now); {
			case int(left+.5) == rate.Burst-1-i%most:
				told++
			case int(left+.5) != rate.Burst:
				t.Fatalf("caller %d has %g tokens left elsewhere, want %d", i, left, rate.Burst-1-i%most)
			}
			if left := here.bucket(key).TokensAt(now); int(left+.5) != rate.Burst-1-i%most {
				t.Fatalf("caller %d has %g tokens left here", i, left)
			}
		}
		if told < min(callers, 1000) {
			t.Errorf("%d callers of %d are told", told, callers)
		}
		if again := a.messages(); len(again) != 0 {
			t.Errorf("told twice: %q", again)
		}
	})
}

func FuzzHeard(f *testing.F) {
	from := NewExchange(nil, quiet)
	given := NewBuckets(Rate{PerSecond: 1, Burst: 5}, 8)
	from.Share(given)
	given.TakeN(Key{7}, 3, time.Now())
	f.Add(from.messages()[0])
	f.Add("")
	f.Add(base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00\xff", 200))))
	f.Fuzz(func(t *testing.T, message string) {
		b := NewBuckets(Rate{PerSecond: 1, Burst: 5}, 8)
		e := NewExchange(nil, quiet)
		e.Share(b, nil)
		now := time.Now()
		e.heard(message, now)
		if wait := b.Wait(Key{7}, now); wait > time.Duration(len(message)+2)*11*time.Second {
			t.Errorf("a message of %d bytes makes a caller wait %s", len(message), wait)
		}
	})
}

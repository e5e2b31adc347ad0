package limit

import (
	"math"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Rate is how fast a bucket refills, and how many tokens it holds.
type Rate struct {
	PerSecond float64 // 0: no limit
	Burst     int     // at least 1
}

// Key is a caller.
type Key [16]byte

// Buckets holds a token bucket for each of the most recent callers. Its methods are
// safe for concurrent use; a nil Buckets limits nobody.
type Buckets struct {
	rate  Rate
	each  *lru.Cache[Key, *rate.Limiter]
	given *tally // nil if no other process has to know
}

// NewBuckets keeps buckets for at most `most` callers. It forgets the least recent
// caller first, who then starts again with a full bucket. It returns nil for a rate
// without a limit.
func NewBuckets(r Rate, most int) *Buckets {
	if r.PerSecond <= 0 {
		return nil
	}
	each, err := lru.New[Key, *rate.Limiter](most)
	if err != nil {
		panic(err) // most is 0 or less
	}
	r.Burst = max(r.Burst, 1)
	return &Buckets{rate: r, each: each}
}

// Take takes one of k's tokens, or returns how long k has to wait for it.
func (b *Buckets) Take(k Key, now time.Time) (wait time.Duration) { return b.TakeN(k, 1, now) }

// TakeN takes n of k's tokens, at most a full bucket, or takes none and returns how
// long k has to wait for them.
func (b *Buckets) TakeN(k Key, n int, now time.Time) (wait time.Duration) {
	if b == nil || n <= 0 {
		return 0
	}
	n = min(n, b.rate.Burst)
	bucket := b.bucket(k)
	if bucket.AllowN(now, n) {
		b.given.add(k, n)
		return 0
	}
	return max(b.missing(bucket, n, now), 1)
}

// spend takes n of k's tokens, also those that k does not have yet: another process has
// given them. No process gives more than a full bucket and what flows in meanwhile.
func (b *Buckets) spend(k Key, n int, now time.Time) {
	bucket := b.bucket(k)
	n = min(n, 2*b.rate.Burst+int(min(b.rate.PerSecond, math.MaxInt32)))
	for ; n > 0; n -= b.rate.Burst {
		bucket.ReserveN(now, min(n, b.rate.Burst))
	}
}

func (b *Buckets) bucket(k Key) *rate.Limiter {
	bucket, ok := b.each.Get(k)
	if !ok {
		bucket = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.Burst)
		if earlier, found, _ := b.each.PeekOrAdd(k, bucket); found {
			bucket = earlier
		}
	}
	return bucket
}

// Wait returns how long k has to wait for a token, without taking one.
func (b *Buckets) Wait(k Key, now time.Time) time.Duration {
	if b == nil {
		return 0
	}
	bucket, ok := b.each.Peek(k)
	if !ok {
		return 0
	}
	return b.missing(bucket, 1, now)
}

// missing is the time until a bucket has n tokens.
func (b *Buckets) missing(bucket *rate.Limiter, n int, now time.Time) time.Duration {
	short := float64(n) - bucket.TokensAt(now)
	if short <= 0 {
		return 0
	}
	return time.Duration(short / b.rate.PerSecond * float64(time.Second))
}

// Knows reports whether k has a bucket.
func (b *Buckets) Knows(k Key) bool { return b != nil && b.each.Contains(k) }

// Forget drops k's bucket, so k starts again with a full one.
func (b *Buckets) Forget(k Key) {
	if b != nil {
		b.each.Remove(k)
	}
}

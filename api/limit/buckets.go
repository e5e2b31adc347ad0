package limit

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Rate is how fast a bucket refills, and how many tokens it holds.
type Rate struct {
	PerSecond float64 // 0: no limit
	Burst     int     // at least 1
}

// Buckets holds a token bucket for each of the most recent callers. Its methods are
// safe for concurrent use; a nil Buckets limits nobody.
type Buckets[K comparable] struct {
	rate Rate
	each *lru.Cache[K, *rate.Limiter]
}

// NewBuckets keeps buckets for at most `most` callers. It forgets the least recent
// caller first, who then starts again with a full bucket. It returns nil for a rate
// without a limit.
func NewBuckets[K comparable](r Rate, most int) *Buckets[K] {
	if r.PerSecond <= 0 {
		return nil
	}
	each, err := lru.New[K, *rate.Limiter](most)
	if err != nil {
		panic(err) // most is 0 or less
	}
	r.Burst = max(r.Burst, 1)
	return &Buckets[K]{rate: r, each: each}
}

// Take takes one of k's tokens, or returns how long k has to wait for it.
func (b *Buckets[K]) Take(k K, now time.Time) (wait time.Duration) { return b.TakeN(k, 1, now) }

// TakeN takes n of k's tokens, at most a full bucket, or takes none and returns how
// long k has to wait for them.
func (b *Buckets[K]) TakeN(k K, n int, now time.Time) (wait time.Duration) {
	if b == nil || n <= 0 {
		return 0
	}
	n = min(n, b.rate.Burst)
	bucket, ok := b.each.Get(k)
	if !ok {
		bucket = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.Burst)
		if earlier, found, _ := b.each.PeekOrAdd(k, bucket); found {
			bucket = earlier
		}
	}
	if bucket.AllowN(now, n) {
		return 0
	}
	return max(b.missing(bucket, n, now), 1)
}

// Wait returns how long k has to wait for a token, without taking one.
func (b *Buckets[K]) Wait(k K, now time.Time) time.Duration {
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
func (b *Buckets[K]) missing(bucket *rate.Limiter, n int, now time.Time) time.Duration {
	short := float64(n) - bucket.TokensAt(now)
	if short <= 0 {
		return 0
	}
	return time.Duration(short / b.rate.PerSecond * float64(time.Second))
}

// Knows reports whether k has a bucket.
func (b *Buckets[K]) Knows(k K) bool { return b != nil && b.each.Contains(k) }

// Forget drops k's bucket, so k starts again with a full one.
func (b *Buckets[K]) Forget(k K) {
	if b != nil {
		b.each.Remove(k)
	}
}

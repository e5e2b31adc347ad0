package limit

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Rate is how fast tokens come back, and how many there can be.
type Rate struct {
	PerSecond float64 // 0 is no limit
	Burst     int     // at least 1
}

// Buckets holds a token bucket for each of the callers that came last. Its
// methods may be called from any goroutine; nil limits nobody.
type Buckets[K comparable] struct {
	rate Rate
	each *lru.Cache[K, *rate.Limiter]
}

// NewBuckets makes buckets for at most so many callers; who is forgotten begins
// with a full bucket. It returns nil for a rate without limit.
func NewBuckets[K comparable](r Rate, most int) *Buckets[K] {
	if r.PerSecond <= 0 {
		return nil
	}
	each, err := lru.New[K, *rate.Limiter](most)
	if err != nil {
		panic(err) // most is not above 0
	}
	r.Burst = max(r.Burst, 1)
	return &Buckets[K]{rate: r, each: each}
}

// Take takes a token of k's, or says how long it takes until there is one.
func (b *Buckets[K]) Take(k K, now time.Time) (wait time.Duration) { return b.TakeN(k, 1, now) }

// TakeN takes n tokens of k's, but never more than a full bucket has, or says how
// long it takes until they are there.
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

// Wait says how long it takes until k has a token, and takes none.
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

// Forget drops k's bucket.
func (b *Buckets[K]) Forget(k K) {
	if b != nil {
		b.each.Remove(k)
	}
}

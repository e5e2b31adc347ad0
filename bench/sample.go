package bench

import (
	"context"
	"math"
	"slices"
	"time"
)

// samples are the durations of repetitions of one piece of work.
type samples []time.Duration

// repeat runs do n times, after a warm-up of a tenth as many, at least one.
func repeat(ctx context.Context, n int, do func() error) (samples, error) {
	for range max(1, n/10) {
		if err := do(); err != nil {
			return nil, err
		}
	}
	out := make(samples, 0, n)
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		began := time.Now()
		if err := do(); err != nil {
			return nil, err
		}
		out = append(out, time.Since(began))
	}
	return out, nil
}

// percentile returns the nearest-rank percentile of s, with p from 0 to 1. It is 0
// without samples.
func (s samples) percentile(p float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	rank := int(math.Ceil(p * float64(len(sorted))))
	return sorted[max(0, rank-1)]
}

// median returns the 50th percentile.
func (s samples) median() time.Duration { return s.percentile(0.5) }

func milliseconds(name string, d time.Duration) Figure {
	return Figure{Name: name, Value: float64(d) / float64(time.Millisecond), Unit: "ms"}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// scale compares four workers with one: models built a second, and models that follow a
// member.
func scale(ctx context.Context, o options) (figures []figure, err error) {
	var builds, follows [2]float64
	for i, workers := range []int{1, 4} {
		if builds[i], follows[i], err = throughput(ctx, o, workers); err != nil {
			return nil, fmt.Errorf("with %d workers: %w", workers, err)
		}
	}
	for _, x := range []struct {
		what string
		per  [2]float64
	}{{"models built", builds}, {"models that follow a member", follows}} {
		times := x.per[1] / x.per[0]
		figures = append(figures, figure{
			x.what, fmt.Sprintf("%.2f × (%.2f/s to %.2f/s)", times, x.per[0], x.per[1]), "≥ 3.5 ×", times >= 3.5,
		})
	}
	return figures, nil
}

// throughput measures how many models some workers build a second, and how many follow.
func throughput(ctx context.Context, o options, workers int) (builds, follows float64, err error) {
	f, err := newFleet(ctx, o, workers)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	c, err := f.account(ctx)
	if err != nil {
		return 0, 0, err
	}
	n := 48
	if o.quick {
		n = 24
	}
	if err := f.createAll(ctx, c, n/2, "WARM", heavy); err != nil { // processes start, caches fill
		return 0, 0, err
	}
	if err := f.createAll(ctx, c, n, "HEAVY", heavy); err != nil {
		return 0, 0, err
	}
	if builds, err = f.rate(ctx, "source = 'create' and program_id in (select id from programs where symbol like 'HEAVY-%')"); err != nil {
		return 0, 0, err
	}
	if err := f.createAll(ctx, c, 1, "ROOT", light); err != nil {
		return 0, 0, err
	}
	layer := 4 * n
	if err := f.createAll(ctx, c, layer, "LEAF", func(symbol string) map[string]string { return holder(symbol, "ROOT-0") }); err != nil {
		return 0, 0, err
	}
	for range 2 { // the first fills caches
		if err := c.read(ctx, "POST", "/v1/models/ROOT-0/runs?wait=true", map[string]any{"inputs": map[string]any{}}, nil); err != nil {
			return 0, 0, err
		}
		if err := f.settled(ctx, 5*time.Minute); err != nil {
			return 0, 0, err
		}
	}
	follows, err = f.rate(ctx, fmt.Sprintf("id in (select id from runs where source = 'cascade' order by created_at desc limit %d)", layer))
	return builds, follows, err
}

// createAll creates models and waits until all of them are built.
func (f *fleet) createAll(ctx context.Context, c *client, n int, prefix string, body func(string) map[string]string) error {
	for i := range n {
		if _, err := c.create(ctx, body(fmt.Sprintf("%s-%d", prefix, i))); err != nil {
			return err
		}
	}
	return f.settled(ctx, 10*time.Minute)
}

// settled waits until no run is queued or in progress and no member has to be followed.
func (f *fleet) settled(ctx context.Context, most time.Duration) error {
	return until(ctx, most, "every run ends", func() (bool, error) {
		var open int
		err := f.pool.QueryRow(ctx, "select count(*) from runs where status in ('queued', 'running')").Scan(&open)
		return open == 0, err
	})
}

// rate is how many of some runs end per second, between the first and the last of them.
func (f *fleet) rate(ctx context.Context, which string) (float64, error) {
	var n int
	var seconds float64
	err := f.pool.QueryRow(ctx, "select count(*), coalesce(extract(epoch from max(finished_at) - min(finished_at)), 0)::float8 from runs where status = 'complete' and "+which).Scan(&n, &seconds)
	if err != nil {
		return 0, fmt.Errorf("read the runs: %w", err)
	}
	if n < 2 || seconds <= 0 {
		return 0, fmt.Errorf("%d runs are complete", n)
	}
	return float64(n-1) / seconds, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

// faults builds and runs models for half an hour while the database and the bucket are cut
// off for a minute each, connections to them are slow, reset, cut short or silent, and
// processes are killed at random. At the end every model and
// run that was accepted is there once, and has ended.
func faults(ctx context.Context, o options) ([]figure, error) {
	o.faulty = true
	return onFleet(ctx, o, 3, func(f *fleet, c *client) (figures []figure, err error) {
		if err := f.createAll(ctx, c, 8, "BASE", light); err != nil {
			return nil, err
		}
		whole, gone := 30*time.Minute, time.Minute
		if o.quick {
			whole, gone = 4*time.Minute, 20*time.Second
		}
		working, stop := context.WithCancel(ctx)
		defer stop()
		var made creations
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() { made.keepCreating(working, c, i) })
		}
		kills, disturbed, err := f.disturb(ctx, whole, gone)
		stop()
		all.Wait()
		if err != nil {
			return nil, err
		}
		if err := f.revive(); err != nil {
			return nil, err
		}
		if err := f.ready(ctx); err != nil {
			return nil, err
		}
		if err := f.settled(ctx, 5*time.Minute); err != nil {
			return nil, err
		}
		lost, doubled := 0, 0
		for symbol, id := range made.accepted {
			var n int
			if err := f.pool.QueryRow(ctx, "select count(*) from programs where symbol = $1 or id = $2", symbol, id).Scan(&n); err != nil {
				return nil, fmt.Errorf("count the models: %w", err)
			}
			lost += max(0, 1-n)
			doubled += max(0, n-1)
		}
		problems, err := f.inconsistencies(ctx)
		if err != nil {
			return nil, err
		}
		return []figure{
			{"models lost, doubled", fmt.Sprintf("%d, %d of %d (%d kills, %d disturbances of connections, database and bucket gone for %v each)", lost, doubled, len(made.accepted), kills, disturbed, gone), "0, 0", lost+doubled == 0},
			{"half done, failed, not ended", problems, "nothing", problems == "nothing"},
			{"processes that ended by themselves and were started again", strconv.Itoa(f.revived), "", true},
		}, nil
	})
}

// creations are the models whose creation was answered, by symbol.
type creations struct {
	mu       sync.Mutex
	accepted map[string]string
}

// keepCreating creates one model after the other, each again and again until it is
// accepted.
func (made *creations) keepCreating(ctx context.Context, c *client, worker int) {
	for i := 0; ctx.Err() == nil; i++ {
		symbol := fmt.Sprintf("F%d-%d", worker, i)
		for ctx.Err() == nil {
			id, err := c.create(ctx, light(symbol), "Idempotency-Key", symbol)
			if err == nil {
				made.mu.Lock()
				if made.accepted == nil {
					made.accepted = map[string]string{}
				}
				made.accepted[symbol] = id
				made.mu.Unlock()
				break
			}
			_ = pause(ctx, 500*time.Millisecond) // ended by ctx, which is asked above
		}
		_ = pause(ctx, 300*time.Millisecond) // ended by ctx, which is asked above
	}
}

// disturb kills services and workers at random, disturbs their connections, and cuts the
// database and the bucket off. It returns how often it has killed and disturbed.
func (f *fleet) disturb(ctx context.Context, whole, gone time.Duration) (kills, disturbed int, err error) {
	end := time.Now().Add(whole)
	cuts := []func() error{
		func() error { return f.without(ctx, f.database.Cut, f.database.Mend, gone) },
		func() error { return f.without(ctx, f.store.Cut, f.store.Mend, gone) },
	}
	for i := 0; time.Now().Before(end) && err == nil; i++ {
		switch {
		case i%6 == 4 && len(cuts) > 0:
			err = cuts[0]()
			cuts = cuts[1:]
		case i%2 == 1:
			err = f.toxics.disturb(ctx, 15*time.Second)
			disturbed++
		default:
			err = f.killOne(ctx)
			kills++
		}
	}
	return kills, disturbed, err
}

// killOne kills a service or worker after some seconds and starts it again a second later.
func (f *fleet) killOne(ctx context.Context) error {
	if err := pause(ctx, time.Duration(2+rand.IntN(8))*time.Second); err != nil { //nolint:gosec // no secret depends on it
		return err
	}
	if err := f.revive(); err != nil {
		return err
	}
	all := f.replicas()
	r := all[rand.IntN(len(all))] //nolint:gosec // no secret depends on it
	r.process.Kill()
	if err := pause(ctx, time.Second); err != nil {
		return err
	}
	return r.start(f.ballast)
}

// revive starts processes again that have ended by themselves, as a supervisor does: one
// that starts while the database does not answer gives up.
func (f *fleet) revive() error {
	for _, r := range f.replicas() {
		if r.process.Ended() {
			f.revived++
			if err := r.start(f.ballast); err != nil {
				return err
			}
		}
	}
	return nil
}

// without lets a machine be unreachable for a while.
func (f *fleet) without(ctx context.Context, cut, mend func(context.Context) error, gone time.Duration) error {
	if err := cut(ctx); err != nil {
		return err
	}
	waited := pause(ctx, gone)
	return errors.Join(waited, mend(context.WithoutCancel(ctx)))
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"
)

// cutoff takes a worker's link down while it computes: its run is taken up by the other,
// and what it does later changes nothing.
func cutoff(ctx context.Context, o options) ([]figure, error) {
	return onFleet(ctx, o, 2, func(f *fleet, c *client) (figures []figure, err error) {
		if err := f.createAll(ctx, c, 4, "WARM", heavy); err != nil {
			return nil, err
		}
		for i := range 6 {
			if _, err := c.create(ctx, heavy(fmt.Sprintf("CUT-%d", i))); err != nil {
				return nil, err
			}
		}
		victim := f.workers[0]
		id, err := victim.id()
		if err != nil {
			return nil, err
		}
		const held = "select coalesce(array_agg(id), '{}') from river_job where kind = 'run' and state = 'running' and attempted_by[array_length(attempted_by, 1)] = $1"
		var stuck []int64
		if err := until(ctx, time.Minute, "the worker computes", func() (bool, error) {
			err := f.pool.QueryRow(ctx, held, id).Scan(&stuck)
			return len(stuck) > 0, err
		}); err != nil {
			return nil, err
		}
		if err := victim.Cut(ctx); err != nil {
			return nil, err
		}
		cut := time.Now()
		if err := f.pool.QueryRow(ctx, held, id).Scan(&stuck); err != nil {
			return nil, fmt.Errorf("find the worker's runs: %w", err)
		}
		if len(stuck) == 0 {
			return nil, errors.New("the worker's runs ended as its link went down: try again")
		}
		if err := until(ctx, time.Minute, "its runs are taken up", func() (bool, error) {
			var left int
			err := f.pool.QueryRow(ctx, "select count(*) from river_job where id = any($1) and state = 'running' and attempted_by[array_length(attempted_by, 1)] = $2", stuck, id).Scan(&left)
			return left == 0, err
		}); err != nil {
			return nil, err
		}
		taken := time.Since(cut)
		if err := pause(ctx, time.Until(cut.Add(30*time.Second))); err != nil {
			return nil, err
		}
		if err := victim.Mend(ctx); err != nil {
			return nil, err
		}
		if err := f.settled(ctx, 3*time.Minute); err != nil {
			return nil, err
		}
		if err := pause(ctx, 10*time.Second); err != nil { // the late twin has its chance
			return nil, err
		}
		problems, err := f.inconsistencies(ctx)
		if err != nil {
			return nil, err
		}
		return []figure{
			{"runs of the cut worker taken up after", fmt.Sprintf("%v (%d runs)", taken.Round(100*time.Millisecond), len(stuck)), "≤ 25 s", taken <= 25*time.Second},
			{"what the late twin changed", problems, "nothing", problems == "nothing"},
		}, nil
	})
}

// started is the line of the log with the ID of the process in the queue.
var started = regexp.MustCompile(`"client_id":"([^"]+)"`)

// id returns the ID of the process in the queue.
func (r *replica) id() (string, error) {
	text, err := os.ReadFile(r.process.Log)
	if err != nil {
		return "", fmt.Errorf("find the ID of %s: %w", r.Name, err)
	}
	m := started.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s has not said its ID in the queue", r.Name)
	}
	return string(m[1]), nil
}

// inconsistencies compares the database with the bucket and the runs with their models; it
// is "nothing" if they agree.
func (f *fleet) inconsistencies(ctx context.Context) (string, error) {
	var failed, open, wrong int
	if err := f.pool.QueryRow(ctx, `select count(*) filter (where status = 'failed'), count(*) filter (where status in ('queued', 'running')),
		(select count(*) from programs m left join runs r on r.id = m.live_run_id where m.live_run_id is not null and (r.id is null or r.status <> 'complete' or r.program_id <> m.id))
		from runs`).Scan(&failed, &open, &wrong); err != nil {
		return "", fmt.Errorf("compare runs and models: %w", err)
	}
	if failed+open+wrong > 0 {
		return fmt.Sprintf("%d runs failed, %d have not ended, %d models have a wrong live run", failed, open, wrong), nil
	}
	if out, err := f.command(ctx, "doctor"); err != nil {
		return fmt.Sprintf("doctor: %v %s", err, out), nil
	}
	return "nothing", nil
}

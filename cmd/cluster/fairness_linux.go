package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// fairness lets one account queue very many runs, and then another come; and ten accounts
// queue as much as each other.
func fairness(ctx context.Context, o options) (figures []figure, err error) {
	f, err := newFleet(ctx, o, 4)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	many, later := 20_000, 30
	if o.quick {
		many, later = 2_000, 10
	}
	even, err := f.even(ctx, 10, 40)
	if err != nil {
		return nil, err
	}
	if figures, err = f.crowded(ctx, many, later); err != nil {
		return nil, err
	}
	return append(figures, even), nil
}

// crowded queues many runs of one account, and measures how long those of another wait.
func (f *fleet) crowded(ctx context.Context, many, later int) ([]figure, error) {
	crowd, err := f.account(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.createAll(ctx, crowd, 10, "CROWD", heavy); err != nil {
		return nil, err
	}
	if err := f.queue(ctx, crowd, "CROWD", 10, many, "crowd"); err != nil {
		return nil, err
	}
	before, err := f.statements(ctx)
	if err != nil {
		return nil, err
	}
	ended, began := 0, time.Now()
	if err := f.pool.QueryRow(ctx, "select count(*) from runs where finished_at is not null").Scan(&ended); err != nil {
		return nil, fmt.Errorf("count the runs: %w", err)
	}
	if err := pause(ctx, 10*time.Second); err != nil {
		return nil, err
	}
	var now int
	if err := f.pool.QueryRow(ctx, "select count(*) from runs where finished_at is not null").Scan(&now); err != nil {
		return nil, fmt.Errorf("count the runs: %w", err)
	}
	after, err := f.statements(ctx)
	if err != nil {
		return nil, err
	}
	rate := float64(now-ended) / time.Since(began).Seconds()
	guest, err := f.account(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.createAllBeside(ctx, guest, 1, "GUEST"); err != nil {
		return nil, err
	}
	var waits []time.Duration
	var whole time.Duration
	for i := range later {
		var run struct{ ID string }
		if err := guest.read(ctx, "POST", "/v1/models/GUEST-0/runs?wait=true", map[string]any{"intent": "test", "inputs": map[string]any{"initial_cash": 20000 + i}}, &run); err != nil {
			return nil, err
		}
		var waited, took float64
		if err := f.pool.QueryRow(ctx, "select extract(epoch from started_at - created_at)::float8, extract(epoch from finished_at - started_at)::float8 from runs where id = $1", run.ID).Scan(&waited, &took); err != nil {
			return nil, fmt.Errorf("read a run: %w", err)
		}
		waits, whole = append(waits, seconds(waited)), whole+seconds(took)
	}
	slices.Sort(waits)
	p95, mean := waits[len(waits)*95/100], whole/time.Duration(later)
	left, err := f.waiting(ctx)
	if err != nil {
		return nil, err
	}
	return []figure{
		{fmt.Sprintf("p95 of another account's wait beside %d waiting runs", left), fmt.Sprintf("%v (a run takes %v)", p95.Round(time.Millisecond), mean.Round(time.Millisecond)), "≤ two runs + 0.5 s", p95 <= 2*mean+500*time.Millisecond},
		{"statements on waiting runs a second, beside those of the runs", fmt.Sprintf("%.1f at %.1f runs/s", (after-before)/10, rate), "≤ 20", (after-before)/10 <= 20},
	}, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// createAllBeside creates models while other runs wait.
func (f *fleet) createAllBeside(ctx context.Context, c *client, n int, prefix string) error {
	for i := range n {
		id, err := c.create(ctx, heavy(fmt.Sprintf("%s-%d", prefix, i)))
		if err != nil {
			return err
		}
		if err := c.built(ctx, id, time.Minute); err != nil {
			return err
		}
	}
	return nil
}

// queue queues runs of an account's models, sixteen requests at a time.
func (f *fleet) queue(ctx context.Context, c *client, prefix string, models, n int, label string) error {
	g, queuing := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i := range n {
		g.Go(func() error {
			return c.read(queuing, "POST", fmt.Sprintf("/v1/models/%s-%d/runs", prefix, i%models), map[string]any{"label": label, "intent": "test", "inputs": map[string]any{"initial_cash": 10000 + i}}, nil)
		})
	}
	return g.Wait()
}

// waiting counts the runs that wait.
func (f *fleet) waiting(ctx context.Context) (n int, err error) {
	err = f.pool.QueryRow(ctx, "select count(*) from runs where status = 'queued'").Scan(&n)
	return n, err
}

// statements counts the statements that let waiting runs begin.
func (f *fleet) statements(ctx context.Context) (n float64, err error) {
	err = f.pool.QueryRow(ctx, "select coalesce(sum(calls), 0)::float8 from pg_stat_statements where query like '%river_job%' and query like '%metadata ->>%'").Scan(&n)
	return n, err
}

// even lets accounts queue as much as each other, and compares what each got by the time
// half of all is done: Jain's index is 1 if all got the same.
func (f *fleet) even(ctx context.Context, accounts, each int) (figure, error) {
	clients := make([]*client, accounts)
	for i := range clients {
		c, err := f.account(ctx)
		if err != nil {
			return figure{}, err
		}
		if err := f.createAllBeside(ctx, c, 1, fmt.Sprintf("EVEN%d", i)); err != nil {
			return figure{}, err
		}
		clients[i] = c
	}
	var g errgroup.Group
	for i, c := range clients {
		g.Go(func() error { return f.queue(ctx, c, fmt.Sprintf("EVEN%d", i), 1, each, "even") })
	}
	if err := g.Wait(); err != nil {
		return figure{}, err
	}
	const ended = "select array_agg(n order by account_id) from (select account_id, count(*) filter (where status = 'complete') as n from runs where label = 'even' group by account_id) x"
	var before, done []int // by account, once all have queued, and when half of all is done
	if err := f.pool.QueryRow(ctx, ended).Scan(&before); err != nil {
		return figure{}, fmt.Errorf("count the runs: %w", err)
	}
	if err := until(ctx, 10*time.Minute, "half of the runs are done", func() (bool, error) {
		err := f.pool.QueryRow(ctx, ended).Scan(&done)
		sum := 0
		for _, n := range done {
			sum += n
		}
		return 2*sum >= accounts*each, err
	}); err != nil {
		return figure{}, err
	}
	for i := range done {
		done[i] -= before[i]
	}
	index := jain(done)
	return figure{fmt.Sprintf("Jain's index over %d equal accounts", accounts), fmt.Sprintf("%.3f %v", index, done), "≥ 0.98", index >= 0.98}, nil
}

// jain is (Σx)² / (n Σx²), by R. Jain, D. Chiu and W. Hawe, 1984.
func jain(list []int) float64 {
	sum, squares := 0.0, 0.0
	for _, n := range list {
		sum, squares = sum+float64(n), squares+float64(n)*float64(n)
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / (float64(len(list)) * squares)
}

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// cold reads a result that the service has no copy of, with many readers at once, of which
// the first hangs up.
func cold(ctx context.Context, o options) ([]figure, error) {
	return onFleet(ctx, o, 1, func(f *fleet, c *client) (figures []figure, err error) {
		if err := f.createAll(ctx, c, 2, "COLD", heavy); err != nil {
			return nil, err
		}
		one := c.at("http://" + f.services[0].Address + ":8080")
		for _, x := range []struct {
			what, model, bar string
			hangUp           bool
			most             int
		}{
			{"requests for a cold object by 64 readers", "COLD-0", "1", false, 1},
			{"the same, where the first reader hangs up", "COLD-1", "1", true, 1},
			{"requests for it by 64 more", "COLD-0", "0", false, 0},
		} {
			object, err := f.object(ctx, x.model)
			if err != nil {
				return nil, err
			}
			before, err := f.gets(object)
			if err != nil {
				return nil, err
			}
			if err := f.readers(ctx, one, x.model, x.hangUp); err != nil {
				return nil, err
			}
			after, err := f.gets(object)
			if err != nil {
				return nil, err
			}
			figures = append(figures, figure{x.what, fmt.Sprint(after - before), x.bar, after-before == x.most})
		}
		return figures, nil
	})
}

// readers lets 64 callers read a model's history at the same time.
func (f *fleet) readers(ctx context.Context, c *client, model string, hangUp bool) error {
	path := "/v1/models/" + model + "/history?include=returns"
	var g errgroup.Group
	if hangUp {
		g.Go(func() error {
			short, cancel := context.WithTimeout(ctx, 2*time.Millisecond)
			defer cancel()
			_, _, _ = c.call(short, "GET", path, nil) // it hangs up, with or without an answer
			return nil
		})
		if err := pause(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	for range 64 {
		g.Go(func() error { return c.read(ctx, "GET", path, nil, nil) })
	}
	return g.Wait()
}

// object returns the key of a model's daily results.
func (f *fleet) object(ctx context.Context, symbol string) (key string, err error) {
	err = f.pool.QueryRow(ctx, "select r.tables -> 'daily' ->> 'object' from runs r join programs m on m.live_run_id = r.id where m.symbol = $1", symbol).Scan(&key)
	return key, err
}

// gets counts the S3 server's requests for an object.
func (f *fleet) gets(key string) (n int, err error) {
	time.Sleep(200 * time.Millisecond) // the log is written after the answer
	text, err := os.ReadFile(f.requestsLog())
	if err != nil {
		return 0, fmt.Errorf("read the S3 server's log: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, key) && strings.Contains(line, "s3_GetObject") {
			n++
		}
	}
	return n, nil
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"ballast/internal/bed"
)

// recovery loses the database's machine after somebody has emptied a table, and recovers
// to the moment before that, from a base backup and the archived log, beside a bucket that
// has gone on. Then it loses an object.
func recovery(ctx context.Context, o options) ([]figure, error) {
	o.archived = true
	return onFleet(ctx, o, 2, func(f *fleet, c *client) ([]figure, error) {
		if err := f.createAll(ctx, c, 6, "BEFORE", light); err != nil {
			return nil, err
		}
		if err := f.backUp(ctx); err != nil {
			return nil, err
		}
		if err := f.createAll(ctx, c, 6, "AFTER", light); err != nil {
			return nil, err
		}
		was, err := histories(ctx, c)
		if err != nil {
			return nil, err
		}
		var moment time.Time
		if err := f.pool.QueryRow(ctx, "select clock_timestamp()").Scan(&moment); err != nil {
			return nil, fmt.Errorf("read the database's clock: %w", err)
		}
		if err := pause(ctx, time.Second); err != nil {
			return nil, err
		}
		if err := f.createAll(ctx, c, 4, "LATE", light); err != nil { // its objects stay in the bucket
			return nil, err
		}
		if _, err := f.pool.Exec(ctx, "truncate programs cascade"); err != nil {
			return nil, fmt.Errorf("make the mistake: %w", err)
		}
		began := time.Now()
		if err := f.recover(ctx, moment); err != nil {
			return nil, err
		}
		took := time.Since(began)
		is, err := histories(ctx, c)
		if err != nil {
			return nil, err
		}
		problems, err := f.inconsistencies(ctx)
		if err != nil {
			return nil, err
		}
		if err := f.createAll(ctx, c, 1, "NEW", light); err != nil {
			return nil, err
		}
		same := 0
		for symbol := range was {
			if bytes.Equal(was[symbol], is[symbol]) {
				same++
			}
		}
		lost, err := f.loseObject(ctx, c, "BEFORE-0", was)
		if err != nil {
			return nil, err
		}
		return append([]figure{
			{"models whose history is as before the mistake, other models", fmt.Sprintf("%d of %d, %d", same, len(was), len(is)-same), "all, 0", same == 12 && len(was) == same && len(is) == same},
			{"what the doctor finds after the recovery", problems, "nothing", problems == "nothing"},
			{"recovered and answering again after", took.Round(100 * time.Millisecond).String(), "", true},
		}, lost...), nil
	})
}

// histories reads the history of every model but those of NEW, by symbol.
func histories(ctx context.Context, c *client) (map[string][]byte, error) {
	var list struct{ Data []struct{ Symbol string } }
	if err := c.read(ctx, "GET", "/v1/models?limit=100", nil, &list); err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, m := range list.Data {
		status, body, err := c.call(ctx, "GET", "/v1/models/"+m.Symbol+"/history?include=returns,allocation,metrics", nil)
		if err != nil || status != 200 {
			return nil, errors.Join(fmt.Errorf("the history of %s: status %d: %s", m.Symbol, status, body), err)
		}
		all[m.Symbol] = body
	}
	return all, nil
}

// runID is what differs between equal results of two runs.
var runID = regexp.MustCompile(`run_[0-9a-f]{32}`)

// archive is the folder to which the database copies its log, and base the one with its
// base backup. They outlive the database's folder.
func (f *fleet) archive() string { return f.database.Files("archive") }
func (f *fleet) base() string    { return f.database.Files("base") }

// backUp makes a base backup of the running database.
func (f *fleet) backUp(ctx context.Context) error {
	_, err := f.database.Run(ctx, bed.Command{Path: filepath.Join(filepath.Dir(f.postgres), "pg_basebackup"), User: "postgres", Args: []string{
		"--dbname", f.databaseURL, "--pgdata", f.base(), "--checkpoint", "fast",
	}})
	return err
}

// recover waits until the database's log is archived, ends every process, throws the
// database away, and makes it again as of a moment.
func (f *fleet) recover(ctx context.Context, moment time.Time) error {
	var last string
	if err := f.pool.QueryRow(ctx, "select pg_walfile_name(pg_switch_wal())").Scan(&last); err != nil {
		return fmt.Errorf("end the file of the log: %w", err)
	}
	if err := until(ctx, 30*time.Second, "the log is archived", func() (bool, error) {
		_, err := os.Stat(filepath.Join(f.archive(), last))
		return err == nil, err
	}); err != nil {
		return err
	}
	for _, r := range f.replicas() {
		r.process.Kill()
	}
	f.databaseServer.Kill()
	data := f.database.Files("data")
	if err := errors.Join(os.RemoveAll(data), os.Rename(f.base(), data)); err != nil {
		return fmt.Errorf("put the base backup in place: %w", err)
	}
	if _, err := f.database.Run(ctx, bed.Command{Path: "touch", Args: []string{filepath.Join(data, "recovery.signal")}, User: "postgres"}); err != nil {
		return err
	}
	if err := f.runDatabase("restore_command=cp "+f.archive()+"/%f %p", "recovery_target_time="+moment.Format("2006-01-02 15:04:05.999999-07"), "recovery_target_action=promote"); err != nil {
		return err
	}
	if err := until(ctx, time.Minute, "the database has recovered", func() (bool, error) {
		var recovering bool
		err := f.pool.QueryRow(ctx, "select pg_is_in_recovery()").Scan(&recovering)
		return !recovering, err
	}); err != nil {
		return err
	}
	for _, r := range f.replicas() {
		if err := r.start(f.ballast); err != nil {
			return err
		}
	}
	return f.ready(ctx)
}

// loseObject deletes the daily results of a model from the bucket. The doctor, on another
// machine, has to name them, and a refresh of the model to bring its history back.
func (f *fleet) loseObject(ctx context.Context, c *client, symbol string, was map[string][]byte) ([]figure, error) {
	key, err := f.object(ctx, symbol)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(f.store.Files("data/models"), key)); err != nil {
		return nil, fmt.Errorf("lose an object: %w", err)
	}
	said, err := f.command(ctx, "doctor")
	named := err != nil && strings.Contains(said, key)
	status, body, err := c.call(ctx, "POST", "/v1/models/"+symbol+"/runs?wait=true", map[string]any{"intent": "refresh"})
	if err != nil {
		return nil, err
	}
	is, err := histories(ctx, c)
	if err != nil {
		return nil, err
	}
	back := status < 300 && bytes.Equal(runID.ReplaceAll(is[symbol], nil), runID.ReplaceAll(was[symbol], nil))
	measured := "yes"
	if !named || !back {
		measured = fmt.Sprintf("named: %t, back: %t (%d %s; doctor: %s)", named, back, status, body, said)
	}
	return []figure{{"a lost object: the doctor names it, and a refresh brings the history back", measured, "yes", named && back}}, nil
}

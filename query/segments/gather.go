package segments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"slices"

	"ballast/internal/id"
	"ballast/program"
	"ballast/storage/columnar"
)

// Gatherer keeps the segments of accounts up to date. Several may work at once, also in
// several processes: if two change the same account, the work of one is lost.
type Gatherer struct {
	Runs    Runs
	Catalog Catalog
	Bucket  columnar.Bucket
	Logger  *slog.Logger
}

// GatherAll gathers the results of every account, one after the other. An error in one
// account does not stop the others.
func (g *Gatherer) GatherAll(ctx context.Context) error {
	accounts, err := g.Runs.AccountsWithResults(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, accountID := range accounts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := g.Gather(ctx, accountID); err != nil {
			problems = append(problems, fmt.Errorf("gather the results of account %s: %w", accountID, err))
		}
	}
	return errors.Join(problems...)
}

// Gather brings an account's segments up to date, with one commit per segment. It may be
// stopped or killed at any point: a file that no commit names is swept. It leaves out
// runs whose files cannot be read, for example because they were just purged. If another
// process changes the segments meanwhile, Gather returns, and the next call continues.
func (g *Gatherer) Gather(ctx context.Context, accountID string) error {
	left := map[string]bool{}
	for {
		more, err := g.step(ctx, accountID, left)
		var unreadable *RunError
		switch {
		case errors.As(err, &unreadable):
			left[unreadable.RunID] = true
			g.Logger.WarnContext(ctx, "a run is not gathered", "account_id", accountID, "run_id", unreadable.RunID, "error", err)
		case errors.Is(err, ErrConflict):
			g.Logger.InfoContext(ctx, "another process has changed the segments", "account_id", accountID)
			return nil
		case err != nil || !more:
			return err
		}
	}
}

// step writes and commits one segment without the runs in left, and reports whether there
// may be more to do.
func (g *Gatherer) step(ctx context.Context, accountID string, left map[string]bool) (more bool, err error) {
	current, generation, err := g.Catalog.Segments(ctx, accountID)
	if err != nil {
		return false, err
	}
	wanted, err := g.Runs.RunsToGather(ctx, accountID)
	if err != nil {
		return false, err
	}
	wanted = slices.DeleteFunc(wanted, func(r Run) bool { return left[r.ID] })
	damaged, err := g.damaged(ctx, accountID, current)
	if err != nil {
		return false, err
	}
	next, ok := plan(wanted, current, damaged)
	if !ok {
		return false, nil
	}
	var added *Segment
	if len(next.runs) > 0 {
		if added, err = g.write(ctx, accountID, next.runs); err != nil {
			return false, err
		}
	}
	if err := g.Catalog.CommitSegments(ctx, accountID, generation, added, next.runs, next.drop); err != nil {
		if added != nil && errors.Is(err, ErrConflict) {
			err = errors.Join(err, g.discard(ctx, added))
		}
		return false, err
	}
	g.Logger.InfoContext(ctx, "gathered results", "account_id", accountID, "runs", len(next.runs), "segments_dropped", len(next.drop))
	return len(next.runs) > 0, nil
}

// write stores the files of a new segment, which no commit names yet.
func (g *Gatherer) write(ctx context.Context, accountID string, runs []Run) (*Segment, error) {
	s := &Segment{ID: id.New("segment_"), Tables: program.Tables{}}
	for _, t := range Tables {
		object := program.Object{Key: path.Join(Prefix, accountID, s.ID+"."+string(t)+".parquet")}
		err := g.Bucket.Put(ctx, object.Key, func(w io.Writer) error {
			counted := &counter{w: w}
			err := Write(ctx, counted, g.Bucket, t, runs)
			object.Bytes = counted.n
			return err
		})
		if err != nil {
			return nil, errors.Join(err, g.discard(ctx, s))
		}
		s.Tables[string(t)] = object
	}
	return s, nil
}

// discard deletes the files of a segment that was not committed.
func (g *Gatherer) discard(ctx context.Context, s *Segment) error {
	var problems []error
	for _, o := range s.Tables {
		problems = append(problems, g.Bucket.Delete(context.WithoutCancel(ctx), o.Key))
	}
	return errors.Join(problems...)
}

// damaged returns the segments with a file that is missing or has another size.
func (g *Gatherer) damaged(ctx context.Context, accountID string, current []Segment) (map[string]bool, error) {
	if len(current) == 0 {
		return nil, nil //nolint:nilnil // no segments
	}
	sizes := map[string]int64{}
	for entry, err := range g.Bucket.List(ctx, path.Join(Prefix, accountID)+"/") {
		if err != nil {
			return nil, fmt.Errorf("list the segments of account %s: %w", accountID, err)
		}
		sizes[entry.Key] = entry.Size
	}
	damaged := map[string]bool{}
	for _, s := range current {
		for _, o := range s.Tables {
			if size, ok := sizes[o.Key]; !ok || size != o.Bytes {
				damaged[s.ID] = true
				g.Logger.WarnContext(ctx, "a segment is damaged and is written again", "account_id", accountID, "object", o.Key)
			}
		}
	}
	return damaged, nil
}

// counter counts the bytes that pass through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

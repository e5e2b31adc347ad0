package lake

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path"
	"slices"
	"time"

	"ballast/export"
	"ballast/query/segments"
	"ballast/storage/columnar"
)

// Keep is how long a snapshot usually stays readable after a newer one was published.
const Keep = 24 * time.Hour

// Lock ensures that only one process publishes at a time.
type Lock interface {
	// LockLake waits until no other process publishes. The lock ends when release is
	// called or the process ends.
	LockLake(ctx context.Context) (release func(), err error)
}

// Runs knows the accounts and the files of runs.
type Runs interface {
	// AccountsWithResults returns the accounts that have live runs.
	AccountsWithResults(ctx context.Context) ([]string, error)
	// RunsToGather returns runs of an account with their files. They include the runs
	// that its models serve.
	RunsToGather(ctx context.Context, accountID string) ([]segments.Run, error)
}

// LiveRuns knows what models serve.
type LiveRuns interface {
	// LiveRunsAfter returns up to n of the runs that an account's models serve, ordered
	// by program id: those after the given id.
	LiveRunsAfter(ctx context.Context, accountID, programID string, n int) ([]export.LiveRun, error)
}

// Publisher publishes the results of accounts.
type Publisher struct {
	Runs   Runs
	Live   LiveRuns
	Lock   Lock
	Bucket columnar.Bucket
	Place  string        // of the bucket: a folder, or its URL
	Keep   time.Duration // how long a snapshot stays after a newer one
	Logger *slog.Logger
}

// Published reports what the publication of one account has changed.
type Published struct {
	AccountID string
	Folder    string         // folder of its tables, as other engines name it
	Models    int            // number of models in the tables
	Files     map[string]int // number of files written, by table; unchanged tables are left out
}

// Publish brings the tables of the named accounts up to date, or of all accounts if
// none is named. An error of one account does not stop the others; all errors are
// joined.
func (p *Publisher) Publish(ctx context.Context, accounts ...string) ([]Published, error) {
	w, err := warehouseOf(p.Place)
	if err != nil {
		return nil, err
	}
	release, err := p.Lock.LockLake(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if len(accounts) == 0 {
		if accounts, err = p.accounts(ctx); err != nil {
			return nil, err
		}
	}
	var all []Published
	var problems []error
	for _, accountID := range accounts {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		one, err := p.publish(ctx, w, accountID)
		if err != nil {
			problems = append(problems, fmt.Errorf("publish the lake of account %s: %w", accountID, err))
			continue
		}
		all = append(all, one)
	}
	return all, errors.Join(problems...)
}

// accounts returns the accounts with results, and those that have a lake but no results
// any longer: their tables become empty.
func (p *Publisher) accounts(ctx context.Context) ([]string, error) {
	ids, err := p.Runs.AccountsWithResults(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, id := range ids {
		all[id] = true
	}
	for entry, err := range p.Bucket.List(ctx, Prefix) {
		if err != nil {
			return nil, fmt.Errorf("list the lakes: %w", err)
		}
		if path.Base(entry.Key) == versionHint {
			all[path.Base(path.Dir(path.Dir(path.Dir(entry.Key))))] = true
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// versionHint is the file in a table's metadata folder that names the newest version.
const versionHint = "version-hint.text"

// publish brings the tables of one account up to date.
func (p *Publisher) publish(ctx context.Context, w *warehouse, accountID string) (Published, error) {
	out := Published{AccountID: accountID, Folder: w.file(path.Join(Prefix, accountID)), Files: map[string]int{}}
	live, runs, err := p.live(ctx, accountID)
	if err != nil {
		return out, err
	}
	out.Models = len(live)
	catalog, err := w.catalog()
	if err != nil {
		return out, err
	}
	defer func() { _ = catalog.Close() }()
	for _, c := range contents(p.Bucket, live, runs) {
		t := &publication{w: w, catalog: catalog, bucket: p.Bucket, content: c, keep: p.Keep, ident: []string{accountID, c.name}}
		changed, err := t.publish(ctx)
		if err != nil {
			return out, fmt.Errorf("table %s: %w", c.name, err)
		}
		if changed {
			out.Files[c.name] = t.added
		}
	}
	if len(out.Files) > 0 {
		p.Logger.InfoContext(ctx, "published results as Iceberg tables", "account_id", accountID, "models", out.Models, "tables", len(out.Files))
	}
	return out, nil
}

// live returns the runs that the account's models serve, ordered by model, and the
// files of these runs.
func (p *Publisher) live(ctx context.Context, accountID string) (live []export.LiveRun, runs []segments.Run, err error) {
	const page = 1000
	for after := ""; ; {
		next, err := p.Live.LiveRunsAfter(ctx, accountID, after, page)
		if err != nil {
			return nil, nil, err
		}
		live = append(live, next...)
		if len(next) < page {
			break
		}
		after = next[len(next)-1].ProgramID
	}
	all, err := p.Runs.RunsToGather(ctx, accountID)
	if err != nil {
		return nil, nil, err
	}
	byID := make(map[string]segments.Run, len(all))
	for _, r := range all {
		byID[r.ID] = r
	}
	// A run that went live between the two reads comes with the next publication.
	live = slices.DeleteFunc(live, func(l export.LiveRun) bool { _, ok := byID[l.RunID]; return !ok })
	for _, l := range live {
		runs = append(runs, byID[l.RunID])
	}
	return live, runs, nil
}

package postgres

import (
	"context"
	"sync"
	"time"

	"ballast/postgres/internal/dbsqlc"
)

// identityTimeout limits the query that many callers wait for.
const identityTimeout = 10 * time.Second

// identities collects the keys of concurrent callers into one query, while
// the query before it runs. Each key is read after its caller arrived, so that a
// revoked key is rejected at once.
type identities struct {
	ask func(ctx context.Context, hashes [][]byte) ([]dbsqlc.IdentitiesRow, error)

	mu    sync.Mutex
	next  *identityBatch // the callers that wait for the next query
	asked bool           // a query is running or about to run
}

// identityBatch holds the callers of one query, and its result.
type identityBatch struct {
	hashes map[[32]byte]struct{}
	done   chan struct{}
	rows   map[[32]byte]dbsqlc.IdentitiesRow
	err    error
}

// of returns the row for a key's hash, or false if there is none.
func (x *identities) of(ctx context.Context, hash [32]byte) (dbsqlc.IdentitiesRow, bool, error) {
	x.mu.Lock()
	if x.next == nil {
		x.next = &identityBatch{hashes: map[[32]byte]struct{}{}, done: make(chan struct{})}
	}
	b := x.next
	b.hashes[hash] = struct{}{}
	if !x.asked {
		x.asked = true
		go x.work()
	}
	x.mu.Unlock()
	select {
	case <-b.done:
		row, ok := b.rows[hash]
		return row, ok, b.err
	case <-ctx.Done():
		return dbsqlc.IdentitiesRow{}, false, ctx.Err()
	}
}

// work runs one batch after another until no caller waits.
func (x *identities) work() {
	for {
		x.mu.Lock()
		b := x.next
		x.next = nil
		x.asked = b != nil
		x.mu.Unlock()
		if b == nil {
			return
		}
		b.rows, b.err = x.read(b.hashes)
		close(b.done)
	}
}

// read queries the rows for some keys.
func (x *identities) read(wanted map[[32]byte]struct{}) (map[[32]byte]dbsqlc.IdentitiesRow, error) {
	ctx, cancel := context.WithTimeout(context.Background(), identityTimeout)
	defer cancel()
	hashes := make([][]byte, 0, len(wanted))
	for h := range wanted {
		hashes = append(hashes, h[:])
	}
	rows, err := x.ask(ctx, hashes)
	if err != nil {
		return nil, err
	}
	found := make(map[[32]byte]dbsqlc.IdentitiesRow, len(rows))
	for _, r := range rows {
		found[[32]byte(r.Hash)] = r
	}
	return found, nil
}

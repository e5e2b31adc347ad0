package postgres

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
)

// reconnectWait is the pause before a lost connection is opened again.
const reconnectWait = 200 * time.Millisecond

// announcements tells waiting callers that runs have ended: transactions that
// end one notify the channel run_ended, and one connection listens for all.
type announcements struct {
	config  *pgx.ConnConfig
	queries *dbsqlc.Queries
	log     *slog.Logger
	cancel  context.CancelFunc
	ctx     context.Context
	stopped sync.WaitGroup

	mu        sync.Mutex
	started   bool
	listening chan struct{} // closed while the connection listens, replaced when it is lost
	waiting   map[string]map[chan struct{}]struct{}
}

func newAnnouncements(config *pgx.ConnConfig, queries *dbsqlc.Queries, log *slog.Logger) *announcements {
	ctx, cancel := context.WithCancel(context.Background())
	return &announcements{
		config: config, queries: queries, log: log, ctx: ctx, cancel: cancel,
		listening: make(chan struct{}), waiting: map[string]map[chan struct{}]struct{}{},
	}
}

// of returns a channel that is closed when the run ends after this call or when ctx is
// done. It returns once the announcement can no longer be missed.
func (a *announcements) of(ctx context.Context, runID string) (<-chan struct{}, error) {
	ch := make(chan struct{})
	a.mu.Lock()
	if a.waiting[runID] == nil {
		a.waiting[runID] = map[chan struct{}]struct{}{}
	}
	a.waiting[runID][ch] = struct{}{}
	if !a.started && a.ctx.Err() == nil {
		a.started = true
		a.stopped.Add(1)
		go a.listen()
	}
	listening := a.listening
	a.mu.Unlock()

	context.AfterFunc(ctx, func() { a.end(runID, ch) })
	select {
	case <-listening:
		return ch, nil
	case <-ctx.Done():
		return ch, nil
	case <-a.ctx.Done():
		a.end(runID, ch)
		return ch, nil
	}
}

// end closes one channel of a run, unless it is already closed.
func (a *announcements) end(runID string, ch chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.waiting[runID][ch]; !ok {
		return
	}
	close(ch)
	delete(a.waiting[runID], ch)
	if len(a.waiting[runID]) == 0 {
		delete(a.waiting, runID)
	}
}

// announce closes all channels of a run.
func (a *announcements) announce(runID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for ch := range a.waiting[runID] {
		close(ch)
	}
	delete(a.waiting, runID)
}

// listen keeps a connection that listens until the database is closed.
func (a *announcements) listen() {
	defer a.stopped.Done()
	for a.ctx.Err() == nil {
		err := a.session()
		a.mu.Lock()
		select {
		case <-a.listening:
			a.listening = make(chan struct{})
		default:
		}
		a.mu.Unlock()
		if a.ctx.Err() != nil {
			return
		}
		a.log.Warn("lost the connection that listens for ended runs", "error", err)
		select {
		case <-a.ctx.Done():
		case <-time.After(reconnectWait):
		}
	}
}

// session listens on one connection until that is lost.
func (a *announcements) session() error {
	conn, err := pgx.ConnectConfig(a.ctx, a.config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(a.ctx)) }()
	if _, err := conn.Exec(a.ctx, "listen run_ended"); err != nil {
		return err
	}
	if err := a.catchUp(); err != nil {
		return err
	}
	a.mu.Lock()
	close(a.listening)
	a.mu.Unlock()
	for {
		n, err := conn.WaitForNotification(a.ctx)
		if err != nil {
			return err
		}
		a.announce(n.Payload)
	}
}

// catchUp announces the runs that ended while the connection was lost.
func (a *announcements) catchUp() error {
	a.mu.Lock()
	ids := make([]string, 0, len(a.waiting))
	for id := range a.waiting {
		ids = append(ids, id)
	}
	a.mu.Unlock()
	ended, err := a.queries.EndedRuns(a.ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ended {
		a.announce(id)
	}
	return nil
}

// close stops listening and releases all waiting callers.
func (a *announcements) close() {
	a.cancel()
	a.stopped.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, channels := range a.waiting {
		for ch := range channels {
			close(ch)
		}
		delete(a.waiting, id)
	}
}

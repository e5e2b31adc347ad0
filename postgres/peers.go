package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// requestsTaken is the channel on which services tell each other what their callers have
// used of their rate limits.
const requestsTaken = "requests_taken"

// Tell implements limit.Peers.
func (db *DB) Tell(ctx context.Context, messages []string) error {
	_, err := db.pool.Exec(ctx, "select pg_notify($1, m) from unnest($2::text[]) m", requestsTaken, messages)
	return wrap(err, "tell the other services")
}

// Hear implements limit.Peers. It uses a connection of its own.
func (db *DB) Hear(ctx context.Context, heard func(message string)) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return wrap(err, "connect to hear the other services")
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "listen "+requestsTaken); err != nil {
		return wrap(err, "listen to the other services")
	}
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return wrap(err, "hear the other services")
		}
		heard(n.Payload)
	}
}

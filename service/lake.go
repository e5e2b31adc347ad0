package service

import (
	"context"
	"log/slog"

	"ballast/export/lake"
	"ballast/program/jobs"
)

// NewPublisher returns a publisher of results as Iceberg tables in the bucket.
func NewPublisher(s *Storage, log *slog.Logger) *lake.Publisher {
	return &lake.Publisher{Runs: s.DB, Live: s.DB, Lock: s.DB, Bucket: s.Bucket, Place: s.Place, Keep: lake.Keep, Logger: log}
}

// publishing returns the periodic publication, or nil if --lake is not set.
func publishing(c Config, s *Storage, log *slog.Logger) *jobs.Publishing {
	if c.Operation.Lake <= 0 {
		return nil
	}
	publisher := NewPublisher(s, log)
	return &jobs.Publishing{Every: c.Operation.Lake, Publish: func(ctx context.Context) error {
		_, err := publisher.Publish(ctx)
		return err
	}}
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/catalog/series"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// Series are locked before programs: by publications, which share the series that they
// have read, and by changes of a series, which then lock the programs that read it. So
// a publication and a change that happen at the same time see each other.

// SeriesReads returns what a run has read of series.
func (db *DB) SeriesReads(ctx context.Context, runID string) ([]series.Read, error) {
	rows, err := db.queries.SeriesReads(ctx, runID)
	reads := make([]series.Read, len(rows))
	for i, r := range rows {
		reads[i] = series.Read{SeriesID: r.SeriesID, Version: int(r.Version), Keys: r.Keys}
	}
	return reads, wrap(err, "read the series of run %s", runID)
}

// SeriesOfBuild returns the names of the series that the runs of a build have read, in
// upper case, and whether each is the operator's.
func (db *DB) SeriesOfBuild(ctx context.Context, buildID string) (map[string]bool, error) {
	rows, err := db.queries.SeriesOfBuild(ctx, buildID)
	public := make(map[string]bool, len(rows))
	for _, r := range rows {
		public[series.Fold(r.Name)] = r.Public
	}
	return public, wrap(err, "read the series of build %s", buildID)
}

// shareSeries locks the series that a run has read, and reports whether one has a newer
// version now, and whether one was deleted.
func shareSeries(ctx context.Context, q *dbsqlc.Queries, reads []series.Read) (newer, deleted bool, err error) {
	if len(reads) == 0 {
		return false, false, nil
	}
	read := make(map[string]int, len(reads))
	ids := make([]string, len(reads))
	for i, r := range reads {
		ids[i], read[r.SeriesID] = r.SeriesID, r.Version
	}
	rows, err := q.ShareSeries(ctx, ids)
	for _, r := range rows {
		newer = newer || int(r.Version) != read[r.ID]
		deleted = deleted || r.Deleted
	}
	return newer, deleted, err
}

// keepSeriesReads stores what a run has read.
func keepSeriesReads(ctx context.Context, q *dbsqlc.Queries, runID string, reads []series.Read) error {
	if len(reads) == 0 {
		return nil
	}
	type row struct {
		SeriesID string   `json:"series_id"`
		Version  int      `json:"version"`
		Keys     []string `json:"keys"`
	}
	rows := make([]row, len(reads))
	for i, r := range reads {
		rows[i] = row(r)
	}
	text, err := encode(&rows)
	if err != nil {
		return err
	}
	return q.KeepSeriesReads(ctx, dbsqlc.KeepSeriesReadsParams{RunID: runID, Reads: text})
}

// followSeries lets a program that has just begun to serve a run follow what has
// happened to its series during the run. The program and the series must be locked.
func (db *DB) followSeries(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, newer, deleted bool) error {
	switch {
	case deleted:
		return q.PauseSeriesReaders(ctx, dbsqlc.PauseSeriesReadersParams{Ids: []string{model.ID}, Now: stamp(db.now())})
	case newer && model.AutoUpdate:
		_, err := db.awaken(ctx, tx, q, []string{model.ID})
		return err
	}
	return nil
}

// seriesChanged queues the programs that read a series, which has a new version and must
// be locked. If the series is new, it queues those that were paused when the series of
// this name was deleted.
func (db *DB) seriesChanged(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, s *series.Series, created bool) error {
	due := []string{}
	if created {
		rows, err := q.LockPausedReaders(ctx, dbsqlc.LockPausedReadersParams{Name: s.Name, AccountID: orNil(s.AccountID)})
		if err != nil || len(rows) == 0 {
			return err
		}
		back := make([]string, len(rows))
		for i, r := range rows {
			if back[i] = r.ID; r.AutoUpdate {
				due = append(due, r.ID)
			}
		}
		if err := q.ResumeSeriesReaders(ctx, dbsqlc.ResumeSeriesReadersParams{Ids: back, Now: stamp(db.now())}); err != nil {
			return err
		}
	} else {
		rows, err := q.LockSeriesReaders(ctx, s.ID)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.Follows {
				due = append(due, r.ID)
			}
		}
	}
	if len(due) == 0 {
		return nil
	}
	_, err := db.awaken(ctx, tx, q, due)
	return err
}

// pauseReaders pauses the programs that read a series, which must be locked.
func (db *DB) pauseReaders(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, seriesID string) error {
	rows, err := q.LockSeriesReaders(ctx, seriesID)
	if err != nil || len(rows) == 0 {
		return err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	if err := q.PauseSeriesReaders(ctx, dbsqlc.PauseSeriesReadersParams{Ids: ids, Now: stamp(db.now())}); err != nil {
		return err
	}
	return db.settleAbove(ctx, tx, q, ids...) // their holders may have waited for them
}

// lost lists the deleted series that a program's live result was computed from.
func lost(ctx context.Context, q *dbsqlc.Queries, programID string) ([]program.LostSeries, error) {
	rows, err := q.LostSeries(ctx, programID)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	list := make([]program.LostSeries, len(rows))
	for i, r := range rows {
		list[i] = program.LostSeries(r)
	}
	return list, nil
}

// SeriesVersions is a sweeper that deletes former versions of series that no run has
// read.
type SeriesVersions struct {
	DB    *DB
	Grace time.Duration // how long a run may take that has read a version and not published yet
}

// Sweep deletes the versions, and the deleted series of which nothing is left.
func (s SeriesVersions) Sweep(ctx context.Context) error {
	err := s.DB.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		pruned, err := q.PruneSeriesVersions(ctx, stamp(s.DB.now().Add(-s.Grace)))
		if err != nil || len(pruned) == 0 {
			return err
		}
		if err := q.RecountSeries(ctx, pruned); err != nil {
			return err
		}
		return q.DeleteEmptySeries(ctx)
	})
	return wrap(err, "delete former versions of series")
}

package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
)

// Series lists the account's own series and the operator's by name.
func (db *DB) Series(ctx context.Context, accountID string, limit, offset int) ([]*series.Series, int, error) {
	var out []*series.Series
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountReadableSeries(ctx, accountID); err != nil {
			return err
		}
		rows, err := q.ReadableSeries(ctx, dbsqlc.ReadableSeriesParams{AccountID: accountID, Most: skip(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		out = make([]*series.Series, len(rows))
		for i, r := range rows {
			if out[i], err = seriesOf(seriesRow(r)); err != nil {
				return err
			}
		}
		return nil
	})
	return out, int(total), wrap(err, "list series of %s", accountID)
}

// SeriesByName returns series by upper-case name, the account's own before the
// operator's.
func (db *DB) SeriesByName(ctx context.Context, accountID string, names []string) (map[string]*series.Series, error) {
	found, err := seriesByName(ctx, db.queries, accountID, names)
	return found, wrap(err, "read series of %s", accountID)
}

func seriesByName(ctx context.Context, q *dbsqlc.Queries, accountID string, names []string) (map[string]*series.Series, error) {
	rows, err := q.SeriesByName(ctx, dbsqlc.SeriesByNameParams{AccountID: accountID, Names: names})
	if err != nil {
		return nil, err
	}
	found := make(map[string]*series.Series, len(rows))
	for _, r := range rows {
		s, err := seriesOf(seriesRow(r))
		if err != nil {
			return nil, err
		}
		if name := series.Fold(s.Name); found[name] == nil || !s.Public() {
			found[name] = s
		}
	}
	return found, nil
}

// SeriesVersion reads one version of a series, which may be deleted.
func (db *DB) SeriesVersion(ctx context.Context, seriesID string, version int) (*series.Series, error) {
	row, err := db.queries.SeriesVersion(ctx, dbsqlc.SeriesVersionParams{ID: seriesID, Version: skip(version)})
	if absent(err) {
		return nil, fault.Missing("series", fmt.Sprintf("%s, version %d", seriesID, version))
	}
	if err != nil {
		return nil, wrap(err, "read series %s", seriesID)
	}
	return seriesOf(seriesRow(row))
}

// SeriesTable reads the values of one version of a series.
func (db *DB) SeriesTable(ctx context.Context, seriesID string, version int) (*series.Table, error) {
	return seriesTable(ctx, db.queries, seriesID, version)
}

// SeriesData reads the Parquet file of one version of a series.
func (db *DB) SeriesData(ctx context.Context, seriesID string, version int) ([]byte, error) {
	return seriesData(ctx, db.queries, seriesID, version)
}

func seriesData(ctx context.Context, q *dbsqlc.Queries, seriesID string, version int) ([]byte, error) {
	data, err := q.SeriesData(ctx, dbsqlc.SeriesDataParams{ID: seriesID, Version: skip(version)})
	if absent(err) {
		return nil, fault.Missing("series", fmt.Sprintf("%s, version %d", seriesID, version))
	}
	return data, wrap(err, "read the values of series %s", seriesID)
}

func seriesTable(ctx context.Context, q *dbsqlc.Queries, seriesID string, version int) (*series.Table, error) {
	data, err := seriesData(ctx, q, seriesID, version)
	if err != nil {
		return nil, err
	}
	return series.Decode(data)
}

// seriesRow is the row type that all queries of versions share.
type seriesRow dbsqlc.ReadableSeriesRow

func seriesOf(r seriesRow) (*series.Series, error) {
	columns, err := decode[[]series.Column](r.Columns)
	if err != nil {
		return nil, fmt.Errorf("read series %s: %w", r.ID, err)
	}
	return &series.Series{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, Version: int(r.Version),
		Frequency: series.Frequency(r.Frequency), Kind: series.Kind(r.Kind), Lag: int(r.Lag), Columns: *columns,
		Rows: int(r.Rows), First: fromDate(r.FirstDate), Last: fromDate(r.LastDate), Added: int(r.Added), Restated: int(r.Restated),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

// PutSeries makes the next version of a series.
func (db *DB) PutSeries(ctx context.Context, accountID, name string, make func(*series.Series, *series.Table) (*series.Series, *series.Table, error)) (*series.Series, error) {
	var put *series.Series
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := q.LockSeriesOf(ctx, accountID); err != nil {
			return err
		}
		before, stored, err := ownSeries(ctx, q, accountID, name)
		if err != nil {
			return err
		}
		after, table, err := make(before, stored)
		if err != nil {
			return err
		}
		if put = after; table == nil {
			return nil
		}
		audit.Concern(ctx, accountID, after.ID)
		if err := db.storeSeries(ctx, q, before, after, table); err != nil {
			return err
		}
		return db.seriesChanged(ctx, tx, q, after, before == nil)
	})
	return put, wrap(err, "store series %s", name)
}

// ownSeries returns an account's series of a name with its values, nil if there is none.
// A name of the operator's series is refused, because scripts that read it would begin
// to read another.
func ownSeries(ctx context.Context, q *dbsqlc.Queries, accountID, name string) (*series.Series, *series.Table, error) {
	found, err := seriesByName(ctx, q, accountID, []string{series.Fold(name)})
	if err != nil {
		return nil, nil, err
	}
	s := found[series.Fold(name)]
	switch {
	case s == nil:
		return nil, nil, nil
	case s.AccountID != accountID:
		return nil, nil, fault.New(fault.SymbolTaken, "%s is the name of one of the operator's series, which all accounts read. Choose another name.", s.Name).
			With(fault.Detail{Field: "name", Message: "is the name of one of the operator's series"})
	}
	t, err := seriesTable(ctx, q, s.ID, s.Version)
	return s, t, err
}

// storeSeries writes the next version of a series, or the first if there is none before.
func (db *DB) storeSeries(ctx context.Context, q *dbsqlc.Queries, before, after *series.Series, table *series.Table) error {
	data, err := series.Encode(table)
	if err != nil {
		return err
	}
	columns, err := encode(&after.Columns)
	if err != nil {
		return err
	}
	if after.AccountID != "" {
		if err := db.checkQuotas(ctx, q, after.AccountID, rowBytes+len(data)); err != nil {
			return err
		}
	}
	if before == nil {
		n, err := q.CountSeriesOf(ctx, after.AccountID)
		if err != nil {
			return err
		}
		if n >= series.MostSeries {
			return fault.New(fault.PlanRequired, "The account has %d series, which is the most. Delete one, or add columns to one.", n).
				With(fault.Detail{Of: "account", Field: "series", Message: fmt.Sprintf("%d of %d are used", n, series.MostSeries)})
		}
		if err := q.InsertSeries(ctx, dbsqlc.InsertSeriesParams{ID: after.ID, AccountID: orNil(after.AccountID), Name: after.Name, Now: stamp(after.CreatedAt)}); err != nil {
			return err
		}
	} else if _, err := q.LockSeries(ctx, after.ID); err != nil {
		return err
	}
	if err := q.InsertSeriesVersion(ctx, dbsqlc.InsertSeriesVersionParams{
		SeriesID: after.ID, Version: skip(after.Version), Frequency: string(after.Frequency), Kind: string(after.Kind), Lag: skip(after.Lag),
		Columns: columns, Rows: skip(after.Rows), FirstDate: toDate(after.First), LastDate: toDate(after.Last),
		Added: skip(after.Added), Restated: skip(after.Restated), Data: data, CreatedAt: stamp(after.UpdatedAt),
	}); err != nil {
		return err
	}
	return q.ReviseSeries(ctx, dbsqlc.ReviseSeriesParams{ID: after.ID, Version: skip(after.Version), Now: stamp(after.UpdatedAt)})
}

// DeleteSeries ends a series and pauses the programs that read it. The versions that
// runs have read stay.
func (db *DB) DeleteSeries(ctx context.Context, accountID, seriesID string) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := q.LockSeriesOf(ctx, accountID); err != nil {
			return err
		}
		audit.Concern(ctx, accountID, seriesID)
		s, err := q.LockSeries(ctx, seriesID)
		if absent(err) || err == nil && orEmpty(s.AccountID) != accountID {
			return fault.Missing("series", seriesID)
		}
		if err != nil {
			return err
		}
		if err := q.DeleteSeries(ctx, dbsqlc.DeleteSeriesParams{ID: seriesID, Now: stamp(db.now())}); err != nil {
			return err
		}
		return db.pauseReaders(ctx, tx, q, seriesID)
	})
	return wrap(err, "delete series %s", seriesID)
}

package query

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ballast/query/engine"
)

// seriesValues adds the table of the values of series. Each version is a file with a
// column per key, which the process turns into rows as it reads them. A filter on the
// name reads the files of that name alone.
func (p *plan) seriesValues(ctx context.Context) error {
	readable, err := p.service.c.Series.QuerySeries(ctx, p.scope)
	if err != nil {
		return err
	}
	var parts []string
	for i, s := range readable {
		path, err := p.seriesFile(ctx, s)
		if err != nil {
			return err
		}
		scan := fmt.Sprintf("_series_file_%d", i)
		p.order.Scans = append(p.order.Scans, engine.Scan{Name: scan, Files: []string{path}})
		parts = append(parts, fmt.Sprintf("SELECT '%s' AS series_id, '%s' AS name, key, date, value FROM (UNPIVOT %s ON COLUMNS(* EXCLUDE date) INTO NAME key VALUE value) WHERE NOT isnan(value)",
			quoted(s.ID), quoted(s.Name), scan))
	}
	if len(parts) == 0 {
		parts = append(parts, empty(SeriesValues))
	}
	p.addSetup("CREATE VIEW series_values AS " + strings.Join(parts, " UNION ALL "))
	return nil
}

// seriesFile returns a local file with a version of a series, which exists until the
// statement ends.
func (p *plan) seriesFile(ctx context.Context, s StoredSeries) (string, error) {
	path, release, err := p.service.series.file(ctx, fmt.Sprintf("%s-%d", s.ID, s.Version), func(ctx context.Context, w io.Writer) error {
		data, err := p.service.c.Series.SeriesData(ctx, s.ID, s.Version)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err == nil {
		p.releases = append(p.releases, release)
	}
	return path, err
}

// quoted escapes a text for a literal of SQL.
func quoted(s string) string { return strings.ReplaceAll(s, "'", "''") }

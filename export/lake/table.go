package lake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/hadoop"
	"github.com/apache/iceberg-go/table"

	"ballast/storage/columnar"
)

// properties of the tables. Each commit deletes old metadata files.
var properties = iceberg.Properties{
	"write.metadata.delete-after-commit.enabled": "true",
	"write.metadata.previous-versions-max":       "10",
}

// orphanAge is the age at which a file that no snapshot names is deleted. It is longer
// than any publication takes.
const orphanAge = 24 * time.Hour

// publication brings one table up to date.
type publication struct {
	w       *warehouse
	catalog *hadoop.Catalog
	bucket  columnar.Bucket
	content content
	keep    time.Duration
	ident   table.Identifier
	added   int // number of files added
}

// publish makes a snapshot with the wanted content unless the current one has it, and
// reports whether it made one.
func (p *publication) publish(ctx context.Context) (changed bool, err error) {
	t, err := p.open(ctx)
	if err != nil {
		return false, err
	}
	have, err := p.current(ctx, t)
	if err != nil {
		return false, err
	}
	add, err := p.store(ctx, have)
	if err != nil {
		return false, err
	}
	var drop []string
	for name, location := range have {
		if !slices.ContainsFunc(p.content.files, func(f file) bool { return f.name == name }) {
			drop = append(drop, location)
		}
	}
	if changed = len(add)+len(drop) > 0; changed {
		slices.Sort(drop)
		tx := t.NewTransaction()
		if err := tx.ReplaceDataFiles(ctx, drop, add, nil); err != nil {
			return false, err
		}
		if t, err = tx.Commit(ctx); err != nil {
			return false, err
		}
	}
	p.added = len(add)
	return changed, p.expire(ctx, t)
}

// open loads the table, or creates it.
func (p *publication) open(ctx context.Context) (*table.Table, error) {
	t, err := p.catalog.LoadTable(ctx, p.ident)
	if !errors.Is(err, catalog.ErrNoSuchTable) {
		return t, err
	}
	schema, err := table.ArrowSchemaToIcebergWithFreshIDs(p.content.schema, false)
	if err != nil {
		return nil, err
	}
	if err := p.catalog.CreateNamespace(ctx, p.ident[:1], nil); err != nil && !errors.Is(err, catalog.ErrNamespaceAlreadyExists) {
		return nil, err
	}
	return p.catalog.CreateTable(ctx, p.ident, schema, catalog.WithProperties(properties))
}

// current returns the locations of the table's files, by file name.
func (p *publication) current(ctx context.Context, t *table.Table) (map[string]string, error) {
	tasks, err := t.Scan().PlanFiles(ctx)
	if err != nil {
		return nil, fmt.Errorf("list its files: %w", err)
	}
	have := make(map[string]string, len(tasks))
	for _, task := range tasks {
		have[path.Base(task.File.FilePath())] = task.File.FilePath()
	}
	return have, nil
}

// store writes the files that the table lacks, and returns the locations of those with
// rows. It reuses files of a killed publication, because an object appears only when it
// is complete.
func (p *publication) store(ctx context.Context, have map[string]string) (locations []string, err error) {
	stored := map[string]bool{}
	for entry, err := range p.bucket.List(ctx, folder(p.ident)+"/") {
		if err != nil {
			return nil, fmt.Errorf("list the files of the table: %w", err)
		}
		stored[entry.Key] = true
	}
	for _, f := range p.content.files {
		if _, ok := have[f.name]; ok {
			continue
		}
		key := path.Join(folder(p.ident), f.name)
		if !stored[key] {
			if err := p.bucket.Put(ctx, key, func(w io.Writer) error { return f.write(ctx, w) }); err != nil {
				return nil, err
			}
		}
		rows, err := p.rows(ctx, key)
		if err != nil {
			return nil, err
		}
		if rows > 0 {
			locations = append(locations, p.w.file(key))
		}
	}
	return locations, nil
}

func (p *publication) rows(ctx context.Context, key string) (rows int64, err error) {
	o, err := p.bucket.Open(ctx, key)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	f, err := columnar.NewParquetFile(o, o.Size)
	if err != nil {
		return 0, err
	}
	return f.Rows(), nil
}

// expire removes old snapshots with the files that only they name, and then deletes
// old files that no snapshot names.
func (p *publication) expire(ctx context.Context, t *table.Table) error {
	old := time.Now().Add(-p.keep).UnixMilli()
	if slices.ContainsFunc(t.Metadata().Snapshots(), func(s table.Snapshot) bool {
		return s.TimestampMs < old && s.SnapshotID != t.CurrentSnapshot().SnapshotID
	}) {
		tx := t.NewTransaction()
		if err := tx.ExpireSnapshots(table.WithOlderThan(p.keep), table.WithRetainLast(1)); err != nil {
			return fmt.Errorf("expire snapshots: %w", err)
		}
		var err error
		if t, err = tx.Commit(ctx); err != nil {
			return fmt.Errorf("expire snapshots: %w", err)
		}
	}
	return p.sweep(ctx, t)
}

// sweep deletes old data files that no snapshot names.
func (p *publication) sweep(ctx context.Context, t *table.Table) error {
	var old []string
	for entry, err := range p.bucket.List(ctx, folder(p.ident)+"/") {
		if err != nil {
			return fmt.Errorf("list the files of the table: %w", err)
		}
		if time.Since(entry.Modified) > orphanAge {
			old = append(old, entry.Key)
		}
	}
	if len(old) == 0 {
		return nil
	}
	named := map[string]bool{}
	for _, s := range t.Metadata().Snapshots() {
		tasks, err := t.Scan(table.WithSnapshotID(s.SnapshotID)).PlanFiles(ctx)
		if err != nil {
			return fmt.Errorf("list the files of snapshot %d: %w", s.SnapshotID, err)
		}
		for _, task := range tasks {
			named[p.w.key(task.File.FilePath())] = true
		}
	}
	for _, key := range old {
		if !named[key] {
			if err := p.bucket.Delete(ctx, key); err != nil {
				return err
			}
		}
	}
	return nil
}

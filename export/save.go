package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"ballast/storage/columnar"
)

// Extension is what the name of a file in the format ends in.
func (f Format) Extension() string {
	if f == Arrow {
		return ".arrows"
	}
	return "." + string(f)
}

// Save writes all rows into one object of a bucket, which is there when it is
// whole, or as it was before.
func Save(ctx context.Context, bucket columnar.Bucket, key string, rows *Rows, f Format) error {
	return bucket.Put(ctx, key, func(w io.Writer) error { return Write(ctx, w, rows, f) })
}

// Partition says what a table is divided by.
type Partition string

// The partitions: folders named year=2024 or symbol=SPY, as Hive has them.
const (
	ByYear   Partition = "year"   // of tables with dates
	BySymbol Partition = "symbol" // of bars; the files then have no column symbol
)

// Partitions are all of them.
var Partitions = []Partition{ByYear, BySymbol}

// complete is the name of the empty object that is written after all others.
const complete = "_SUCCESS"

// SavePartitioned writes all rows into objects below a folder of a bucket, one a
// part, and an empty object _SUCCESS after them. After an error it deletes what
// it has written. It returns the number of parts.
func SavePartitioned(ctx context.Context, bucket columnar.Bucket, folder string, rows *Rows, f Format, by Partition) (int, error) {
	p, err := newParting(ctx, bucket, folder, rows.Table, f, by)
	if err != nil {
		return 0, err
	}
	err = p.all(rows)
	if err == nil {
		err = bucket.Put(ctx, path.Join(folder, complete), func(io.Writer) error { return nil })
	}
	if err != nil {
		for _, key := range p.keys {
			err = errors.Join(err, bucket.Delete(context.WithoutCancel(ctx), key))
		}
		return 0, fmt.Errorf("export by %s: %w", by, err)
	}
	return len(p.keys), nil
}

package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"ballast/storage/columnar"
)

// Extension returns the file name extension of the format, with its dot.
func (f Format) Extension() string {
	if f == Arrow {
		return ".arrows"
	}
	return "." + string(f)
}

// Save writes all rows to one object of a bucket. The object appears only once it is
// complete; after an error, the former object is unchanged.
func Save(ctx context.Context, bucket columnar.Bucket, key string, rows *Rows, f Format) error {
	return bucket.Put(ctx, key, func(w io.Writer) error { return Write(ctx, w, rows, f) })
}

// Partition is the column by which a table is divided.
type Partition string

// The partitions. As in Hive, the folders are named year=2024 or symbol=SPY.
const (
	ByYear   Partition = "year"   // for tables with dates
	BySymbol Partition = "symbol" // for bars; the files have no column symbol
)

// Partitions lists all partitions.
var Partitions = []Partition{ByYear, BySymbol}

// complete is the name of the empty object that is written after all others.
const complete = "_SUCCESS"

// SavePartitioned writes all rows to objects below a folder of a bucket, one per part,
// and then an empty object _SUCCESS. After an error it deletes what it has written. It
// returns the number of parts.
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

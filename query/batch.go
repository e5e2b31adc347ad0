package query

import "github.com/apache/arrow-go/v18/arrow"

// RowsOf returns the rows of one batch.
func RowsOf(batch arrow.RecordBatch) Rows { return &oneBatch{batch: batch} }

// oneBatch is a single batch as Rows.
type oneBatch struct {
	batch arrow.RecordBatch
	read  bool
}

func (r *oneBatch) Schema() *arrow.Schema { return r.batch.Schema() }

func (r *oneBatch) Next() bool {
	first := !r.read
	r.read = true
	return first
}

func (r *oneBatch) Batch() arrow.RecordBatch { return r.batch }

func (r *oneBatch) Err() error { return nil }

func (r *oneBatch) Cut() bool { return false }

//go:build duckdb_arrow

package duck_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/storage/duck"
)

// number returns one Arrow record with one value.
func number(t *testing.T, value int64) array.RecordReader {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil))
	defer b.Release()
	b.Field(0).(*array.Int64Builder).Append(value)
	record := b.NewRecordBatch()
	defer record.Release()
	reader, err := array.NewRecordReader(record.Schema(), []arrow.RecordBatch{record})
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

// TestViewsBelongToTheirSession creates views with the same name in many sessions at
// once: each session must read its own rows.
func TestViewsBelongToTheirSession(t *testing.T) {
	db := open(t)
	const sessions = 8
	var made, work sync.WaitGroup
	made.Add(sessions)
	for i := range int64(sessions) {
		work.Go(func() {
			err := func() (err error) {
				c, err := db.Conn(t.Context())
				if err != nil {
					return err
				}
				defer c.Discard()
				reader := number(t, i)
				defer reader.Release()
				release, err := c.View("arrived", reader)
				made.Done()
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, release()) }()
				made.Wait() // every session has its view before the first one reads
				records, err := c.Query(t.Context(), "SELECT n FROM arrived")
				if err != nil {
					return err
				}
				defer duck.Release(records)
				if len(records) == 0 {
					return errors.New("it reads nothing")
				}
				if got := records[0].Column(0).(*array.Int64).Value(0); got != i {
					return fmt.Errorf("it reads %d", got)
				}
				return nil
			}()
			if err != nil {
				t.Errorf("session %d: %v", i, err)
			}
		})
	}
	work.Wait()
	records, err := db.Query(t.Context(), "SELECT view_name FROM duckdb_views() WHERE NOT internal")
	if err != nil {
		t.Fatal(err)
	}
	defer duck.Release(records)
	if len(records) > 0 {
		t.Errorf("views were left behind: %v", records)
	}
}

//go:build duckdb_arrow

package duck

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"
)

var views atomic.Uint64

// View makes Arrow records readable under a name in this session, for one
// statement: reading the view consumes it. The caller calls release before the
// reader is released and before the name is used again.
func (c *Conn) View(name string, reader array.RecordReader) (release func() error, err error) {
	// DuckDB keeps a view of Arrow records in the catalog that all sessions share,
	// where one of the same name would take its place. So that view gets a name of
	// its own, and the session a temporary one.
	shared := fmt.Sprintf("arrow_records_%d", views.Add(1))
	var free func()
	err = c.arrow(func(a *duckdb.Arrow) (err error) {
		free, err = a.RegisterView(reader, shared)
		return err
	})
	if err != nil {
		return nil, err
	}
	release = func() error {
		// A canceled caller leaves no view behind either.
		ctx := context.Background()
		err := errors.Join(c.Exec(ctx, "DROP VIEW IF EXISTS temp."+Ident(name)), c.Exec(ctx, "DROP VIEW "+shared))
		free()
		return err
	}
	if err := c.Exec(context.Background(), "CREATE TEMP VIEW "+Ident(name)+" AS SELECT * FROM "+shared); err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

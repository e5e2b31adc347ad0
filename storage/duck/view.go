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

// View makes Arrow records readable under a name in this session, for one statement:
// reading the view consumes the records. The caller must call release before it releases
// the reader and before it uses the name again.
func (c *Conn) View(name string, reader array.RecordReader) (release func() error, err error) {
	// DuckDB keeps a view of Arrow records in the catalog that all sessions share, where
	// it would replace another of the same name. So that view gets a unique name, and the
	// session a temporary view on it.
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
		// The view is removed even if the caller was canceled.
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

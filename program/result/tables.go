package result

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/program"
	"ballast/storage/columnar"
)

// Table reads one table of a complete run of a program other than a model. The caller
// releases it.
func (r *Store) Table(ctx context.Context, run *program.Run, name string) (arrow.RecordBatch, error) {
	path, err := r.bucket.Path(ctx, run.Tables[name].Key)
	if err != nil {
		return nil, fmt.Errorf("table %s of run %s: %w", name, run.ID, err)
	}
	table, err := columnar.ReadParquet(path, nil)
	if err != nil {
		return nil, fmt.Errorf("table %s of run %s: %w", name, run.ID, err)
	}
	return table, nil
}

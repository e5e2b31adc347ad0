//go:build duckdb_arrow

package importing

import "context"

// Progress is how far an import has come. Each step runs from 0 to its Total.
type Progress struct {
	Step  Step
	Done  int64
	Total int64 // at least 1
}

// Step is a part of an import.
type Step string

// The steps, in order.
const (
	Reading    Step = "reading" // bytes
	Checking   Step = "checking"
	Merging    Step = "merging"
	Writing    Step = "writing" // rows
	Committing Step = "committing"
)

// inSteps runs the parts of a step one after the other and reports each.
func inSteps(ctx context.Context, o Options, step Step, parts ...func(context.Context) error) error {
	for i, part := range parts {
		o.Progress(Progress{step, int64(i), int64(len(parts))})
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part(ctx); err != nil {
			return err
		}
	}
	o.Progress(Progress{step, int64(len(parts)), int64(len(parts))})
	return nil
}

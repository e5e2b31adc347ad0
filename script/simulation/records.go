package simulation

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sync"

	"ballast/script"
	"ballast/simulate"
)

// records are the numbers that a script records, by name, step and path.
type records struct {
	steps, paths int
	mu           sync.Mutex
	rows         map[string][][]float64 // by step, then path; NaN where nothing was recorded
}

// The limits of what a script may record.
const (
	maxRecords = 32
	maxNumbers = 8_000_000
)

var recordPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

func newRecords(steps, paths int) *records {
	return &records{steps: steps, paths: paths, rows: map[string][][]float64{}}
}

// put notes a number. Calls for different paths may be made at the same time.
func (r *records) put(name string, step, path int, v float64) error {
	row, err := r.row(name, step)
	if err == nil {
		row[path] = v
	}
	return err
}

func (r *records) row(name string, step int) ([]float64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := r.rows[name]
	if rows == nil {
		switch n := len(r.rows) + 1; {
		case !recordPattern.MatchString(name):
			return nil, fmt.Errorf("record: %q is not a name: a letter, then up to 63 letters, digits, _, . and -", name)
		case n > maxRecords:
			return nil, fmt.Errorf("record: %s would be name %d; a simulation records up to %d", name, n, maxRecords)
		case n*r.steps*r.paths > maxNumbers:
			return nil, fmt.Errorf("record: %d names in %d steps of %d paths are %d numbers, and at most %d are kept: record fewer names, or simulate up to %d paths",
				n, r.steps, r.paths, n*r.steps*r.paths, maxNumbers, maxNumbers/(n*r.steps))
		}
		rows = make([][]float64, r.steps)
		r.rows[name] = rows
	}
	if rows[step] == nil {
		rows[step] = slices.Repeat([]float64{math.NaN()}, r.paths)
	}
	return rows[step], nil
}

// table is recorded: how each name lies over the paths, step by step. It is false
// without any.
func (r *records) table(stepMonths int) (script.Table, bool) {
	if len(r.rows) == 0 {
		return script.Table{}, false
	}
	var names []string
	var steps []float64
	var bands []simulate.Band
	for _, name := range slices.Sorted(maps.Keys(r.rows)) {
		for step, row := range r.rows[name] {
			row = slices.DeleteFunc(row, math.IsNaN)
			if len(row) == 0 {
				continue
			}
			names, steps, bands = append(names, name), append(steps, float64(step*stepMonths)), append(bands, simulate.BandOf(row))
		}
	}
	columns := []script.Column{{Name: "name", Texts: names}, {Name: "step", Numbers: steps}}
	return script.Table{Name: "recorded", Columns: append(columns, bandColumns(bands, "")...)}, true
}

package export

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/program/history"
)

// series is one key of a history, with a number for each date.
type series struct {
	texts  []string // values of the text columns after the date; "" becomes null
	depth  int32    // depth of a node of a tree; the top is 1
	values []float64
}

// seriesOf returns the series of a history that the rows of the table come from.
func (w *resultWalk) seriesOf(h *history.History) []series {
	switch {
	case w.table == Allocations && h.Allocation != nil:
		return w.keyed(h.Allocation.Keys, h.Allocation.Weights)
	case w.table == Contributions && h.Contribution != nil:
		return w.keyed(h.Contribution.Keys, h.Contribution.Values)
	case w.table == Diagnostics && h.Custom != nil:
		out := make([]series, len(h.Custom.Series.Keys))
		for i, key := range h.Custom.Series.Keys {
			out[i] = series{texts: []string{key}, values: h.Custom.Series.Values[i]}
		}
		return out
	case w.table == Tree && h.Tree != nil:
		return w.nodes(nil, "", 1, h.Tree.Children)
	}
	return nil
}

func (w *resultWalk) keyed(keys []string, values [][]float64) []series {
	out := make([]series, len(keys))
	for i, key := range keys {
		out[i] = series{texts: []string{key, w.names[key]}, values: values[i]}
	}
	return out
}

// nodes appends the nodes of a tree, each before its children.
func (w *resultWalk) nodes(to []series, path string, depth int32, parts []*history.Node) []series {
	for _, n := range parts {
		to = append(to, series{texts: []string{path + n.Key, n.Key, w.names[n.Key]}, depth: depth, values: n.Weights})
		to = w.nodes(to, path+n.Key+"/", depth+1, n.Children)
	}
	return to
}

// days returns a batch of the next days of a run, with one row per day and series. A
// diagnostic without a value on a day has no row for that day.
func (w *resultWalk) days() arrow.RecordBatch {
	h := w.history
	days := h.Dates[w.day:]
	days = days[:min(len(days), max(1, batchRows/max(1, len(w.series))))]
	width := 0
	if len(w.series) > 0 {
		width = len(w.series[0].texts)
	}
	schema := w.table.carried()
	texts := make([]*names, schema.NumFields()-6)
	if w.table == Tree {
		texts = texts[1:] // the column depth is not text
	}
	numbers := make([][]int32, len(w.series))
	for c := range texts {
		texts[c] = newNames()
	}
	for k, s := range w.series {
		numbers[k] = make([]int32, width)
		for c, text := range s.texts {
			numbers[k][c] = texts[c].orNone(text)
		}
	}
	dates, depths := array.NewDate32Builder(memory.DefaultAllocator), array.NewInt32Builder(memory.DefaultAllocator)
	values := array.NewFloat64Builder(memory.DefaultAllocator)
	for i, date := range days {
		for k, s := range w.series {
			v := s.values[w.day+i]
			if w.table == Diagnostics && math.IsNaN(v) {
				continue
			}
			dates.Append(arrow.Date32(date))
			for c := range texts {
				texts[c].rows(numbers[k][c], 1)
			}
			depths.Append(s.depth)
			values.Append(v)
		}
	}
	w.day += len(days)
	n := values.Len()
	columns := append(w.whose(h, n), dates.NewArray())
	for c, t := range texts {
		columns = append(columns, t.array())
		if c == 0 && w.table == Tree {
			columns = append(columns, depths.NewArray())
		}
	}
	return array.NewRecordBatch(schema, append(columns, values.NewArray()), int64(n))
}

// whose returns the first columns of n rows, which name the model and the run.
func (w *resultWalk) whose(h *history.History, n int) []arrow.Array {
	return []arrow.Array{repeated(h.ModelID, n), repeated(w.model.symbol, n), w.modelName(n), repeated(h.RunID, n)}
}

package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/backtest"
	"ballast/program"
	"ballast/query/segments"
)

// tree adds the table tree: one SELECT per level of nesting, so that filters on models
// and dates reach the scans.
//
// The view reads two helpers. _parts has a row per visible run (root), run below it and
// key, with the key's label and, if the key is a model, that member's run. _on maps each
// session of a root to the session of a member's run that applies: the last one up to
// that session, since calendars may differ.
func (p *plan) tree(ctx context.Context) error {
	if p.order.Tables == nil || p.inSetup("CREATE VIEW tree ") {
		return nil
	}
	for _, t := range []segments.Table{segments.Weights, segments.Returns} {
		if err := p.source(ctx, t); err != nil {
			return err
		}
	}
	parts, pairs, depth := partsOf(p.results)
	if err := p.addRecord("_parts", parts); err != nil {
		return err
	}
	if err := p.addRecord("_pairs", pairs); err != nil {
		return err
	}
	p.addSetup(`CREATE VIEW _on AS SELECT r.root, r.member, r.date, s.date AS member_date
FROM (SELECT p.root, p.member, d.date FROM _pairs p JOIN _returns d ON d.run_id = p.root) r
ASOF JOIN _returns s ON s.run_id = r.member AND r.date >= s.date`)
	p.addSetup(`CREATE VIEW _level1 AS SELECT w.model_id, w.run_id, w.date, [p.label] AS path, p.label AS key, p.member_run_id, w.weight
FROM _weights w JOIN _parts p ON p.root = w.run_id AND p.run_id = w.run_id AND p.key = w.key`)
	levels := []string{"1"}
	for level := 2; level <= depth; level++ {
		p.addSetup(fmt.Sprintf(`CREATE VIEW _level%d AS SELECT l.model_id, l.run_id, l.date, list_append(l.path, p.label) AS path, p.label AS key, p.member_run_id, l.weight * w.weight AS weight
FROM _level%d l JOIN _on o ON o.root = l.run_id AND o.member = l.member_run_id AND o.date = l.date
JOIN _weights w ON w.run_id = l.member_run_id AND w.date = o.member_date
JOIN _parts p ON p.root = l.run_id AND p.run_id = l.member_run_id AND p.key = w.key`, level, level-1))
		levels = append(levels, fmt.Sprint(level))
	}
	for i, level := range levels {
		levels[i] = "SELECT model_id, run_id, date, path, CAST(" + level + " AS BIGINT) AS depth, key, member_run_id IS NULL AS leaf, weight FROM _level" + level
	}
	p.addSetup("CREATE VIEW tree AS " + strings.Join(levels, " UNION ALL "))
	return nil
}

// inSetup reports whether the setup contains a statement with the given beginning.
func (p *plan) inSetup(beginning string) bool {
	for _, s := range p.order.Setup {
		if strings.HasPrefix(s, beginning) {
			return true
		}
	}
	return false
}

// visibleRuns returns the table of the visible runs.
func visibleRuns(results []Result) arrow.RecordBatch {
	b := newTexts("run_id", "model_id")
	defer b.Release()
	for _, r := range results {
		if r.Visible {
			b.add(r.ID, r.ModelID)
		}
	}
	return b.NewRecordBatch()
}

// yearsOf returns the table of the runs' bars per year.
func yearsOf(results []Result) arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "run_id", Type: arrow.BinaryTypes.String}, {Name: "bars_per_year", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, r := range results {
		b.Field(0).(*array.StringBuilder).Append(r.ID)
		b.Field(1).(*array.Int64Builder).Append(r.BarsPerYear)
	}
	return b.NewRecordBatch()
}

// partsOf returns the tables _parts and _pairs, and the depth of the deepest tree.
func partsOf(results []Result) (parts, pairs arrow.RecordBatch, depth int) {
	byID := make(map[string]*Result, len(results))
	for i := range results {
		byID[results[i].ID] = &results[i]
	}
	b, q := newTexts("root", "run_id", "key", "label", "member_run_id"), newTexts("root", "member")
	defer b.Release()
	defer q.Release()
	depth = 1
	for i := range results {
		root := &results[i]
		if !root.Visible {
			continue
		}
		w := &walk{root: root, byID: byID, heights: map[string]int{}, labels: map[string]string{backtest.CashKey: backtest.CashKey}, parts: b, pairs: q}
		for _, m := range root.Members {
			w.labels[m.Key] = m.ID
		}
		depth = max(depth, w.run(root))
	}
	return b.NewRecordBatch(), q.NewRecordBatch(), depth
}

// walk visits the runs below a root.
type walk struct {
	root         *Result
	byID         map[string]*Result
	heights      map[string]int    // by id of the runs visited
	labels       map[string]string // id of the member by its label; begins with the keys of the root's script
	parts, pairs *texts
}

// run adds the parts of a run and of the runs below it, each run once. It returns the
// number of levels.
func (w *walk) run(r *Result) int {
	if h, seen := w.heights[r.ID]; seen {
		return h
	}
	w.parts.add(w.root.ID, r.ID, backtest.CashKey, backtest.CashKey, "")
	if r != w.root {
		w.pairs.add(w.root.ID, r.ID)
	}
	height := 1
	for _, m := range r.Members {
		label, member := w.label(m), "" // members are named before what is below them, as in the block tree
		if below := w.byID[m.RunID]; below != nil && m.Kind == program.MemberModel {
			member = below.ID
			height = max(height, 1+w.run(below))
		}
		w.parts.add(w.root.ID, r.ID, m.Key, label, member)
	}
	w.heights[r.ID] = height
	return height
}

// label returns a member's symbol, or its id if the symbol already means something else:
// a key of the root's script, or another member.
func (w *walk) label(m program.Member) string {
	label := m.Symbol
	if id, taken := w.labels[label]; taken && id != m.ID {
		label = m.ID
	}
	w.labels[label] = m.ID
	return label
}

// texts builds a record of strings; "" is null.
type texts struct{ *array.RecordBuilder }

func newTexts(columns ...string) *texts {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c, Type: arrow.BinaryTypes.String, Nullable: true}
	}
	return &texts{array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))}
}

func (t *texts) add(row ...string) {
	for i, s := range row {
		b := t.Field(i).(*array.StringBuilder)
		if s == "" {
			b.AppendNull()
		} else {
			b.Append(s)
		}
	}
}

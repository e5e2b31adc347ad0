package query

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/query/engine"
)

// bars adds the table bars. An object may hold rows that a later version has replaced, so
// it is joined with the current segments.
func (p *plan) bars(ctx context.Context) error {
	manifest, err := p.service.c.Store.QueryBars(ctx)
	if err != nil {
		return err
	}
	defer manifest.Release()
	objects, ok := manifest.Column(1).(*array.String)
	if !ok {
		return fmt.Errorf("the manifest of bars has the columns %s", manifest.Schema())
	}
	paths := map[string]string{}
	rows := newTexts("asset_id", "file")
	defer rows.Release()
	var files []string
	for i := range objects.Len() {
		key := objects.Value(i)
		path, found := paths[key]
		if !found {
			if path, err = p.service.c.Objects.Path(ctx, key); err != nil {
				return err
			}
			paths[key] = path
			files = append(files, path)
		}
		rows.add(manifest.Column(0).(*array.String).Value(i), path)
	}
	if len(files) == 0 {
		p.addSetup("CREATE VIEW bars AS " + empty(Bars))
		return nil
	}
	if err := p.addRecord("_bars", rows.NewRecordBatch()); err != nil {
		return err
	}
	p.order.Scans = append(p.order.Scans, engine.Scan{Name: "_bar_files", Files: files, Origin: true})
	p.addSetup("CREATE VIEW bars AS SELECT b.asset_id, b.symbol, b.date, b.total_return, b.close, b.dividend, b.split FROM _bar_files b SEMI JOIN _bars s ON s.asset_id = b.asset_id AND s.file = b.filename")
	return nil
}

// empty selects the columns of a table without rows.
func empty(t *Table) string {
	s := "SELECT "
	for i, c := range t.Columns {
		if i > 0 {
			s += ", "
		}
		s += "CAST(NULL AS " + string(c.Type) + ") AS " + `"` + c.Name + `"`
	}
	return s + " WHERE false"
}

// Schema returns the table's columns as an Arrow schema.
func (t *Table) Schema() *arrow.Schema {
	fields := make([]arrow.Field, len(t.Columns))
	for i, c := range t.Columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowTypes[c.Type], Nullable: true}
	}
	return arrow.NewSchema(fields, nil)
}

var arrowTypes = map[Type]arrow.DataType{
	Text: arrow.BinaryTypes.String, Texts: arrow.ListOf(arrow.BinaryTypes.String), Boolean: arrow.FixedWidthTypes.Boolean,
	Integer: arrow.PrimitiveTypes.Int64, Number: arrow.PrimitiveTypes.Float64, Date: arrow.FixedWidthTypes.Date32,
	Moment: arrow.FixedWidthTypes.Timestamp_us,
}

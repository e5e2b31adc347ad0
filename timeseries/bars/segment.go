package bars

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

// opened holds the objects that one load has open.
type opened struct {
	reader *Reader
	files  map[string]*columnar.ParquetFile
}

func (o *opened) close() error {
	var err error
	for _, f := range o.files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// series joins segments, which must be in date order.
func (o *opened) series(ctx context.Context, segments []Segment) (timeseries.Series, error) {
	var dates []timeseries.Date
	var returns []float64
	for i, g := range segments {
		d, err := o.segment(ctx, g)
		if err != nil {
			return timeseries.Series{}, err
		}
		if i > 0 && (math.IsNaN(d.returns[0]) || d.dates[0] <= dates[len(dates)-1]) {
			return timeseries.Series{}, fmt.Errorf("its segments overlap or lack a return at %s", d.dates[0])
		}
		if len(segments) == 1 {
			dates, returns = d.dates, d.returns
			break
		}
		dates, returns = append(dates, d.dates...), append(returns, d.returns...)
	}
	if len(dates) == 0 {
		return timeseries.Series{Base: timeseries.NoDate}, nil
	}
	return timeseries.Series{Base: dates[0], Dates: dates[1:], Returns: returns[1:]}, nil
}

// decoded is one segment. Its dates ascend, and only its first return, if it is the
// asset's first bar, may be NaN.
type decoded struct {
	dates   []timeseries.Date
	returns []float64
}

var loadColumns = []string{"date", "total_return"}

func (o *opened) segment(ctx context.Context, g Segment) (*decoded, error) {
	if d, ok := o.reader.cache.segment(g.Ref); ok {
		return d, nil
	}
	f, err := o.file(ctx, g.Object)
	if err != nil {
		return nil, err
	}
	record, err := f.Read(loadColumns, columnar.Range{RowGroup: g.RowGroup, Offset: g.Offset, Rows: g.Rows})
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", g.Object, err)
	}
	days, values := record.Column(0).(*array.Date32), record.Column(1).(*array.Float64)
	d := &decoded{dates: make([]timeseries.Date, days.Len()), returns: values.Float64Values()}
	for i, day := range days.Date32Values() {
		d.dates[i] = timeseries.Date(day)
	}
	if values.NullN() > 0 {
		for i := range d.returns {
			if values.IsNull(i) {
				d.returns[i] = math.NaN()
			}
		}
	}
	if len(d.dates) == 0 || d.dates[0] != g.First || d.dates[len(d.dates)-1] != g.Last {
		return nil, fmt.Errorf("object %s does not match the manifest in row group %d from row %d on", g.Object, g.RowGroup, g.Offset)
	}
	for i := 1; i < len(d.dates); i++ {
		if math.IsNaN(d.returns[i]) || d.dates[i] <= d.dates[i-1] {
			return nil, fmt.Errorf("object %s is damaged at %s: a return is missing or the dates do not ascend", g.Object, d.dates[i])
		}
	}
	o.reader.cache.keepSegment(g.Ref, d)
	return d, nil
}

// file opens an object. The footer comes from the cache if it is there.
func (o *opened) file(ctx context.Context, key string) (*columnar.ParquetFile, error) {
	if f, ok := o.files[key]; ok {
		return f, nil
	}
	path, err := o.reader.bucket.Path(ctx, key)
	if err != nil {
		return nil, err
	}
	footer, known := o.reader.cache.footer(key)
	var f *columnar.ParquetFile
	if known {
		f, err = footer.Reopen(path)
	} else {
		f, err = columnar.OpenParquet(path)
	}
	if err != nil {
		return nil, err
	}
	if !known {
		o.reader.cache.keepFooter(key, f)
	}
	o.files[key] = f
	return f, nil
}

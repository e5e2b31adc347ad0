package history

import (
	"encoding/csv"
	"io"
	"math"
	"strings"

	"ballast/internal/number"
)

// WriteCSV writes a header and one line per day. NaN is written as an empty field.
func (t *DayTable) WriteCSV(w io.Writer) error {
	var head strings.Builder
	lines := csv.NewWriter(&head)
	if err := lines.Write(append([]string{"date"}, t.Names...)); err != nil {
		return err
	}
	lines.Flush()
	b := []byte(head.String())
	for i, d := range t.Dates {
		b = append(b, d.String()...)
		for _, column := range t.Columns {
			b = append(b, ',')
			if v := column[i]; !math.IsNaN(v) {
				b = number.Append(b, v)
			}
		}
		b = append(b, '\n')
		if len(b) > 1<<16 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

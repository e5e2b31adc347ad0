package api

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/number"
	"ballast/program/history"
)

// The media types of answers.
const (
	mediaJSON    = "application/json"
	mediaArrow   = "application/vnd.apache.arrow.stream"
	mediaParquet = "application/vnd.apache.parquet"
	mediaCSV     = "text/csv"
)

// tables are the formats of what can be read as one table a day.
var tables = []string{mediaArrow, mediaParquet, mediaCSV}

// tabular is a body that is also a table of days.
type tabular interface {
	table() (*history.DayTable, error)
}

// formats are how bodies are read and written.
func formats() map[string]huma.Format {
	all := map[string]huma.Format{mediaJSON: jsonFormat, "json": jsonFormat}
	for media, write := range map[string]func(*history.DayTable, io.Writer) error{
		mediaArrow: (*history.DayTable).WriteArrow, mediaParquet: (*history.DayTable).WriteParquet, mediaCSV: writeCSV,
	} {
		all[media] = huma.Format{Marshal: func(w io.Writer, v any) error {
			body, ok := v.(tabular)
			if !ok {
				return fmt.Errorf("%T cannot be written as %s", v, media)
			}
			t, err := body.table()
			if err != nil {
				return err
			}
			return write(t, w)
		}}
	}
	return all
}

// tableSchema documents a format of tables.
func tableSchema(media string) *huma.MediaType {
	s := &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "One table: date and a column a key, named block.key"}
	if media == mediaCSV {
		s.Format = ""
	}
	return &huma.MediaType{Schema: s}
}

// writeCSV writes a header and a line a day; what is not a number is empty.
func writeCSV(t *history.DayTable, w io.Writer) error {
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

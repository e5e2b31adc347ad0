package transport

import (
	"fmt"
	"io"

	"github.com/danielgtaylor/huma/v2"
)

// Media types of responses.
const (
	MediaJSON    = "application/json"
	MediaArrow   = "application/vnd.apache.arrow.stream"
	MediaParquet = "application/vnd.apache.parquet"
	MediaCSV     = "text/csv"
)

// Tables are the formats of bodies that are also a table with one row per day.
var Tables = []string{MediaArrow, MediaParquet, MediaCSV}

// Table is a response as rows and columns.
type Table interface {
	WriteArrow(w io.Writer) error
	WriteParquet(w io.Writer) error
	WriteCSV(w io.Writer) error
}

// tabular is a body that can also be written as a table.
type tabular interface {
	Table() (Table, error)
}

// Formats returns how bodies are read and written, by media type.
func Formats() map[string]huma.Format {
	all := map[string]huma.Format{MediaJSON: jsonFormat, "json": jsonFormat}
	for media, write := range map[string]func(Table, io.Writer) error{
		MediaArrow: Table.WriteArrow, MediaParquet: Table.WriteParquet, MediaCSV: Table.WriteCSV,
	} {
		all[media] = huma.Format{Marshal: func(w io.Writer, v any) error {
			body, ok := v.(tabular)
			if !ok {
				return fmt.Errorf("%T cannot be written as %s", v, media)
			}
			t, err := body.Table()
			if err != nil {
				return err
			}
			return write(t, w)
		}}
	}
	return all
}

// TableSchema documents a table format.
func TableSchema(media string) *huma.MediaType {
	s := &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "One table: date, and one column per key, named block.key"}
	if media == MediaCSV {
		s.Format = ""
	}
	return &huma.MediaType{Schema: s}
}

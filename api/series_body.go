package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/program/history"
	"ballast/timeseries"
)

// SeriesBody is the current version of a series.
type SeriesBody struct {
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Public    bool               `json:"public" doc:"Provided by the operator, for all accounts"`
	Frequency string             `json:"frequency" enum:"daily,monthly"`
	Kind      string             `json:"kind" enum:"return,rate,index"`
	Unit      string             `json:"unit" enum:"fraction" doc:"Unit of stored values, whatever they were sent in"`
	Lag       int                `json:"lag" doc:"Publication lag: sessions from a value's date until it is known"`
	Version   int                `json:"version" doc:"A version never changes; metrics name the version that they have used"`
	Start     timeseries.Date    `json:"start" doc:"First date; a month is dated on its last day"`
	End       timeseries.Date    `json:"end"`
	Rows      int                `json:"rows" doc:"Dates"`
	Keys      []seriesColumnBody `json:"keys" doc:"Columns, in the order in which they were added"`
	Added     int                `json:"added" doc:"Values that this version added to the one before it"`
	Restated  int                `json:"restated" doc:"Values that this version changed"`
	CreatedAt time.Time          `json:"created_at"`
	UpdatedAt time.Time          `json:"updated_at" doc:"When the version was made"`
}

// seriesColumnBody describes a column of a series.
type seriesColumnBody struct {
	Key     string          `json:"key"`
	Start   timeseries.Date `json:"start" doc:"Date of the first value"`
	End     timeseries.Date `json:"end" doc:"Date of the last value"`
	Values  int             `json:"values"`
	Missing int             `json:"missing" doc:"Dates of the series between start and end on which the column has no value"`
}

func seriesBodyOf(s *series.Series) SeriesBody {
	body := SeriesBody{
		ID: s.ID, Name: s.Name, Public: s.Public(), Frequency: string(s.Frequency), Kind: string(s.Kind), Unit: string(series.Fraction),
		Lag: s.Lag, Version: s.Version, Start: s.First, End: s.Last, Rows: s.Rows, Keys: make([]seriesColumnBody, len(s.Columns)),
		Added: s.Added, Restated: s.Restated, CreatedAt: s.CreatedAt.UTC(), UpdatedAt: s.UpdatedAt.UTC(),
	}
	for i, c := range s.Columns {
		body.Keys[i] = seriesColumnBody{Key: c.Key, Start: c.First, End: c.Last, Values: c.Values, Missing: c.Missing}
	}
	return body
}

// seriesValuesBody is a series with its values.
type seriesValuesBody struct {
	SeriesBody
	Columns seriesColumnsBody `json:"columns" doc:"date, and one array of numbers per key; null is a missing value"`
}

// Table implements tabular.
func (b *seriesValuesBody) Table() (transport.Table, error) {
	about, err := json.Marshal(b.SeriesBody)
	t := b.Columns.table
	return &history.DayTable{Dates: t.Dates, Names: t.Keys, Columns: t.Columns, About: about}, err
}

// seriesColumnsBody writes the values of a series.
type seriesColumnsBody struct{ table *series.Table }

// Schema implements huma.SchemaProvider.
func (seriesColumnsBody) Schema(huma.Registry) *huma.Schema { return columnsSchema() }

// MarshalJSON implements json.Marshaler. Keys are in the order of the series.
func (b seriesColumnsBody) MarshalJSON() ([]byte, error) {
	out := transport.AppendDates([]byte(`{"date":`), b.table.Dates)
	for i, key := range b.table.Keys {
		name, err := json.Marshal(key)
		if err != nil {
			return nil, fmt.Errorf("write the key %q: %w", key, err)
		}
		out = append(append(append(out, ','), name...), ':')
		out = transport.AppendFloats(out, b.table.Columns[i])
	}
	return append(out, '}'), nil
}

// columnsSchema documents columns of a series.
func columnsSchema() *huma.Schema {
	s := &huma.Schema{
		Type:     huma.TypeObject,
		Required: []string{"date"},
		Properties: map[string]*huma.Schema{
			"date": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}, Description: "YYYY-MM-DD, or YYYY-MM in a monthly series"},
		},
		AdditionalProperties: &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber, Format: "double", Nullable: true}},
	}
	s.PrecomputeMessages()
	return s
}

// seriesColumns are columns as a caller sends them.
type seriesColumns struct {
	dates   []timeseries.Date
	keys    []string
	values  [][]float64
	problem error // what is wrong with a date
}

// Schema implements huma.SchemaProvider.
func (seriesColumns) Schema(huma.Registry) *huma.Schema { return columnsSchema() }

// UnmarshalJSON implements json.Unmarshaler. It keeps the order of the keys.
func (c *seriesColumns) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "date" {
			var texts []string
			if err := d.Decode(&texts); err != nil {
				return err
			}
			c.readDates(texts)
			continue
		}
		var column []number.Float
		if err := d.Decode(&column); err != nil {
			return err
		}
		values := make([]float64, len(column))
		for i, v := range column {
			values[i] = float64(v)
		}
		name, _ := key.(string)
		c.keys, c.values = append(c.keys, name), append(c.values, values)
	}
	return nil
}

func (c *seriesColumns) readDates(texts []string) {
	c.dates = make([]timeseries.Date, len(texts))
	for i, text := range texts {
		full := text
		if len(text) == len("2006-01") && strings.Count(text, "-") == 1 {
			full += "-01"
		}
		d, err := timeseries.ParseDate(full)
		if err != nil && c.problem == nil {
			c.problem = fault.New(fault.InvalidBody, "%q is not a date. Write YYYY-MM-DD, or YYYY-MM in a monthly series.", text).
				With(fault.Detail{Field: fmt.Sprintf("columns.date[%d]", i), Message: fmt.Sprintf("%q is not a date", text), Accepted: []string{"YYYY-MM-DD", "YYYY-MM"}})
		}
		c.dates[i] = d
	}
}

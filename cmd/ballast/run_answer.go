package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/number"
	"ballast/script"
	"ballast/script/sandbox"
)

// reportAnswer prints the result of a script that is no model: its scalars, or with
// --json also its tables and figures, in the form of the REST interface.
func (r *localRun) reportAnswer(p *script.Script, outcome *sandbox.Outcome) error {
	for _, line := range outcome.Log {
		fmt.Fprintln(r.errs, "log:", line)
	}
	if r.json {
		body, err := answerJSON(outcome)
		if err != nil {
			return err
		}
		encoder := json.NewEncoder(r.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(body)
	}
	w := tabwriter.NewWriter(r.out, 2, 8, 2, ' ', 0)
	fmt.Fprintln(w, p.Name)
	for _, s := range outcome.Scalars {
		title := s.Title
		if title == "" {
			title = s.Name
		}
		fmt.Fprintf(w, "%s\t%s\n", title, scalarText(s))
	}
	for _, t := range outcome.Tables {
		fmt.Fprintf(w, "table %s\t%d rows\n", t.Name, t.Record.NumRows())
	}
	fmt.Fprintf(w, "processor time\t%s\n", outcome.CPU.Round(10*time.Microsecond))
	return w.Flush()
}

// scalarText is a scalar with its unit; - stands for an undefined one.
func scalarText(s script.Scalar) string {
	switch v := float64(s.Value); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case s.Unit == "fraction":
		return fmt.Sprintf("%.2f %%", 100*v)
	case s.Unit == "fraction a year":
		return fmt.Sprintf("%.2f %% a year", 100*v)
	case s.Unit == "usd":
		return strconv.FormatFloat(v, 'f', 0, 64)
	default:
		return strconv.FormatFloat(v, 'g', 6, 64) + " " + s.Unit
	}
}

type answerBody struct {
	Scalars map[string]scalarBody `json:"scalars"`
	Tables  map[string]tableBody  `json:"tables"`
	Figures []script.Figure       `json:"figures"`
}

type scalarBody struct {
	Value number.Float `json:"value"`
	Unit  string       `json:"unit"`
	Title string       `json:"title"`
}

type tableBody struct {
	Rows    int64          `json:"rows"`
	Columns map[string]any `json:"columns"`
}

func answerJSON(outcome *sandbox.Outcome) (*answerBody, error) {
	body := &answerBody{Scalars: map[string]scalarBody{}, Tables: map[string]tableBody{}, Figures: outcome.Figures}
	for _, s := range outcome.Scalars {
		body.Scalars[s.Name] = scalarBody{s.Value, s.Unit, s.Title}
	}
	for _, t := range outcome.Tables {
		table := tableBody{t.Record.NumRows(), map[string]any{}}
		for i, c := range t.Record.Columns() {
			values, err := columnValues(c)
			if err != nil {
				return nil, fmt.Errorf("table %s, column %s: %w", t.Name, t.Record.ColumnName(i), err)
			}
			table.Columns[t.Record.ColumnName(i)] = values
		}
		body.Tables[t.Name] = table
	}
	return body, nil
}

// columnValues returns a column's values as JSON writes them; null stands for a missing
// number or date.
func columnValues(c arrow.Array) (any, error) {
	switch c := c.(type) {
	case *array.Float64:
		values := make(number.Floats, c.Len())
		for i := range values {
			if values[i] = c.Value(i); c.IsNull(i) {
				values[i] = math.NaN()
			}
		}
		return values, nil
	case *array.String:
		values := make([]string, c.Len())
		for i := range values {
			values[i] = c.Value(i)
		}
		return values, nil
	case *array.Date32:
		values := make([]*string, c.Len())
		for i := range values {
			if !c.IsNull(i) {
				text := c.Value(i).FormattedString()
				values[i] = &text
			}
		}
		return values, nil
	default:
		return nil, fmt.Errorf("a result has no columns of type %s", c.DataType())
	}
}

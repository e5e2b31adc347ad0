package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// printing is how a command that calls a service prints its answer.
type printing struct {
	remote
	json, csv bool
}

func (p *printing) flags(cmd *cobra.Command) {
	p.remote.flags(cmd)
	cmd.Flags().BoolVar(&p.json, "json", false, "print the service's JSON")
	cmd.Flags().BoolVar(&p.csv, "csv", false, "print CSV, which is the default unless the output is a terminal")
	cmd.MarkFlagsMutuallyExclusive("json", "csv")
}

// client returns what calls the service.
func (p *printing) client() (*client, error) {
	origin, key, err := p.resolve()
	return &client{url: origin, key: key}, err
}

// column is a column of a printed table.
type column struct {
	name string
	of   func(row map[string]any) any
}

// field is a column with a field of the rows, whose parts are divided by dots.
func field(name, path string) column {
	return column{name, func(row map[string]any) any {
		var value any = row
		for part := range strings.SplitSeq(path, ".") {
			o, ok := value.(map[string]any)
			if !ok {
				return nil
			}
			value = o[part]
		}
		return value
	}}
}

// print prints an answer of the service: as it is, as CSV, or as a table.
func (p *printing) print(out io.Writer, answer json.RawMessage, rows []map[string]any, columns ...column) error {
	switch {
	case p.json:
		_, err := fmt.Fprintf(out, "%s\n", answer)
		return err
	case p.csv || !isTerminal(out):
		w := csv.NewWriter(out)
		lines := [][]string{make([]string, len(columns))}
		for i, c := range columns {
			lines[0][i] = c.name
		}
		for _, row := range rows {
			line := make([]string, len(columns))
			for i, c := range columns {
				line[i] = exact(c.of(row))
			}
			lines = append(lines, line)
		}
		return w.WriteAll(lines)
	}
	w := tabwriter.NewWriter(out, 2, 8, 2, ' ', 0)
	for _, c := range columns {
		fmt.Fprint(w, strings.ToUpper(strings.ReplaceAll(c.name, "_", " ")), "\t")
	}
	fmt.Fprintln(w)
	for _, row := range rows {
		for _, c := range columns {
			fmt.Fprint(w, rounded(c.of(row)), "\t")
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// exact writes a value as CSV has it: null is empty.
func exact(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case map[string]any, []any:
		text, err := json.Marshal(v)
		if err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v)
}

// rounded writes a value for people.
func rounded(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case float64:
		return strconv.FormatFloat(v, 'g', 5, 64)
	}
	return exact(v)
}

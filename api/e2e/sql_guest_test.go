package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// sqlRow is one row of a result by column: nil, a float64, or the text of another value.
type sqlRow map[string]any

// sql runs a statement that has to succeed. It reads the result as Arrow, in which a
// number that is not finite differs from null.
func (g *guest) sql(statement string, parameters map[string]any) []sqlRow {
	g.t.Helper()
	body, err := json.Marshal(map[string]any{"sql": statement, "parameters": parameters})
	check(g.t, err)
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+"/v1/query", strings.NewReader(string(body)))
	check(g.t, err)
	r.Header.Set("Authorization", "Bearer "+g.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/vnd.apache.arrow.stream")
	response, err := g.http.Do(r)
	check(g.t, err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		g.t.Fatalf("%s answers %d: %s", statement, response.StatusCode, text)
	}
	stream, err := ipc.NewReader(response.Body)
	check(g.t, err)
	defer stream.Release()
	var rows []sqlRow
	for stream.Next() {
		batch := stream.RecordBatch()
		first := len(rows)
		for range batch.NumRows() {
			rows = append(rows, sqlRow{})
		}
		for c := range int(batch.NumCols()) {
			name, column := batch.ColumnName(c), batch.Column(c)
			numbers, _ := column.(*array.Float64)
			for i := range column.Len() {
				switch {
				case column.IsNull(i):
					rows[first+i][name] = nil
				case numbers != nil:
					rows[first+i][name] = numbers.Value(i)
				default:
					rows[first+i][name] = column.ValueStr(i)
				}
			}
		}
	}
	check(g.t, stream.Err())
	return rows
}

// byModel sorts rows by the model that they are of.
func byModel(rows []sqlRow) map[string][]sqlRow {
	out := map[string][]sqlRow{}
	for _, r := range rows {
		id, _ := r["model_id"].(string)
		out[id] = append(out[id], r)
	}
	return out
}

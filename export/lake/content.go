package lake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/export"
	"ballast/query/segments"
	"ballast/storage/columnar"
)

// content is the wanted content of one table of an account: files, each named after
// its rows.
type content struct {
	name   string
	schema *arrow.Schema
	files  []file
}

type file struct {
	name  string // without folder; the same name means the same rows
	write func(ctx context.Context, w io.Writer) error
}

// layout is part of every file's hash. Change it when a run is written differently.
const layout = "1"

// modelsAFile limits the average number of models in a file.
const modelsAFile = 128

// contents returns the tables of an account's live runs.
func contents(objects segments.Objects, live []export.LiveRun, runs []segments.Run) []content {
	out := []content{modelsTable(live)}
	parts := spread(runs)
	for _, t := range segments.Tables {
		c := content{name: string(t), schema: plain(t.Schema())}
		for _, part := range parts {
			c.files = append(c.files, file{name: part.name, write: func(ctx context.Context, w io.Writer) error {
				return segments.Write(ctx, w, objects, t, part.runs)
			}})
		}
		out = append(out, c)
	}
	return out
}

// part has the runs of one file.
type part struct {
	name string
	runs []segments.Run
}

// spread assigns each run to a part by a hash of its model's id. The number of parts is
// a power of two, so a model rarely moves as the number of models grows.
func spread(runs []segments.Run) []part {
	n := uint32(1)
	for len(runs) > int(n)*modelsAFile {
		n *= 2
	}
	byNumber := make([][]segments.Run, n)
	for _, r := range runs {
		h := fnv.New32a()
		_, _ = io.WriteString(h, r.ModelID)
		byNumber[h.Sum32()%n] = append(byNumber[h.Sum32()%n], r)
	}
	var parts []part
	for i, own := range byNumber {
		if len(own) == 0 {
			continue
		}
		slices.SortFunc(own, func(a, b segments.Run) int { return cmp.Compare(a.ID, b.ID) })
		ids := []string{layout}
		for _, r := range own {
			ids = append(ids, r.ID)
		}
		parts = append(parts, part{name: fmt.Sprintf("%05d-%s.parquet", i, sum(ids)), runs: own})
	}
	return parts
}

// modelsTable returns the table with the names and symbols of the models.
func modelsTable(live []export.LiveRun) content {
	fields := make([]arrow.Field, 4)
	for i, name := range []string{"model_id", "run_id", "symbol", "name"} {
		fields[i] = arrow.Field{Name: name, Type: arrow.BinaryTypes.String}
	}
	c := content{name: "models", schema: arrow.NewSchema(fields, nil)}
	if len(live) == 0 {
		return c
	}
	texts := []string{layout}
	b := array.NewRecordBuilder(memory.DefaultAllocator, c.schema)
	for _, r := range live {
		for i, text := range []string{r.ProgramID, r.RunID, r.Symbol, r.Name} {
			texts = append(texts, text)
			b.Field(i).(*array.StringBuilder).Append(text)
		}
	}
	record := b.NewRecordBatch()
	c.files = []file{{name: "models-" + sum(texts) + ".parquet", write: func(_ context.Context, w io.Writer) error {
		return columnar.WriteParquet(w, record, columnar.WriteOptions{Bare: true, Statistics: []string{"model_id"}})
	}}}
	return c
}

// sum hashes a list of texts.
func sum(texts []string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// plain returns the schema with plain columns in place of dictionary columns.
func plain(schema *arrow.Schema) *arrow.Schema {
	fields := slices.Clone(schema.Fields())
	for i := range fields {
		if d, ok := fields[i].Type.(*arrow.DictionaryType); ok {
			fields[i].Type = d.ValueType
		}
	}
	return arrow.NewSchema(fields, nil)
}

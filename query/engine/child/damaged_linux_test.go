//go:build duckdb_arrow

package child

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/query/engine"
	"ballast/storage/columnar"
)

// soundFile returns a Parquet file of dates, keys and weights.
func soundFile(t *testing.T) []byte {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "date", Type: arrow.FixedWidthTypes.Date32}, {Name: "key", Type: arrow.BinaryTypes.String}, {Name: "weight", Type: arrow.PrimitiveTypes.Float64},
	}, nil))
	for i := range 3000 {
		b.Field(0).(*array.Date32Builder).Append(arrow.Date32(i / 3))
		b.Field(1).(*array.StringBuilder).Append([]string{"SYN-WORLD", "SYN-BOND", "CASH"}[i%3])
		b.Field(2).(*array.Float64Builder).Append(1 / float64(i+3))
	}
	var out bytes.Buffer
	if err := columnar.WriteParquet(&out, b.NewRecordBatch(), columnar.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestDamagedFiles gives children Parquet files that are damaged. A child must answer or
// say that the file cannot be read, must not blame the statement, and must end in time.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	p := testPool(t, 2)
	sound := soundFile(t)
	dir := t.TempDir()
	read := func(t *testing.T, name string, b []byte) error {
		t.Helper()
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "_")+".parquet")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		o := testOrder("SELECT key, count(date), sum(weight) FROM weights GROUP BY key")
		o.Limits.Time = 5 * time.Second
		o.Scans, o.Tables = []engine.Scan{{Name: "given", Files: []string{path}}}, []string{"weights"}
		o.Setup = []string{"CREATE VIEW weights AS SELECT date, key, weight FROM given"}
		_, _, err := ask(t, p, o)
		return err
	}
	if err := read(t, "sound", sound); err != nil {
		t.Fatal(err)
	}
	footer := int(binary.LittleEndian.Uint32(sound[len(sound)-8:]))
	withLength := func(n uint32) []byte {
		b := bytes.Clone(sound)
		binary.LittleEndian.PutUint32(b[len(b)-8:], n)
		return b
	}
	hole := bytes.Clone(sound)
	clear(hole[4 : len(hole)-8-footer])
	for name, b := range map[string][]byte{
		"empty": {}, "magic alone": []byte("PAR1"), "no Parquet": bytes.Repeat([]byte("x"), 5000),
		"half": sound[:len(sound)/2], "without the last byte": sound[:len(sound)-1], "without the footer": sound[:len(sound)-8-footer],
		"footer of 4 GiB": withLength(1<<32 - 1), "footer of 2 GiB": withLength(1<<31 - 1), "footer of all": withLength(uint32(len(sound))),
		"footer of nothing": withLength(0), "footer too short": withLength(uint32(footer / 2)),
		"no first half of the footer": append(bytes.Clone(sound[:len(sound)-8-footer]), sound[len(sound)-8-footer/2:]...),
		"pages of zeros":              hole,
	} {
		t.Run(name, func(t *testing.T) {
			if err := read(t, name, b); !failed(err, engine.Damaged) && !failed(err, engine.Memory) {
				t.Errorf("error %v", err)
			}
		})
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	unnoticed := 0
	for range 40 {
		b := bytes.Clone(sound)
		at := random.IntN(len(b))
		if random.IntN(2) == 0 { // the footer is small, and the most dangerous part
			at = len(b) - 1 - random.IntN(footer+8)
		}
		b[at] ^= 1 << random.IntN(8)
		switch err := read(t, "flipped", b); {
		case err == nil:
			unnoticed++
		case failed(err, engine.Damaged), failed(err, engine.Memory), failed(err, engine.Time):
		default:
			var f *engine.Failure
			t.Errorf("byte %d of %d flipped: invalid %v: %v", at, len(b), errors.As(err, &f), err)
		}
	}
	t.Logf("%d of 40 flips were not noticed", unnoticed)
	if got, _, err := ask(t, p, testOrder("SELECT 42")); err != nil || got[0] != "42" {
		t.Errorf("afterwards: %v, error %v", got, err)
	}
}

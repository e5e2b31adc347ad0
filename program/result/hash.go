package result

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Hash returns the SHA-256 of the values of result tables, column by column with
// their names, as hexadecimal text. The same result has the same hash, whatever wrote
// the files.
func Hash(tables ...arrow.RecordBatch) (string, error) {
	h := sha256.New()
	buffer := make([]byte, 0, hashBuffer)
	for _, t := range tables {
		writeInt(h, t.NumRows())
		for i, field := range t.Schema().Fields() {
			fmt.Fprintf(h, "%q %s\n", field.Name, field.Type)
			if err := hashColumn(h, t.Column(i), buffer); err != nil {
				return "", fmt.Errorf("column %s: %w", field.Name, err)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashBuffer is how much of a column is collected before it is hashed, in bytes.
const hashBuffer = 8 << 10

// hashColumn hashes a column. buffer is empty and has the capacity hashBuffer.
func hashColumn(h hash.Hash, column arrow.Array, buffer []byte) error {
	if c, ok := column.(*array.Float64); ok && c.NullN() == 0 {
		// Hash whole columns at once, because most of a result is such columns.
		h.Write([]byte{'f'})
		h.Write(arrow.Float64Traits.CastToBytes(c.Float64Values()))
		return nil
	}
	h.Write([]byte{'v'})
	for i := range column.Len() {
		if len(buffer) >= hashBuffer-16 {
			h.Write(buffer)
			buffer = buffer[:0]
		}
		if column.IsNull(i) {
			buffer = append(buffer, 0)
			continue
		}
		buffer = append(buffer, 1)
		switch c := column.(type) {
		case *array.Float64:
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(c.Value(i)))
		case *array.Date32:
			buffer = binary.LittleEndian.AppendUint32(buffer, uint32(c.Value(i)))
		case *array.String:
			buffer = binary.LittleEndian.AppendUint32(buffer, uint32(len(c.Value(i))))
			buffer = append(buffer, c.Value(i)...)
		default:
			return fmt.Errorf("type %s is not one of a result", column.DataType())
		}
	}
	h.Write(buffer)
	return nil
}

func writeInt(h hash.Hash, v int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	h.Write(b[:])
}

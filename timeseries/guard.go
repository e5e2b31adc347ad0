package timeseries

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"
)

// Slots of the tables of Arrow's File.fbs, Schema.fbs and Message.fbs.
const (
	footerSchema, footerDictionaries, footerRecords = 6, 8, 10
	schemaFields, schemaMetadata                    = 6, 8
	fieldDictionary, fieldChildren, fieldMetadata   = 12, 14, 16
	messageMetadata                                 = 12
)

// checkCounts compares the element counts in an Arrow file with the file's size, since
// the reader allocates memory by these counts before it reads the elements. It panics
// on offsets outside data.
func checkCounts(data []byte) error {
	const trailer = 4 // the footer's length, before the closing magic
	end := len(data) - len(ipc.Magic) - trailer
	if end < 0 {
		return errors.New("the file is too short")
	}
	size := int(binary.LittleEndian.Uint32(data[end:]))
	if size < 4 || size > end {
		return fmt.Errorf("the footer has %d bytes, which does not fit the file", size)
	}
	footer := root(data[end-size : end])
	if n := count(footer, footerDictionaries); n != 0 {
		return fmt.Errorf("the file has %d dictionaries, want none", n)
	}
	if n := count(footer, footerRecords); n != 1 {
		return fmt.Errorf("the file has %d records, want one", n)
	}
	schema, ok := child(footer, footerSchema)
	if !ok {
		return errors.New("the file has no schema")
	}
	fields := count(schema, schemaFields)
	if fields < 1 || fields > size || count(schema, schemaMetadata) > size {
		return fmt.Errorf("%d fields do not fit a footer of %d bytes", fields, size)
	}
	vector := schema.Vector(flatbuffers.UOffsetT(schema.Offset(schemaFields)))
	for i := range fields {
		field := flatbuffers.Table{Bytes: schema.Bytes, Pos: schema.Indirect(vector + flatbuffers.UOffsetT(4*i))}
		if err := checkField(field, size, deepest); err != nil {
			return fmt.Errorf("field %d %w", i, err)
		}
	}
	// A block holds the record's offset and the lengths of its metadata and body.
	at := footer.GetInt64(footer.Vector(flatbuffers.UOffsetT(footer.Offset(footerRecords))))
	if at < 0 || at > int64(end)-8 {
		return fmt.Errorf("the record begins at byte %d, outside the file", at)
	}
	if binary.LittleEndian.Uint32(data[at:]) == 0xffffffff { // marks the format since Arrow 0.15
		at += 4
	}
	if message := root(data[at+4 : end]); count(message, messageMetadata) != 0 {
		return errors.New("the record has metadata, want none")
	}
	return nil
}

// deepest is how many levels of lists a field may have.
const deepest = 1

// checkField accepts numbers, and lists of numbers.
func checkField(field flatbuffers.Table, size, levels int) error {
	children := count(field, fieldChildren)
	if children > 1 || children > levels || field.Offset(fieldDictionary) != 0 || count(field, fieldMetadata) > size {
		return errors.New("does not hold numbers or lists of numbers")
	}
	if children == 0 {
		return nil
	}
	vector := field.Vector(flatbuffers.UOffsetT(field.Offset(fieldChildren)))
	return checkField(flatbuffers.Table{Bytes: field.Bytes, Pos: field.Indirect(vector)}, size, levels-1)
}

func root(b []byte) flatbuffers.Table {
	return flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
}

// count returns the length of a vector, or 0 if it is absent.
func count(t flatbuffers.Table, slot flatbuffers.VOffsetT) int {
	o := t.Offset(slot)
	if o == 0 {
		return 0
	}
	return t.VectorLen(flatbuffers.UOffsetT(o))
}

func child(t flatbuffers.Table, slot flatbuffers.VOffsetT) (flatbuffers.Table, bool) {
	o := t.Offset(slot)
	if o == 0 {
		return flatbuffers.Table{}, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Pos + flatbuffers.UOffsetT(o))}, true
}

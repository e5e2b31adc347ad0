package columnar

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/klauspost/compress/s2"
)

// plainRows is the most rows of a plain page: 1 MiB of numbers. It is a multiple of 8, so
// that pages begin at a byte of the validity bitmap.
const plainRows = 1 << 17

// plainBuffer is the number of bytes collected before they are written to the file.
const plainBuffer = 256 << 10

const parquetMagic = "PAR1"

// isPlain reports whether the plain encoding of a record's columns equals Arrow's memory,
// apart from nulls and the lengths of strings.
func isPlain(record arrow.RecordBatch) bool {
	for i, f := range record.Schema().Fields() {
		switch f.Type.ID() {
		case arrow.FLOAT64, arrow.DATE32, arrow.STRING:
		default:
			return false
		}
		if c := record.Column(i); c.Data().Offset() != 0 || (c.NullN() > 0 && !f.Nullable) {
			return false
		}
	}
	return true
}

// writePlain writes a file of one row group. Its pages come directly from Arrow's memory:
// the general writer copies each value three times, and encoding the result of a short
// run took longer than computing it.
func writePlain(w io.Writer, record arrow.RecordBatch, codec compress.Compression, properties *parquet.WriterProperties) error {
	form, err := pqarrow.ToParquet(record.Schema(), properties, pqarrow.NewArrowWriterProperties())
	if err != nil {
		return err
	}
	p := plainWriters.Get().(*plainWriter)
	defer plainWriters.Put(p)
	p.out.Reset(w)
	p.at = 0
	if _, err := io.WriteString(p, parquetMagic); err != nil {
		return err
	}
	footer := metadata.NewFileMetadataBuilder(form, properties, keptMetadata(record.Schema(), properties.Allocator()))
	group := footer.AppendRowGroup()
	for i, column := range record.Columns() {
		if err := p.column(group.NextColumnChunk(), int16(i), column, codec); err != nil {
			return fmt.Errorf("column %s: %w", record.ColumnName(i), err)
		}
	}
	group.SetNumRows(int(record.NumRows()))
	if err := group.Finish(p.at, 0); err != nil {
		return err
	}
	kept, err := footer.Finish()
	if err != nil {
		return err
	}
	n, err := kept.WriteTo(p, nil)
	if err != nil {
		return err
	}
	end := append(binary.LittleEndian.AppendUint32(nil, uint32(n)), parquetMagic...)
	if _, err := p.Write(end); err != nil {
		return err
	}
	return p.out.Flush()
}

// keptMetadata returns a schema's metadata together with the schema itself, in the form
// that readers of Arrow expect.
func keptMetadata(s *arrow.Schema, mem memory.Allocator) metadata.KeyValueMetadata {
	kept := metadata.NewKeyValueMetadata()
	meta := s.Metadata()
	for i, key := range meta.Keys() {
		_ = kept.Append(key, meta.Values()[i]) // never fails
	}
	_ = kept.Append("ARROW:schema", base64.StdEncoding.EncodeToString(flight.SerializeSchema(s, mem)))
	return kept
}

// plainWriter writes plain pages and reuses its memory for the next file.
type plainWriter struct {
	out        *bufio.Writer
	at         int64 // bytes written so far
	page       []byte
	compressed []byte
}

var plainWriters = sync.Pool{New: func() any { return &plainWriter{out: bufio.NewWriterSize(nil, plainBuffer)} }}

// Write implements io.Writer.
func (p *plainWriter) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.at += int64(n)
	return n, err
}

// Tell returns the number of bytes written.
func (p *plainWriter) Tell() int64 { return p.at }

// column writes the pages of one column.
func (p *plainWriter) column(meta *metadata.ColumnChunkMetaDataBuilder, ordinal int16, column arrow.Array, codec compress.Compression) error {
	pages, err := file.NewPageWriter(p, codec, compress.DefaultCompressionLevel, meta, 0, ordinal, memory.DefaultAllocator, false, nil, nil)
	if err != nil {
		return err
	}
	compressor, err := compress.GetCodec(codec)
	if err != nil {
		return err
	}
	for from := 0; from == 0 || from < column.Len(); from += plainRows {
		to := min(from+plainRows, column.Len())
		page := p.encode(meta.Descr(), column, from, to)
		size := len(page)
		if codec != compress.Codecs.Uncompressed {
			if n := int(compressor.CompressBound(int64(size))); n > len(p.compressed) {
				p.compressed = make([]byte, n)
			}
			if codec == compress.Codecs.Snappy {
				// The library's own encoder takes twice as long to find matches, and
				// saves one per cent.
				page = s2.EncodeSnappy(p.compressed, page)
			} else {
				page = compressor.Encode(p.compressed, page)
			}
		}
		data := file.NewDataPageV1(memory.NewBufferBytes(page), int32(to-from), parquet.Encodings.Plain, parquet.Encodings.RLE, parquet.Encodings.RLE, int32(size))
		_, err := pages.WriteDataPage(data)
		data.Release()
		if err != nil {
			return err
		}
	}
	return pages.Close(false, false)
}

// encode returns the plain page of the rows [from, to): which of them are present, if the
// column may have nulls, then the values without gaps. The page is valid until the next
// call.
func (p *plainWriter) encode(form *schema.Column, column arrow.Array, from, to int) []byte {
	var values []byte
	switch c := column.(type) {
	case *array.Float64:
		values = arrow.Float64Traits.CastToBytes(c.Float64Values()[from:to])
	case *array.Date32:
		values = arrow.Date32Traits.CastToBytes(c.Date32Values()[from:to])
	}
	gaps := column.NullN() > 0
	if form.MaxDefinitionLevel() == 0 && values != nil {
		return values
	}
	p.page = p.page[:0]
	if form.MaxDefinitionLevel() > 0 {
		p.page = appendPresence(p.page, column, from, to)
	}
	if values != nil && !gaps {
		p.page = append(p.page, values...)
		return p.page
	}
	size := 0
	if values != nil {
		size = len(values) / max(1, to-from)
	}
	for i := from; i < to; i++ {
		if column.IsNull(i) {
			continue
		}
		if text, ok := column.(*array.String); ok {
			value := text.Value(i)
			p.page = binary.LittleEndian.AppendUint32(p.page, uint32(len(value)))
			p.page = append(p.page, value...)
			continue
		}
		p.page = append(p.page, values[(i-from)*size:(i-from+1)*size]...)
	}
	return p.page
}

// appendPresence appends the definition levels of rows, which are 0 for null and 1
// otherwise: a run of ones, or Arrow's bitmap, whose bit order is also Parquet's (the
// format's Encodings.md, RLE/bit-packing hybrid).
func appendPresence(page []byte, column arrow.Array, from, to int) []byte {
	start := len(page)
	page = binary.LittleEndian.AppendUint32(page, 0)
	if column.NullN() == 0 {
		page = append(binary.AppendUvarint(page, uint64(to-from)<<1), 1)
	} else {
		n := int(bitutil.BytesForBits(int64(to - from)))
		page = binary.AppendUvarint(page, uint64(n)<<1|1)
		page = append(page, column.NullBitmapBytes()[from/8:from/8+n]...)
	}
	binary.LittleEndian.PutUint32(page[start:], uint32(len(page)-start-4))
	return page
}

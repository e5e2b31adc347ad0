package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// Order is the task of a child.
type Order struct {
	SQL        string      `cbor:"sql"`
	Parameters []Parameter `cbor:"parameters"`
	Setup      []string    `cbor:"setup"`     // statements of the service, run before the caller's
	Tables     []string    `cbor:"tables"`    // names that the statement may read
	Functions  []string    `cbor:"functions"` // table functions that it may call, besides those of DuckDB that read nothing
	Scans      []Scan      `cbor:"scans"`     // views over the only files that may be opened
	Data       []string    `cbor:"data"`      // names of the tables that follow as Arrow streams
	Limits     Limits      `cbor:"limits"`
	Strict     bool        `cbor:"strict"` // answer only if the process has all of its guards
}

// Scan is a view over Parquet files.
type Scan struct {
	Name   string   `cbor:"name"`
	Files  []string `cbor:"files"`  // local paths, at least one
	Origin bool     `cbor:"origin"` // adds a column filename, or OriginColumn if the files are mixed
	Mixed  bool     `cbor:"mixed"`  // the files may have different columns; otherwise they have the same
}

// OriginColumn has the path of a row's file in scans of mixed files, in which filename
// could be a column of their own.
const OriginColumn = "_file"

// Parameter is a value for the statement: nil, a bool, an int64, a float64 or a string.
type Parameter struct {
	Name  string `cbor:"name"` // "" where it goes by its position
	Value any    `cbor:"value"`
}

// Limits limit the work on an order.
type Limits struct {
	Memory  int64         `cbor:"memory"`  // bytes
	Spill   int64         `cbor:"spill"`   // bytes of temporary files
	Threads int           `cbor:"threads"` // at most
	Time    time.Duration `cbor:"time"`
	Rows    int64         `cbor:"rows"` // of the answer
	// Cut says that an answer ends at Rows; otherwise more rows are a failure.
	Cut bool `cbor:"cut"`
}

// mostOrder and mostData limit what a child accepts, in bytes.
const (
	mostOrder = 64 << 20
	mostData  = 1 << 30
)

var errTooLong = errors.New("longer than is accepted")

// writeBlock writes a length and the bytes.
func writeBlock(w io.Writer, b []byte) error {
	head := binary.LittleEndian.AppendUint64(nil, uint64(len(b)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// readBlock reads a block that writeBlock has written, of at most most bytes. It
// allocates memory as bytes arrive, whatever length the block claims.
func readBlock(r io.Reader, most int64) ([]byte, error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > uint64(most) {
		return nil, fmt.Errorf("a block of %d bytes: %w", n, errTooLong)
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && uint64(len(b)) < n {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

func (o *Order) write(w io.Writer) error {
	b, err := cbor.Marshal(o)
	if err != nil {
		return fmt.Errorf("encode the order: %w", err)
	}
	return writeBlock(w, b)
}

// ReadOrder reads an order, and returns io.EOF if none comes.
func ReadOrder(r io.Reader) (*Order, error) {
	b, err := readBlock(r, mostOrder)
	if err != nil {
		return nil, err
	}
	o := &Order{}
	if err := cbor.Unmarshal(b, o); err != nil {
		return nil, fmt.Errorf("decode the order: %w", err)
	}
	return o, nil
}

// ReadData reads one of the tables that follow an order.
func ReadData(r io.Reader) ([]byte, error) { return readBlock(r, mostData) }

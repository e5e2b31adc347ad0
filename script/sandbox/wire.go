package sandbox

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/fxamacker/cbor/v2"
)

// Every message is a header, a control part in CBOR and a body of plain numbers in
// the machine's byte order; both ends are the same binary.
//
// The body of a request is the frame, passed as shared memory if the system supports
// it. The body of a response is the columns of the result. Their number and length
// follow from the control part, so a reader knows each size before it reads.
const (
	headerSize = 24
	magic      = 0x31584253 // "SBX1"

	maxControl = 4 << 20
	maxBody    = 256 << 20
)

// header announces a message.
type header struct {
	control uint32 // bytes of the control part
	id      uint64 // id of the request, repeated in its response
	body    uint64 // bytes of the body
}

func (h header) bytes() []byte {
	b := make([]byte, headerSize)
	binary.LittleEndian.PutUint32(b, magic)
	binary.LittleEndian.PutUint32(b[4:], h.control)
	binary.LittleEndian.PutUint64(b[8:], h.id)
	binary.LittleEndian.PutUint64(b[16:], h.body)
	return b
}

// headerOf decodes a header and checks its sizes against the limits.
func headerOf(b []byte) (header, error) {
	if len(b) != headerSize || binary.LittleEndian.Uint32(b) != magic {
		return header{}, damaged("the message does not start with a header")
	}
	h := header{
		control: binary.LittleEndian.Uint32(b[4:]),
		id:      binary.LittleEndian.Uint64(b[8:]),
		body:    binary.LittleEndian.Uint64(b[16:]),
	}
	if h.control > maxControl || h.body > maxBody {
		return header{}, damaged("a message of %d + %d bytes, more than %d + %d", h.control, h.body, maxControl, maxBody)
	}
	return h, nil
}

// readMessage reads a header, and its control part into v.
func readMessage(r io.Reader, v any) (header, error) {
	h, err := readHeader(r)
	if err != nil {
		return header{}, err
	}
	return h, readControl(r, h, v)
}

func readHeader(r io.Reader) (header, error) {
	var b [headerSize]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return header{}, err
	}
	return headerOf(b[:])
}

func readControl(r io.Reader, h header, v any) error {
	control := make([]byte, h.control)
	if _, err := io.ReadFull(r, control); err != nil {
		return err
	}
	if err := decoding.Unmarshal(control, v); err != nil {
		return damaged("control part: %v", err)
	}
	return nil
}

// decoding decodes control parts. Texts must be valid UTF-8; sizes and depth are
// limited.
var decoding = func() cbor.DecMode {
	mode, err := cbor.DecOptions{
		DupMapKey:        cbor.DupMapKeyEnforcedAPF,
		IntDec:           cbor.IntDecConvertSignedOrFail,
		DefaultMapType:   reflect.TypeFor[map[string]any](),
		IndefLength:      cbor.IndefLengthForbidden,
		TagsMd:           cbor.TagsForbidden,
		MaxNestedLevels:  32,
		MaxArrayElements: 1 << 17,
		MaxMapPairs:      1 << 16,
	}.DecMode()
	if err != nil {
		panic(err) // the options are constants
	}
	return mode
}()

// damagedError says that a child sent an invalid message.
type damagedError struct{ what string }

func (e *damagedError) Error() string { return "damaged message: " + e.what }

func damaged(format string, args ...any) error {
	return &damagedError{what: fmt.Sprintf(format, args...)}
}

// bytesOf returns the bytes of v, without a copy.
func bytesOf[T float64 | int32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(v[0])))
}

package engine

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"ballast/internal/confine"
)

// Kind is what a frame of a response contains.
type Kind byte

// The kinds.
const (
	KindReady Kind = 'R' // the child waits for its order
	KindArrow Kind = 'A' // bytes of the Arrow stream
	KindEnd   Kind = 'E' // how the answer ended, as JSON
)

// mostFrame limits the payload of a frame, in bytes.
const mostFrame = 1 << 20

// End is how a response ended.
type End struct {
	Rows    int64          `json:"rows"`
	Cut     bool           `json:"cut"` // there were more rows than the order asked for
	Failure *Failure       `json:"failure,omitempty"`
	Guards  confine.Report `json:"guards,omitempty"`
}

// WriteFrame writes one frame, of at most mostFrame bytes.
func WriteFrame(w io.Writer, k Kind, payload []byte) error {
	head := binary.LittleEndian.AppendUint32([]byte{byte(k)}, uint32(len(payload))) //nolint:gosec // at most mostFrame
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

// readHead reads the kind of a frame and the length of its payload.
func readHead(r io.Reader) (Kind, int, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, err
	}
	k, n := Kind(head[0]), binary.LittleEndian.Uint32(head[1:])
	if k != KindReady && k != KindArrow && k != KindEnd {
		return 0, 0, fmt.Errorf("unknown kind of frame %q", byte(k))
	}
	if n > mostFrame {
		return 0, 0, fmt.Errorf("a frame of %d bytes: %w", n, errTooLong)
	}
	return k, int(n), nil
}

// Frames writes its input as frames of Arrow bytes.
type Frames struct{ W io.Writer }

// Write implements io.Writer.
func (f Frames) Write(b []byte) (int, error) {
	written := 0
	for len(b) > 0 {
		n := min(len(b), mostFrame)
		if err := WriteFrame(f.W, KindArrow, b[:n]); err != nil {
			return written, err
		}
		written, b = written+n, b[n:]
	}
	return written, nil
}

// unframed reads the Arrow bytes of an answer up to its end, and keeps the end.
type unframed struct {
	r    io.Reader
	left int  // bytes left of the current frame
	end  *End // nil until it was read
}

// Read implements io.Reader. io.EOF means that the answer is complete,
// io.ErrUnexpectedEOF that it is not.
func (u *unframed) Read(b []byte) (int, error) {
	for u.left == 0 {
		if u.end != nil {
			return 0, io.EOF
		}
		if err := u.next(); err != nil {
			return 0, err
		}
	}
	n, err := u.r.Read(b[:min(len(b), u.left)])
	u.left -= n
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next reads the header of the next frame, and the whole frame if it is the last.
func (u *unframed) next() error {
	k, n, err := readHead(u.r)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	switch k {
	case KindArrow:
		u.left = n
		return nil
	case KindEnd:
		b := make([]byte, n)
		if _, err := io.ReadFull(u.r, b); err != nil {
			return io.ErrUnexpectedEOF
		}
		u.end = &End{}
		if err := json.Unmarshal(b, u.end); err != nil {
			u.end = nil
			return fmt.Errorf("decode the end of the answer: %w", err)
		}
		return nil
	}
	return fmt.Errorf("a frame of kind %q inside an answer", byte(k))
}

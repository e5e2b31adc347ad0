//go:build !linux

package sandbox

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"ballast/timeseries"
)

// sharedFrame is an encoded frame. Without sealed memory it is sent as bytes.
type sharedFrame struct{ data []byte }

func share(f *timeseries.Frame) (*sharedFrame, error) {
	var b bytes.Buffer
	err := timeseries.EncodeFrame(&b, f)
	return &sharedFrame{b.Bytes()}, err
}

// bytes returns the size of the frame.
func (s *sharedFrame) bytes() uint64 { return uint64(len(s.data)) }

func (*sharedFrame) close() {}

// link is the parent's end of the connection to a child: its standard input and
// output.
type link struct {
	io.Reader
	w    io.WriteCloser
	ends []*os.File // the child's
}

func connect(cmd *exec.Cmd) (*link, error) {
	in, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), w.Close())
	}
	cmd.Stdin, cmd.Stdout = in, out
	return &link{Reader: r, w: w, ends: []*os.File{in, out}}, nil
}

// started closes the parent's copies of the child's ends after the child has
// started.
func (l *link) started() {
	for _, f := range l.ends {
		f.Close()
	}
}

// quiet always reports true, because a pipe cannot be checked without reading it. An
// unsolicited message has the wrong id and is refused later.
func (l *link) quiet() bool { return true }

func (l *link) send(id uint64, m *message) error {
	h := header{id: id, control: uint32(len(m.control)), body: uint64(len(m.frame.data))}
	for _, part := range [][]byte{h.bytes(), m.control, m.frame.data} {
		if _, err := l.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// SetReadDeadline sets the deadline of the next reads.
func (l *link) SetReadDeadline(t time.Time) error { return l.Reader.(*os.File).SetReadDeadline(t) }

// Close closes both directions.
func (l *link) Close() error { return errors.Join(l.w.Close(), l.Reader.(*os.File).Close()) }

// socket is the child's end.
type socket struct {
	io.Reader
	io.Writer
}

func childEnd() (*socket, error) { return &socket{os.Stdin, os.Stdout}, nil }

// receive waits for a request and its frame.
func (s *socket) receive() (id uint64, r request, release func(), err error) {
	h, err := readMessage(s, &r)
	if err != nil {
		return 0, r, nil, err
	}
	data := make([]byte, h.body)
	if _, err := io.ReadFull(s, data); err != nil {
		return 0, r, nil, err
	}
	r.frame, err = timeseries.DecodeFrame(data)
	return h.id, r, func() {}, err
}

package main

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"
)

// errInterrupted says that Ctrl-C was pressed while a line was edited.
var errInterrupted = errors.New("interrupted")

// lineEditor reads lines from a terminal, with history. The terminal is raw while a line
// is edited and as it was otherwise, so that Ctrl-C reaches a running statement as a
// signal.
type lineEditor struct {
	in   *os.File
	keys *interruptible
	*term.Terminal
}

func newLineEditor(in *os.File, out io.Writer) *lineEditor {
	keys := &interruptible{in: in}
	return &lineEditor{in: in, keys: keys, Terminal: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{keys, out}, "")}
}

// read returns the next line, io.EOF at Ctrl-D, or errInterrupted.
func (e *lineEditor) read(prompt string) (line string, err error) {
	before, err := term.MakeRaw(int(e.in.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(int(e.in.Fd()), before)) }()
	if width, height, err := term.GetSize(int(e.in.Fd())); err == nil && width > 0 {
		_ = e.SetSize(width, height) // a size that does not fit is not fatal
	}
	e.SetPrompt(prompt)
	line, err = e.ReadLine()
	if e.keys.interrupted {
		e.keys.interrupted = false
		return "", errInterrupted
	}
	return line, err
}

// interruptible turns Ctrl-C into keys that clear the line and enter it. The editor itself
// takes Ctrl-C for the end of the input.
type interruptible struct {
	in          io.Reader
	pending     []byte
	interrupted bool
}

const (
	ctrlC     = 3
	clearLine = "\x05\x15\r" // to the end, erase to the beginning, enter
)

// Read implements io.Reader.
func (r *interruptible) Read(b []byte) (int, error) {
	if len(r.pending) == 0 {
		n, err := r.in.Read(b)
		if err != nil {
			return n, err
		}
		for _, key := range b[:n] {
			if key == ctrlC {
				r.interrupted = true
				r.pending = append(r.pending, clearLine...)
				continue
			}
			r.pending = append(r.pending, key)
		}
	}
	n := copy(b, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}

package engine

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// startLimit is how long a process may take to be ready.
const startLimit = 20 * time.Second

// process is a child. It serves one order.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	folder string
	once   sync.Once
}

// spawn starts a process. The calling thread must live as long as the process.
func spawn(c Config) (_ *process, err error) {
	folder, err := os.MkdirTemp(c.Dir, "query-")
	if err != nil {
		return nil, fmt.Errorf("start a query process: %w", err)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, errors.Join(fmt.Errorf("start a query process: %w", err), os.RemoveAll(folder))
	}
	// A warm process outlives the request that started it; end ends it.
	k := &process{cmd: exec.CommandContext(context.Background(), c.Command[0], append(c.Command[1:len(c.Command):len(c.Command)], folder)...), stderr: &tail{}, folder: folder}
	// Without garbage collection a process is ready sooner. It turns it on for its order.
	k.cmd.Env, k.cmd.Dir, k.cmd.Stderr, k.cmd.SysProcAttr = []string{"GOGC=off"}, "/", k.stderr, attributes()
	k.cmd.WaitDelay = time.Second
	if k.in, err = k.cmd.StdinPipe(); err == nil {
		var out io.ReadCloser
		if out, err = k.cmd.StdoutPipe(); err == nil {
			k.out = bufio.NewReaderSize(out, 64<<10)
			err = k.cmd.Start()
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a query process: %w", err), os.RemoveAll(folder))
	}
	return k, nil
}

// meet waits until the process is ready, and ends it if it never is.
func (k *process) meet() error {
	stop := time.AfterFunc(startLimit, k.kill)
	defer stop.Stop()
	got, n, err := readHead(k.out)
	if err == nil && (got != KindReady || n != 0) {
		err = fmt.Errorf("a frame of kind %q before it is ready", byte(got))
	}
	if err != nil {
		k.close()
		return fmt.Errorf("start a query process: %w: %s", err, k.stderr)
	}
	return nil
}

// send writes the order to the process.
func (k *process) send(o *Order, data [][]byte) error {
	w := bufio.NewWriterSize(k.in, 64<<10)
	if err := o.write(w); err != nil {
		return err
	}
	for _, b := range data {
		if err := writeBlock(w, b); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), k.in.Close())
}

// kill kills the process; close waits for its end.
func (k *process) kill() { _ = k.cmd.Process.Kill() } // it may have ended already

// close kills the process, waits until it has ended, and removes its temporary files.
func (k *process) close() {
	k.once.Do(func() {
		k.kill()
		_ = k.in.Close()
		_ = k.cmd.Wait() // its state says more
		_ = os.RemoveAll(k.folder)
	})
}

// tail keeps the beginning of the error output: the Go runtime names the cause of a crash
// first.
type tail struct {
	mu   sync.Mutex
	said []byte
}

const mostSaid = 8 << 10

// Write implements io.Writer. It drops the excess.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = append(t.said, b[:min(len(b), mostSaid-len(t.said))]...)
	return len(b), nil
}

// String implements fmt.Stringer.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.said))
}

// outOfMemory reports whether the process ended because it ran out of memory.
func (t *tail) outOfMemory() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, words := range []string{"out of memory", "cannot allocate memory", "failed to allocate", "bad_alloc", "pthread_create failed", "stack overflow", "stack exceeds"} {
		if bytes.Contains(t.said, []byte(words)) {
			return true
		}
	}
	return false
}

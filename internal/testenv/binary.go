package testenv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
)

// Binary is the command as users run it. It is built in bin/test, once for the tests of
// all processes, because linking takes seconds, and copied for each process. TestMain
// removes the copy.
//
//	var binary testenv.Binary
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		binary.Remove()
//		os.Exit(code)
//	}
type Binary struct {
	once sync.Once
	dir  string
	err  error

	served   sync.Once
	unserved error
}

// Path returns the path of the binary. The first call builds it.
func (b *Binary) Path(t testing.TB) string {
	t.Helper()
	b.once.Do(func() { b.err = b.build(Root(t)) })
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path()
}

func (b *Binary) path() string { return filepath.Join(b.dir, "ballast") }

func (b *Binary) build(root string) (err error) {
	if b.dir, err = os.MkdirTemp("", "ballast-test-"); err != nil {
		return err
	}
	// The users to whom the service drops its rights execute the binary, too.
	if err := os.Chmod(b.dir, 0o755); err != nil {
		return err
	}
	built := filepath.Join(root, "bin", "test", "ballast")
	if err := os.MkdirAll(filepath.Dir(built), 0o755); err != nil {
		return err
	}
	lock := flock.New(built + ".lock")
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	build := exec.Command("go", "build", "-o", built, "ballast/cmd/ballast") //nolint:noctx // ends by itself
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return duplicate(built, b.path())
}

func duplicate(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		_ = target.Close()
		return err
	}
	return target.Close()
}

// Served fills a new folder with the data of a service that has started once, and has
// nothing stored. To copy it takes a small part of what a first start takes.
func (b *Binary) Served(t testing.TB, data string) {
	t.Helper()
	program := b.Path(t)
	first := filepath.Join(b.dir, "served")
	b.served.Do(func() { b.unserved = serveOnce(program, first) })
	if b.unserved != nil {
		t.Fatal(b.unserved)
	}
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", first, data).CombinedOutput(); err != nil { // with the owners of the files
		t.Fatalf("copy the data of a service: %v\n%s", err, out)
	}
}

func serveOnce(program, data string) error {
	serve := exec.Command(program, "serve", "--data-dir", data, "--listen", "127.0.0.1:0") //nolint:noctx // stopped below, by a signal
	var log bytes.Buffer
	serve.Stderr = &log
	out, err := serve.StdoutPipe()
	if err != nil {
		return err
	}
	if err := serve.Start(); err != nil {
		return err
	}
	_, early := bufio.NewReader(out).ReadBytes('\n') // the ready line
	_ = serve.Process.Signal(syscall.SIGTERM)
	if err := errors.Join(early, serve.Wait()); err != nil {
		return fmt.Errorf("a service that starts and stops: %w\n%s", err, log.String())
	}
	return nil
}

// Remove deletes the binary, if it was built.
func (b *Binary) Remove() {
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}

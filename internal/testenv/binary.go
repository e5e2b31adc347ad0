package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Binary is the command as users run it. It is built once for all tests of a process,
// because linking takes seconds. TestMain removes it.
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
	build := exec.Command("go", "build", "-o", b.path(), "ballast/cmd/ballast") //nolint:noctx // ends by itself
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

// Remove deletes the binary, if it was built.
func (b *Binary) Remove() {
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}

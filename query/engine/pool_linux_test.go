package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// numbered starts children that make a folder named for their number, 1 for the first,
// and are ready once it has a file "go", or fail once it has a file "fail". At the end of
// the test all become ready.
func numbered(t *testing.T, warm int) (p *Pool, dir string) {
	t.Helper()
	dir = t.TempDir()
	script := `n=1; while ! mkdir "$0/$n" 2>/dev/null; do n=$((n+1)); done
while [ ! -e "$0/$n/go" ] && [ ! -e "$0/go" ]; do [ ! -e "$0/$n/fail" ] || exit 1; sleep 0.01; done
printf 'R\000\000\000\000'; exec cat >/dev/null`
	p = NewPool(Config{Command: []string{"/bin/sh", "-c", script, dir}, Dir: t.TempDir(), Warm: warm})
	t.Cleanup(func() {
		mark(t, dir, "", "go")
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, dir
}

// mark tells a child what to do.
func mark(t *testing.T, dir, child, what string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, child, what), nil, 0o600); err != nil {
		t.Error(err)
	}
}

func started(dir string) int {
	entries, _ := os.ReadDir(dir) // the folder exists as long as the test
	return len(entries)
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("two minutes have passed without: %s", what)
		}
	}
}

// ask takes a child in the background, and closes it.
func ask(ctx context.Context, p *Pool) <-chan error {
	done := make(chan error, 1)
	go func() {
		k, err := p.take(ctx)
		if k != nil {
			k.close()
		}
		done <- err
	}()
	return done
}

func (p *Pool) counts() (warm, coming, callers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.warm), p.coming, len(p.callers)
}

func TestACallerTakesTheFirstChildThatIsReady(t *testing.T) {
	t.Parallel()
	p, dir := numbered(t, 2)
	first := ask(t.Context(), p)
	until(t, "two children", func() bool { return started(dir) == 2 })
	if _, coming, _ := p.counts(); coming != 2 {
		t.Errorf("%d children are coming for one caller and two places", coming)
	}
	mark(t, dir, "2", "go") // the child that was started second
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	until(t, "a child in its place", func() bool { return started(dir) == 3 })
	mark(t, dir, "1", "go")
	mark(t, dir, "3", "go")
	until(t, "two warm children", func() bool { warm, _, _ := p.counts(); return warm == 2 })
}

func TestEachCallerHasAChildComing(t *testing.T) {
	t.Parallel()
	p, dir := numbered(t, 1)
	var callers []<-chan error
	for n := range 3 {
		callers = append(callers, ask(t.Context(), p))
		until(t, "a child for each caller", func() bool { return started(dir) == n+1 })
	}
	for n := range 3 {
		mark(t, dir, strconv.Itoa(n+1), "go")
	}
	for _, c := range callers {
		if err := <-c; err != nil {
			t.Error(err)
		}
	}
}

func TestALeavingCallerLeavesItsChild(t *testing.T) {
	t.Parallel()
	p, dir := numbered(t, 1)
	ctx, leave := context.WithCancel(t.Context())
	gone := ask(ctx, p)
	until(t, "a child", func() bool { return started(dir) == 1 })
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Fatalf("the caller that left got %v", err)
	}
	mark(t, dir, "1", "go")
	until(t, "a warm child", func() bool { warm, _, _ := p.counts(); return warm == 1 })
	if err := <-ask(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

func TestAFailedStartFailsACallerOnlyWithoutAnother(t *testing.T) {
	t.Parallel()
	p, dir := numbered(t, 2)
	first := ask(t.Context(), p)
	until(t, "two children", func() bool { return started(dir) == 2 })
	mark(t, dir, "1", "fail")
	until(t, "the end of the first", func() bool { _, coming, _ := p.counts(); return coming == 1 })
	if _, _, callers := p.counts(); callers != 1 {
		t.Fatal("the caller no longer waits for the second child")
	}
	mark(t, dir, "2", "fail")
	if err := <-first; err == nil {
		t.Fatal("the caller got a child although both failed")
	}
}

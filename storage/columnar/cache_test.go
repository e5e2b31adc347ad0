package columnar

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestCacheKeepsItsBound(t *testing.T) {
	c, err := openCache(t.TempDir(), 10)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c.now = func() time.Time { return now }
	var downloads atomic.Int64
	get := func(key string) string {
		path, err := c.path(t.Context(), key, func(_ context.Context, w io.Writer) error {
			downloads.Add(1)
			_, err := io.WriteString(w, "1234")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	a, b := get("a"), get("b")
	now = now.Add(time.Second)
	third := get("c")
	if !exists(a) || !exists(b) || !exists(third) {
		t.Error("a copy went within its grace")
	}
	now = now.Add(2 * CacheGrace)
	get("a")
	get("d")
	if !exists(a) || exists(b) || exists(third) {
		t.Errorf("a %v, b %v, c %v: the least recently used go first", exists(a), exists(b), exists(third))
	}
	before := downloads.Load()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { get("e") })
	}
	wait.Wait()
	if n := downloads.Load() - before; n < 1 || n > 8 {
		t.Errorf("%d downloads", n)
	}
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	if !exists(get("a")) {
		t.Error("a copy that somebody removed does not come back")
	}
	again, err := openCache(c.dir, 10)
	if err != nil || again.size != c.size || again.order.Len() != c.order.Len() {
		t.Errorf("reopened: %d bytes, %v; want %d", again.size, err, c.size)
	}
}

func TestCacheKeepsNothingOfAFailure(t *testing.T) {
	c, err := openCache(t.TempDir(), 10)
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("failure")
	if _, err := c.path(context.Background(), "a", func(context.Context, io.Writer) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("err = %v", err)
	}
	if files, err := os.ReadDir(c.dir); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// A download that one caller began completes for the others, even if that caller leaves.
func TestADownloadOutlivesWhoBeganIt(t *testing.T) {
	t.Parallel()
	c, err := openCache(t.TempDir(), 100)
	if err != nil {
		t.Fatal(err)
	}
	first, leave := context.WithCancel(t.Context())
	begun, goOn := make(chan struct{}), make(chan struct{})
	download := func(ctx context.Context, w io.Writer) error {
		close(begun)
		<-goOn
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := io.WriteString(w, "whole")
		return err
	}
	gone, got := make(chan error), make(chan error)
	go func() {
		_, err := c.path(first, "a", download)
		gone <- err
	}()
	<-begun
	go func() {
		_, err := c.path(t.Context(), "a", func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, "whole")
			return err
		})
		got <- err
	}()
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	close(goOn)
	if err := <-got; err != nil {
		t.Errorf("who stayed got %v", err)
	}
}

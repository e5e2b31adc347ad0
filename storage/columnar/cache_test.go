package columnar

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
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
	if n := downloads.Load() - before; n != 1 {
		t.Errorf("8 readers caused %d downloads, want 1", n)
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

// However readers come and go, a download serves all who stay and stops when all have
// left, and who comes after that gets the object all the same.
func TestADownloadEndsWithTheLastWhoWaits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		readers := rapid.IntRange(1, 16).Draw(rt, "readers")
		leave := rapid.SliceOfN(rapid.Bool(), readers, readers).Draw(rt, "leave")
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		c, err := openCache(dir, 100)
		if err != nil {
			rt.Fatal(err)
		}
		synctest.Test(t, func(*testing.T) { comeAndGo(rt, c, leave) })
	})
}

// comeAndGo lets one reader for each element of leave wait for an object, lets those
// leave that should, and then completes the download.
func comeAndGo(rt *rapid.T, c *cache, leave []bool) {
	var begun, stopped atomic.Int64
	arrived := make(chan struct{})
	download := func(ctx context.Context, w io.Writer) error {
		begun.Add(1)
		select {
		case <-arrived:
		case <-ctx.Done():
			stopped.Add(1)
			return ctx.Err()
		}
		_, err := io.WriteString(w, "whole")
		return err
	}
	answers := make([]error, len(leave))
	leaving := make([]context.CancelFunc, len(leave))
	var wait sync.WaitGroup
	for i := range leave {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		leaving[i] = cancel
		wait.Go(func() { _, answers[i] = c.path(ctx, "a", download) })
	}
	synctest.Wait()
	for i, gone := range leave {
		if gone {
			leaving[i]()
		}
	}
	synctest.Wait()
	close(arrived)
	wait.Wait()
	for i, err := range answers {
		if leave[i] != errors.Is(err, context.Canceled) || !leave[i] && err != nil {
			rt.Errorf("reader %d, who leaves: %v, got %v", i, leave[i], err)
		}
	}
	allLeft := !slices.Contains(leave, false)
	if allLeft != (stopped.Load() == 1) || begun.Load() != 1 {
		rt.Errorf("%d downloads, %d stopped; all have left: %v", begun.Load(), stopped.Load(), allLeft)
	}
	if _, err := c.path(context.Background(), "a", download); err != nil {
		rt.Errorf("who comes later got %v", err)
	}
}

// A copy that was changed while no process ran is downloaded again; one that was not is
// used.
func TestACopyOfAnEarlierProcessIsChecked(t *testing.T) {
	t.Parallel()
	const content = "what the bucket holds"
	for name, damage := range map[string]func(path string) error{
		"intact":    func(string) error { return nil },
		"changed":   func(path string) error { return os.WriteFile(path, []byte("what the bucket HOLDS"), 0o600) },
		"truncated": func(path string) error { return os.Truncate(path, 4) },
		"removed":   os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, downloads := t.TempDir(), 0
			get := func() string {
				c, err := openCache(dir, 100)
				if err != nil {
					t.Fatal(err)
				}
				var path string
				for range 2 {
					if path, err = c.path(t.Context(), "a.parquet", func(_ context.Context, w io.Writer) error {
						downloads++
						_, err := io.WriteString(w, content)
						return err
					}); err != nil {
						t.Fatal(err)
					}
				}
				return path
			}
			if err := damage(get()); err != nil {
				t.Fatal(err)
			}
			path := get()
			if got, err := os.ReadFile(path); err != nil || string(got) != content {
				t.Errorf("%q, %v", got, err)
			}
			if want := map[bool]int{true: 1, false: 2}[name == "intact"]; downloads != want || filepath.Ext(path) != ".parquet" {
				t.Errorf("%d downloads to %s, want %d", downloads, path, want)
			}
		})
	}
}

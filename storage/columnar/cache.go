package columnar

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// cache is a folder with copies of remote objects, limited in bytes. A copy is complete
// or absent, and concurrent callers share one download.
type cache struct {
	dir   string
	limit int64
	fetch singleflight.Group

	mu    sync.Mutex
	size  int64
	order *list.List // of *copied, the most recently used first
	byKey map[string]*list.Element
	now   func() time.Time
	hits  uint64
	asked uint64
}

type copied struct {
	name string // of the file in dir
	size int64
	used time.Time
}

// openCache takes over the copies of an earlier process, and removes the oldest above the
// limit.
func openCache(dir string, limit int64) (*cache, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	c := &cache{dir: dir, limit: limit, order: list.New(), byKey: map[string]*list.Element{}, now: time.Now}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []*copied
	for _, f := range files {
		info, err := f.Info()
		switch {
		case err != nil || !f.Type().IsRegular():
		case strings.HasPrefix(f.Name(), tempPrefix):
			if time.Since(info.ModTime()) > time.Hour {
				_ = os.Remove(filepath.Join(dir, f.Name())) // from a killed download
			}
		default:
			found = append(found, &copied{name: f.Name(), size: info.Size(), used: info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b *copied) int { return b.used.Compare(a.used) })
	for _, f := range found {
		c.byKey[f.name] = c.order.PushBack(f)
		c.size += f.size
	}
	return c, nil
}

// copyName has no folders and a fixed length, whatever the key. It keeps the extension
// for engines that look at it.
func copyName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16]) + filepath.Ext(key)
}

// downloadTime limits a download, which continues without the caller that began it.
const downloadTime = 10 * time.Minute

// path returns the copy of key, and calls download if there is none. Concurrent callers
// share the copy, so its download continues even if one of them leaves.
func (c *cache) path(ctx context.Context, key string, download func(context.Context, io.Writer) error) (string, error) {
	name := copyName(key)
	path := filepath.Join(c.dir, name)
	if c.touch(name) {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	made := c.fetch.DoChan(name, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), downloadTime)
		defer cancel()
		return nil, c.make(ctx, key, func(w io.Writer) error { return download(ctx, w) })
	})
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case m := <-made:
		return path, m.Err
	}
}

// make downloads an object into the folder. The copy is synced before it gets its name,
// because the next process trusts what it finds, also after a power failure.
func (c *cache) make(ctx context.Context, key string, download func(io.Writer) error) error {
	temp, err := writeTemp(ctx, c.dir, download)
	if err != nil {
		return err
	}
	name := copyName(key)
	info, err := os.Stat(temp)
	if err == nil {
		err = os.Rename(temp, filepath.Join(c.dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	c.add(name, info.Size())
	return nil
}

func (c *cache) touch(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[name]
	c.asked++
	if ok {
		c.hits++
		e.Value.(*copied).used = c.now()
		c.order.MoveToFront(e)
	}
	return ok
}

func (c *cache) counts() CacheCounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheCounts{Hits: c.hits, Misses: c.asked - c.hits, Bytes: c.size}
}

func (c *cache) add(name string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(name)
	c.byKey[name] = c.order.PushFront(&copied{name: name, size: size, used: c.now()})
	c.size += size
	for c.size > c.limit {
		oldest := c.order.Back().Value.(*copied)
		if c.now().Sub(oldest.used) < CacheGrace {
			return // a caller may be about to open it
		}
		if err := os.Remove(filepath.Join(c.dir, oldest.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		c.forget(oldest.name)
	}
}

func (c *cache) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = os.Remove(filepath.Join(c.dir, copyName(key))) // a copy that stays only wastes space
	c.forget(copyName(key))
}

// forget removes a copy from the index; the caller holds c.mu.
func (c *cache) forget(name string) {
	if e, ok := c.byKey[name]; ok {
		c.size -= e.Value.(*copied).size
		c.order.Remove(e)
		delete(c.byKey, name)
	}
}

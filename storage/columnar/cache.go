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

	"github.com/zeebo/xxh3"
)

// cache is a folder with copies of remote objects, limited in bytes. A copy is complete
// or absent, and concurrent callers share one download.
//
// The name of a copy is a hash of its key, a checksum of its content, and the key's
// extension, for engines that look at it. So copies of an earlier process can be
// trusted once their content has been compared with their names.
type cache struct {
	dir   string
	limit int64
	fetch flights

	mu    sync.Mutex
	size  int64
	order *list.List               // of *copied, the most recently used first
	byKey map[string]*list.Element // by the hash of the key
	now   func() time.Time
	hits  uint64
	asked uint64
}

type copied struct {
	key     string // hash
	name    string // of the file in dir
	size    int64
	used    time.Time
	checked bool // downloaded by this process, or compared with its checksum
}

// The lengths of the two hexadecimal parts of a copy's name.
const (
	keyDigits     = 32
	contentDigits = 32
)

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
			key, _, ok := splitName(f.Name())
			if !ok {
				_ = os.Remove(filepath.Join(dir, f.Name())) // from a version without checksums
				continue
			}
			found = append(found, &copied{key: key, name: f.Name(), size: info.Size(), used: info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b *copied) int { return b.used.Compare(a.used) })
	for _, f := range found {
		if _, twice := c.byKey[f.key]; twice {
			_ = os.Remove(filepath.Join(dir, f.name)) // two processes have shared the folder
			continue
		}
		c.byKey[f.key] = c.order.PushBack(f)
		c.size += f.size
	}
	return c, nil
}

// keyHash has no folders and a fixed length, whatever the key.
func keyHash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:keyDigits/2])
}

// splitName returns the parts of a copy's name.
func splitName(name string) (key, content string, ok bool) {
	key, rest, ok := strings.Cut(name, "-")
	content = strings.TrimSuffix(rest, filepath.Ext(rest))
	return key, content, ok && len(key) == keyDigits && len(content) == contentDigits
}

// checksum names the content of a file.
func checksum(path string) (_ string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := xxh3.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:]), nil
}

// downloadTime limits a download.
const downloadTime = 10 * time.Minute

// path returns the copy of key, and calls download if there is none, or if the one of
// an earlier process is damaged. Concurrent callers share the copy and its download,
// which ends early only if all of them leave.
func (c *cache) path(ctx context.Context, key string, download func(context.Context, io.Writer) error) (string, error) {
	hash := keyHash(key)
	if path, checked := c.touch(hash, true); checked {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return c.fetch.do(ctx, hash, func(ctx context.Context) (string, error) {
		if path, ok := c.check(hash); ok {
			return path, nil
		}
		ctx, cancel := context.WithTimeout(ctx, downloadTime)
		defer cancel()
		return c.make(ctx, key, func(w io.Writer) error { return download(ctx, w) })
	})
}

// check compares the copy with its checksum, and removes it if it is damaged.
func (c *cache) check(hash string) (path string, ok bool) {
	path, checked := c.touch(hash, false)
	if path == "" {
		return "", false
	}
	if checked {
		_, err := os.Stat(path)
		return path, err == nil
	}
	sum, err := checksum(path)
	if _, want, _ := splitName(filepath.Base(path)); err != nil || sum != want {
		c.remove(hash)
		return "", false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[hash]; ok {
		e.Value.(*copied).checked = true
	}
	return path, true
}

// make downloads an object into the folder. The copy is synced before it gets its name,
// so after a power failure it is seldom damaged; a start does not rely on that.
func (c *cache) make(ctx context.Context, key string, download func(io.Writer) error) (string, error) {
	h := xxh3.New()
	temp, err := writeTemp(ctx, c.dir, func(w io.Writer) error { return download(io.MultiWriter(w, h)) })
	if err != nil {
		return "", err
	}
	sum := h.Sum128().Bytes()
	hash := keyHash(key)
	made := &copied{key: hash, name: hash + "-" + hex.EncodeToString(sum[:]) + filepath.Ext(key), checked: true}
	path := filepath.Join(c.dir, made.name)
	info, err := os.Stat(temp)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(temp))
	}
	made.size = info.Size()
	c.add(made)
	return path, nil
}

// touch returns the path of a copy, or "" if there is none, and whether its content has
// been compared with its checksum. With count, it counts as a read of the cache.
func (c *cache) touch(hash string, count bool) (path string, checked bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[hash]
	if count {
		c.asked++
	}
	if !ok {
		return "", false
	}
	if count {
		c.hits++
	}
	x := e.Value.(*copied)
	x.used = c.now()
	c.order.MoveToFront(e)
	return filepath.Join(c.dir, x.name), x.checked
}

func (c *cache) counts() CacheCounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheCounts{Hits: c.hits, Misses: c.asked - c.hits, Bytes: c.size}
}

func (c *cache) add(made *copied) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(made.key)
	made.used = c.now()
	c.byKey[made.key] = c.order.PushFront(made)
	c.size += made.size
	for c.size > c.limit {
		oldest := c.order.Back().Value.(*copied)
		if c.now().Sub(oldest.used) < CacheGrace {
			return // a caller may be about to open it
		}
		if err := os.Remove(filepath.Join(c.dir, oldest.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		c.forget(oldest.key)
	}
}

// remove deletes a copy. If that fails, the copy only wastes space.
func (c *cache) remove(hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[hash]; ok {
		_ = os.Remove(filepath.Join(c.dir, e.Value.(*copied).name))
		c.forget(hash)
	}
}

// forget removes a copy from the index; the caller holds c.mu.
func (c *cache) forget(hash string) {
	if e, ok := c.byKey[hash]; ok {
		c.size -= e.Value.(*copied).size
		c.order.Remove(e)
		delete(c.byKey, hash)
	}
}

package query

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"ballast/query/segments"
)

// gathered keeps files with the rows of runs that are in no segment, so that the next
// statement over the same runs can use them.
type gathered struct {
	dir     string
	objects segments.Objects

	mu    sync.Mutex
	files map[string]*gatheredFile
	order []string // keys, the least recently used first
}

// gatheredFile is written once. done is closed when the file exists or err is set.
type gatheredFile struct {
	path string
	used int // statements that are using it
	done chan struct{}
	err  error
}

// mostGathered is how many files are kept.
const mostGathered = 64

func newGathered(dir string, objects segments.Objects) *gathered {
	return &gathered{dir: dir, objects: objects, files: map[string]*gatheredFile{}}
}

// file returns a file with the rows of runs in a table. It exists until release is
// called.
func (g *gathered) file(ctx context.Context, t segments.Table, runs []segments.Run) (path string, release func(), err error) {
	h := sha256.New()
	fmt.Fprintln(h, t)
	for _, r := range runs {
		fmt.Fprintln(h, r.ID, r.Daily, r.Ledger)
	}
	key := hex.EncodeToString(h.Sum(nil))
	g.mu.Lock()
	f, found := g.files[key]
	if found {
		g.touch(key)
	} else {
		f = &gatheredFile{path: filepath.Join(g.dir, key+".parquet"), done: make(chan struct{})}
		g.files[key] = f
		g.order = append(g.order, key)
	}
	f.used++
	g.mu.Unlock()
	release = func() { g.release(key, f) }
	if !found {
		f.err = g.write(ctx, f.path, t, runs)
		close(f.done)
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		release()
		return "", nil, ctx.Err()
	}
	if f.err == nil {
		return f.path, release, nil
	}
	release()
	if found && ctx.Err() == nil && errors.Is(f.err, context.Canceled) { // the caller that wrote it has left
		return g.file(ctx, t, runs)
	}
	return "", nil, f.err
}

func (g *gathered) write(ctx context.Context, path string, t segments.Table, runs []segments.Run) (err error) {
	if err := os.MkdirAll(g.dir, 0o750); err != nil {
		return fmt.Errorf("gather results: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("gather results: %w", err)
	}
	if err := errors.Join(segments.Write(ctx, f, g.objects, t, runs), f.Close()); err != nil {
		return fmt.Errorf("gather results: %w", err)
	}
	return nil
}

// touch marks a key as most recently used. The caller holds g.mu.
func (g *gathered) touch(key string) {
	for i, k := range g.order {
		if k == key {
			g.order = append(append(g.order[:i:i], g.order[i+1:]...), key)
			return
		}
	}
}

// release ends one use of a file, and removes the oldest files above the limit.
func (g *gathered) release(key string, f *gatheredFile) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f.used--
	failed := false
	select {
	case <-f.done:
		failed = f.err != nil
	default:
	}
	kept := g.order[:0:0]
	for i, k := range g.order {
		file := g.files[k]
		if file.used == 0 && (len(g.order)-i > mostGathered || failed && k == key) {
			delete(g.files, k)
			_ = os.Remove(file.path)
			continue
		}
		kept = append(kept, k)
	}
	g.order = kept
}

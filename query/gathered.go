package query

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"ballast/query/segments"
)

// gathered keeps local files with rows that are not stored as files: results that are in
// no segment, and series. The next statement over the same rows can use them.
type gathered struct {
	dir  string
	most int // files that are kept

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

// The numbers of files that are kept.
const (
	mostResults = 64
	mostSeries  = 512
)

func newGathered(dir string, most int) *gathered {
	return &gathered{dir: dir, most: most, files: map[string]*gatheredFile{}}
}

// keyOf identifies the rows of runs in a table.
func keyOf(t segments.Table, runs []segments.Run) string {
	h := sha256.New()
	fmt.Fprintln(h, t)
	for _, r := range runs {
		fmt.Fprintln(h, r.ID, r.Daily, r.Ledger)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// file returns the Parquet file of a key, which is part of its name, and writes it if
// there is none. The file exists until release is called.
func (g *gathered) file(ctx context.Context, key string, write func(context.Context, io.Writer) error) (path string, release func(), err error) {
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
		f.err = g.write(ctx, f.path, write)
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
		return g.file(ctx, key, write)
	}
	return "", nil, f.err
}

func (g *gathered) write(ctx context.Context, path string, write func(context.Context, io.Writer) error) error {
	if err := os.MkdirAll(g.dir, 0o750); err != nil {
		return fmt.Errorf("gather rows: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("gather rows: %w", err)
	}
	if err := errors.Join(write(ctx, f), f.Close()); err != nil {
		return fmt.Errorf("gather rows: %w", err)
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
		if file.used == 0 && (len(g.order)-i > g.most || failed && k == key) {
			delete(g.files, k)
			_ = os.Remove(file.path)
			continue
		}
		kept = append(kept, k)
	}
	g.order = kept
}

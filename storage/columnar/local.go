package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// tempPrefix is the prefix of files that are being written.
const tempPrefix = ".tmp-"

// local is a bucket in a folder.
type local struct{ root string }

func openLocal(root string) (Bucket, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", root, err)
	}
	if err := os.MkdirAll(abs, 0o750); err != nil {
		return nil, fmt.Errorf("open bucket: %w", err)
	}
	return &local{root: abs}, nil
}

func (b *local) path(key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	return filepath.Join(b.root, filepath.FromSlash(key)), nil
}

func (b *local) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	return b.PutAll(ctx, Outgoing{Key: key, Write: write})
}

// PutAll writes and syncs the files concurrently, then renames them, then syncs each
// folder once.
func (b *local) PutAll(ctx context.Context, objects ...Outgoing) error {
	paths, temps := make([]string, len(objects)), make([]string, len(objects))
	g, writing := errgroup.WithContext(ctx)
	for i, o := range objects {
		g.Go(func() (err error) {
			if paths[i], err = b.path(o.Key); err != nil {
				return err
			}
			if err = b.makeDir(filepath.Dir(paths[i])); err == nil {
				temps[i], err = writeTemp(writing, filepath.Dir(paths[i]), o.Write)
			}
			if err != nil {
				return fmt.Errorf("put %s: %w", o.Key, err)
			}
			return nil
		})
	}
	err := g.Wait()
	folders := map[string]struct{}{}
	for i, temp := range temps {
		switch {
		case temp == "":
		case err != nil:
			err = errors.Join(err, os.Remove(temp))
		default:
			if err = os.Rename(temp, paths[i]); err != nil {
				err = fmt.Errorf("put %s: %w", objects[i].Key, errors.Join(err, os.Remove(temp)))
			}
			folders[filepath.Dir(paths[i])] = struct{}{}
		}
	}
	for folder := range folders {
		if err == nil {
			err = syncDir(folder)
		}
	}
	return err
}

// makeDir creates dir and its missing parents below the bucket's root durably.
func (b *local) makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil || dir == b.root {
		return err
	}
	if err := b.makeDir(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

func (b *local) Path(_ context.Context, key string) (string, error) {
	path, err := b.path(key)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular():
		return "", fmt.Errorf("object %s: %w", key, ErrNotFound)
	case err != nil:
		return "", fmt.Errorf("object %s: %w", key, err)
	}
	return path, nil
}

func (b *local) Open(ctx context.Context, key string) (*Object, error) {
	path, err := b.Path(ctx, key)
	if err != nil {
		return nil, err
	}
	return openFile(path)
}

func (b *local) Delete(_ context.Context, key string) error {
	path, err := b.path(key)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

func (b *local) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		start := b.root
		if i := strings.LastIndexByte(prefix, '/'); i > 0 {
			folder, err := b.path(prefix[:i])
			if err != nil {
				yield(Entry{}, err)
				return
			}
			start = folder
		}
		err := filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // deleted, or never created
			}
			if err != nil {
				return err
			}
			key, err := filepath.Rel(b.root, path)
			key = filepath.ToSlash(key)
			if err != nil || !d.Type().IsRegular() || !strings.HasPrefix(key, prefix) {
				return err
			}
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if !yield(Entry{Key: key, Size: info.Size(), Modified: info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Entry{}, fmt.Errorf("list %s: %w", prefix, err))
		}
	}
}

func (b *local) Close() error { return nil }

// writeTemp writes and syncs a new temporary file in dir and returns its path. After an
// error it leaves no file.
func writeTemp(ctx context.Context, dir string, write func(io.Writer) error) (path string, err error) {
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := write(f); err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return f.Name(), f.Sync()
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func openFile(path string) (*Object, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("object %s: %w", path, ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Object{ReaderAt: f, Size: info.Size(), close: f.Close}, nil
}

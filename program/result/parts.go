package result

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"ballast/storage/columnar"
)

// Parts are what a run in progress has computed so far, so that another try of it can go
// on from there. They are objects beside the run's result that no row names, so the sweep
// deletes those of a run that is never tried again. It is not safe for concurrent use.
type Parts struct {
	bucket columnar.Bucket
	prefix string
	keys   []string // of the objects that are known
}

// Parts returns the parts of a run.
func (r *Store) Parts(runID string) *Parts {
	return &Parts{bucket: r.bucket, prefix: path.Join(Prefix, runID[max(0, len(runID)-2):], runID+".part")}
}

// Add stores a part of a piece of work durably.
func (p *Parts) Add(ctx context.Context, work string, part []byte) error {
	key := p.prefix + "." + work + "." + strconv.Itoa(len(p.keys)) + "." + uuid.NewString()
	if err := p.bucket.Put(ctx, key, func(w io.Writer) error {
		_, err := w.Write(part)
		return err
	}); err != nil {
		return fmt.Errorf("store a part of a run: %w", err)
	}
	p.keys = append(p.keys, key)
	return nil
}

// Find reads the parts of a piece of work that earlier tries have stored, in no
// particular order.
func (p *Parts) Find(ctx context.Context, work string) ([][]byte, error) {
	var found [][]byte
	for entry, err := range p.bucket.List(ctx, p.prefix+".") {
		if err != nil {
			return nil, err
		}
		p.keys = append(p.keys, entry.Key)
		if !strings.HasPrefix(entry.Key, p.prefix+"."+work+".") {
			continue
		}
		part, err := p.read(ctx, entry.Key)
		if errors.Is(err, columnar.ErrNotFound) {
			continue // deleted by a worker that had the same run
		}
		if err != nil {
			return nil, fmt.Errorf("read a part of a run: %w", err)
		}
		found = append(found, part)
	}
	return found, nil
}

func (p *Parts) read(ctx context.Context, key string) (_ []byte, err error) {
	o, err := p.bucket.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	return io.ReadAll(io.NewSectionReader(o, 0, o.Size))
}

// Delete deletes the parts that were added or found.
func (p *Parts) Delete(ctx context.Context) error {
	for _, key := range p.keys {
		if err := p.bucket.Delete(ctx, key); err != nil {
			return err
		}
	}
	p.keys = nil
	return nil
}

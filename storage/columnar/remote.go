package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/memblob" // mem://
	_ "gocloud.dev/blob/s3blob"  // s3://
	"gocloud.dev/gcerrors"
	"golang.org/x/sync/errgroup"
)

// remote is a bucket in an object store, read through a folder of local copies.
type remote struct {
	bucket *blob.Bucket
	cache  *cache
}

func openRemote(ctx context.Context, place string, o BucketOptions) (Bucket, error) {
	if o.CacheDir == "" {
		return nil, errors.New("open bucket: a remote bucket needs a cache folder")
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	c, err := openCache(o.CacheDir, o.CacheBytes)
	if err != nil {
		return nil, fmt.Errorf("open bucket: %w", err)
	}
	b, err := blob.OpenBucket(ctx, place)
	if err != nil {
		return nil, fmt.Errorf("open bucket: %w", err)
	}
	return &remote{bucket: b, cache: c}, nil
}

func (b *remote) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if err := checkKey(key); err != nil {
		return err
	}
	// The store makes the object visible when its writer closes. Cancelling the context
	// before that abandons it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := b.bucket.NewWriter(ctx, key, nil)
	if err != nil {
		return fmt.Errorf("put %s: %w", key, err)
	}
	if err := write(w); err != nil {
		cancel()
		_ = w.Close() // reports only the cancellation
		return fmt.Errorf("put %s: %w", key, err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("put %s: %w", key, err)
	}
	return nil
}

// Copies counts how often a local copy of an object existed. Buckets without local copies
// do not have this method.
func (b *remote) Copies() CacheCounts { return b.cache.counts() }

func (b *remote) PutAll(ctx context.Context, objects ...Outgoing) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, o := range objects {
		g.Go(func() error { return b.Put(ctx, o.Key, o.Write) })
	}
	return g.Wait()
}

func (b *remote) Path(ctx context.Context, key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	return b.cache.path(ctx, key, func(ctx context.Context, w io.Writer) error {
		err := b.bucket.Download(ctx, key, w, nil)
		if gcerrors.Code(err) == gcerrors.NotFound {
			return fmt.Errorf("object %s: %w", key, ErrNotFound)
		}
		if err != nil {
			return fmt.Errorf("object %s: %w", key, err)
		}
		return nil
	})
}

func (b *remote) Open(ctx context.Context, key string) (*Object, error) {
	path, err := b.Path(ctx, key)
	if err != nil {
		return nil, err
	}
	return openFile(path)
}

func (b *remote) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	b.cache.remove(keyHash(key))
	if err := b.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

func (b *remote) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		it := b.bucket.List(&blob.ListOptions{Prefix: prefix})
		for {
			o, err := it.Next(ctx)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Entry{}, fmt.Errorf("list %s: %w", prefix, err))
				return
			}
			if !yield(Entry{Key: o.Key, Size: o.Size, Modified: o.ModTime}, nil) {
				return
			}
		}
	}
}

func (b *remote) Close() error { return b.bucket.Close() }

package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"strings"
	"time"
)

// ErrNotFound says that the bucket has no object with the key.
var ErrNotFound = errors.New("object not found")

// Bucket stores immutable objects by key. Keys are relative paths with slashes, without
// "." and ".." elements. A Bucket is safe for concurrent use.
type Bucket interface {
	ObjectReader
	ObjectWriter
	ObjectLister

	// Close releases the bucket's resources; objects stay.
	Close() error
}

// ObjectReader reads objects of a bucket.
type ObjectReader interface {
	// Path returns a local file with the object's content, for an engine that opens files
	// itself. Nobody may change the file. If the bucket is remote, the file is a cached
	// copy and stays for at least CacheGrace. The error is ErrNotFound if there is no
	// such object.
	Path(ctx context.Context, key string) (string, error)

	// Open opens the object for reading; the caller closes it. The error is ErrNotFound
	// if there is no such object.
	Open(ctx context.Context, key string) (*Object, error)
}

// ObjectWriter stores objects in a bucket and removes them.
type ObjectWriter interface {
	// Put stores what write writes under key, durably and atomically: after an error of
	// write, or a crash, the key is as it was.
	Put(ctx context.Context, key string, write func(io.Writer) error) error

	// PutAll is Put for several objects at once, which is faster than one after the
	// other. Each is stored atomically; after an error some of them may be stored.
	PutAll(ctx context.Context, objects ...Outgoing) error

	// Delete removes the object. It is not an error if the object does not exist.
	Delete(ctx context.Context, key string) error
}

// ObjectLister lists the objects of a bucket.
type ObjectLister interface {
	// List yields the objects whose key begins with prefix, in no particular order,
	// including unfinished temporary files of killed writers, so that a sweep finds them.
	// Iteration ends with the first error.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
}

// Outgoing is an object to store: its key, and the function that writes it.
type Outgoing struct {
	Key   string
	Write func(io.Writer) error
}

// Entry is one listed object.
type Entry struct {
	Key      string
	Size     int64 // bytes
	Modified time.Time
}

// Object is an open object.
type Object struct {
	io.ReaderAt
	Size  int64 // bytes
	close func() error
}

// Close closes the object.
func (o *Object) Close() error { return o.close() }

// BucketOptions configure the local copies of a remote bucket.
type BucketOptions struct {
	CacheDir   string // folder for the copies; required for a remote bucket, unused by a local one
	CacheBytes int64  // limit on the sum of the copies, the least recently used are removed first; 0 means DefaultCacheBytes
}

// DefaultCacheBytes limits the local copies of a remote bucket: 8 GiB.
const DefaultCacheBytes int64 = 8 << 30

// CacheGrace is how long a local copy of a remote object stays after its last use,
// however full the cache is.
const CacheGrace = time.Minute

// OpenBucket opens the bucket at a place: a path or a file:// URL for a local folder,
// which is created if missing; s3:// for S3 and compatible services (with the query
// parameters of gocloud.dev/blob/s3blob, such as region and endpoint, and AWS's usual
// environment variables for credentials); mem:// for tests.
func OpenBucket(ctx context.Context, place string, o BucketOptions) (Bucket, error) {
	if !strings.Contains(place, "://") {
		return openLocal(place)
	}
	u, err := url.Parse(place)
	if err != nil {
		return nil, fmt.Errorf("open bucket: %w", err)
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" && u.Host != "." && u.Host != "localhost" {
			return nil, fmt.Errorf("open bucket %s: a file URL has three slashes: file:///path", place)
		}
		return openLocal(u.Path)
	case "s3", "mem":
		return openRemote(ctx, place, o)
	}
	return nil, fmt.Errorf("open bucket %s: unknown scheme %q; accepted are a folder, file://, s3:// and mem://", u.Redacted(), u.Scheme)
}

// checkKey refuses keys that could leave the bucket or that are ambiguous.
func checkKey(key string) error {
	if !fs.ValidPath(key) || key == "." || strings.ContainsAny(key, "\\\x00:") {
		return fmt.Errorf("bucket key %q: not a relative slash path", key)
	}
	return nil
}

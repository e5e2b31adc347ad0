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

// ErrNotFound says that the bucket holds no object of that key.
var ErrNotFound = errors.New("object not found")

// Bucket holds immutable objects by key: slash-separated, relative, without
// "." and ".." elements. It is safe for concurrent use.
type Bucket interface {
	ObjectReader
	ObjectWriter
	ObjectLister

	// Close releases what the bucket holds; objects stay.
	Close() error
}

// ObjectReader reads objects of a bucket.
type ObjectReader interface {
	// Path returns a local file that holds the object, for an engine that opens
	// files itself; nobody may change it. In a remote bucket the file is a
	// cached copy and stays for at least CacheGrace. ErrNotFound.
	Path(ctx context.Context, key string) (string, error)

	// Open opens the object for reading; the caller closes it. ErrNotFound.
	Open(ctx context.Context, key string) (*Object, error)
}

// ObjectWriter stores objects in a bucket and removes them.
type ObjectWriter interface {
	// Put stores what write writes under key, durably and all at once: an error
	// of write, or a crash, leaves the key as it was.
	Put(ctx context.Context, key string, write func(io.Writer) error) error

	// PutAll is Put of several objects at once, which costs less than one after
	// the other. Each is stored all at once; after an error some of them may be.
	PutAll(ctx context.Context, objects ...Outgoing) error

	// Delete removes the object. An object that is not there is no error.
	Delete(ctx context.Context, key string) error
}

// ObjectLister lists the objects of a bucket.
type ObjectLister interface {
	// List yields the objects whose key begins with prefix, in no order,
	// including the unfinished temporary files of writers that were killed, so
	// that a sweep finds them. Iteration ends with the first error.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
}

// Outgoing is an object to store: its key, and what writes it.
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

// BucketOptions set up the local copies of a remote bucket.
type BucketOptions struct {
	CacheDir   string // folder for the copies; required for a remote bucket, unused by a local one
	CacheBytes int64  // bound of the copies' sum, least recently used go first; 0 means DefaultCacheBytes
}

// DefaultCacheBytes bounds the local copies of a remote bucket: 8 GiB.
const DefaultCacheBytes int64 = 8 << 30

// CacheGrace is how long after its last use a local copy of a remote object
// stays, however full the cache is.
const CacheGrace = time.Minute

// OpenBucket opens a bucket by its place: a path or a file:// URL for a local
// folder, which is made where it is missing; s3:// (with the query parameters
// of gocloud.dev/blob/s3blob, such as region and endpoint, and AWS's usual
// environment for credentials) for S3 and what speaks its protocol; mem:// for
// tests.
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

// checkKey refuses what could leave the bucket or mean two things.
func checkKey(key string) error {
	if !fs.ValidPath(key) || key == "." || strings.ContainsAny(key, "\\\x00:") {
		return fmt.Errorf("bucket key %q: not a relative slash path", key)
	}
	return nil
}

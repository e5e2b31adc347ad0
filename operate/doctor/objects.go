package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"ballast/storage/columnar"
)

// Objects knows which objects of the bucket the database names.
type Objects interface {
	// NamedObjects returns the size in bytes of each named object, by key, or -1 if the
	// database does not know the size.
	NamedObjects(ctx context.Context) (map[string]int64, error)
}

// Bucket checks that objects can be stored, read and deleted.
func Bucket(bucket columnar.Bucket) Check {
	return Check{Name: "bucket", Look: func(ctx context.Context) ([]Finding, error) {
		return bucketFinding(probe(ctx, bucket)), nil
	}}
}

// bucketFinding returns a finding if err is not nil.
func bucketFinding(err error) []Finding {
	if err == nil {
		return nil
	}
	return []Finding{{
		Subject: "objects", Message: err.Error(),
		Advice: "check the folder's owner and free space, or the credentials and rights of --bucket-url: the service needs to read, write and delete objects",
	}}
}

func probe(ctx context.Context, bucket columnar.Bucket) (err error) {
	const text = "probe"
	key := "doctor/" + uuid.NewString()
	if err := bucket.Put(ctx, key, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return fmt.Errorf("write a test object: %w", err)
	}
	defer func() { err = errors.Join(err, bucket.Delete(context.WithoutCancel(ctx), key)) }()
	o, err := bucket.Open(ctx, key)
	if err != nil {
		return fmt.Errorf("read the test object: %w", err)
	}
	read := make([]byte, o.Size)
	_, readErr := o.ReadAt(read, 0)
	if errors.Is(readErr, io.EOF) {
		readErr = nil
	}
	if err := errors.Join(readErr, o.Close()); err != nil {
		return fmt.Errorf("read the test object: %w", err)
	}
	if string(read) != text {
		return errors.New("the test object differs from what was written")
	}
	return nil
}

// Inventory compares the bucket with the objects that the database names.
type Inventory struct {
	Bucket   columnar.Bucket
	Objects  Objects
	Prefixes []string                        // prefixes of the keys that the database names
	Grace    time.Duration                   // age from which an object that nothing names is an orphan
	Sweep    func(ctx context.Context) error // deletes orphans
	Progress func(objects int)               // called with the number of newly listed objects; may be nil
	Now      func() time.Time
}

// Missing checks that every object that the database names exists and has its full size.
func (v *Inventory) Missing() Check {
	return Check{Name: "objects", Look: func(ctx context.Context) ([]Finding, error) {
		sizes, err := v.list(ctx)
		if err != nil {
			return nil, err
		}
		named, err := v.Objects.NamedObjects(ctx)
		if err != nil {
			return nil, err
		}
		var findings []Finding
		for key, want := range named {
			entry, listed := sizes[key]
			size := entry.Size
			if !listed { // stored after the listing, or missing
				if size, err = v.sizeOf(ctx, key); errors.Is(err, columnar.ErrNotFound) {
					findings = append(findings, Finding{
						Subject: key, Message: "is named by the database, but missing from the bucket", Advice: restoreObject,
					})
					continue
				} else if err != nil {
					return nil, err
				}
			}
			if size == 0 || want >= 0 && size != want {
				findings = append(findings, Finding{
					Subject: key, Message: fmt.Sprintf("has %d bytes, but the database says %s", size, saidSize(want)), Advice: restoreObject,
				})
			}
		}
		return findings, nil
	}}
}

const restoreObject = "restore the object from the objects folder of a backup; without a backup, rebuild the model of a lost result, and import lost bars again"

func saidSize(n int64) string {
	if n < 0 {
		return "more"
	}
	return fmt.Sprint(n)
}

// sizeOf asks the bucket itself. Opening the object would be answered from this machine's
// local copy, and the object may be missing for all others.
func (v *Inventory) sizeOf(ctx context.Context, key string) (int64, error) {
	for entry, err := range v.Bucket.List(ctx, key) {
		if err != nil {
			return 0, err
		}
		if entry.Key == key {
			return entry.Size, nil
		}
	}
	return 0, columnar.ErrNotFound
}

// Orphans checks that the bucket has no old objects that the database does not name.
func (v *Inventory) Orphans() Check {
	return Check{Name: "orphans", Repair: v.Sweep, Look: func(ctx context.Context) ([]Finding, error) {
		entries, err := v.list(ctx) // list before asking the database, so that newer objects are not in the list
		if err != nil {
			return nil, err
		}
		named, err := v.Objects.NamedObjects(ctx)
		if err != nil {
			return nil, err
		}
		var findings []Finding
		for key, e := range entries {
			if _, ok := named[key]; ok || v.Now().Sub(e.Modified) < v.Grace {
				continue
			}
			findings = append(findings, Finding{
				Subject: key, Message: fmt.Sprintf("unused, %d bytes, modified %s", e.Size, e.Modified.UTC().Format(time.RFC3339)),
				Advice: "no action needed: a running service deletes it within the hour, and --fix deletes it now",
			})
		}
		return findings, nil
	}}
}

func (v *Inventory) list(ctx context.Context) (map[string]columnar.Entry, error) {
	entries := map[string]columnar.Entry{}
	for _, prefix := range v.Prefixes {
		for e, err := range v.Bucket.List(ctx, prefix) {
			if err != nil {
				return nil, err
			}
			entries[e.Key] = e
			if v.Progress != nil {
				v.Progress(1)
			}
		}
	}
	return entries, nil
}

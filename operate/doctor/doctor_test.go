package doctor_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"ballast/operate/doctor"
	"ballast/storage/columnar"
)

// named lists the objects of the bucket that a database names, with their sizes.
type named map[string]int64

// NamedObjects implements doctor.Objects.
func (n named) NamedObjects(context.Context) (map[string]int64, error) { return n, nil }

func TestInventory(t *testing.T) {
	t.Parallel()
	bucket, err := columnar.OpenBucket(t.Context(), t.TempDir(), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(key, text string) {
		if err := bucket.Put(t.Context(), key, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			t.Fatal(err)
		}
	}
	put("runs/whole", "12345")
	put("runs/short", "123")
	put("runs/orphan", "1")
	put("bars/whole", "1")
	put("bars/empty", "")
	v := &doctor.Inventory{
		Bucket: bucket, Prefixes: []string{"runs/", "bars/"}, Grace: time.Hour, Now: func() time.Time { return time.Now().Add(2 * time.Hour) },
		Objects: named{"runs/whole": 5, "runs/short": 5, "runs/gone": 5, "bars/whole": -1, "bars/empty": -1},
		Sweep:   func(ctx context.Context) error { return bucket.Delete(ctx, "runs/orphan") },
	}
	checks := []doctor.Check{doctor.Bucket(bucket), v.Missing(), v.Orphans()}
	r := doctor.Examine(t.Context(), checks, true)
	found := map[string]doctor.Finding{}
	for _, f := range r.Findings {
		found[f.Check+" "+f.Subject] = f
	}
	for _, want := range []string{"objects runs/short", "objects runs/gone", "objects bars/empty", "orphans runs/orphan"} {
		if found[want].Advice == "" {
			t.Errorf("%s is not found", want)
		}
	}
	if len(found) != 4 || r.Sound() || !found["orphans runs/orphan"].Fixed {
		t.Errorf("%+v", r)
	}
	v.Now = time.Now
	put("runs/orphan", "1")
	if r := doctor.Examine(t.Context(), []doctor.Check{v.Orphans()}, false); !r.Sound() {
		t.Errorf("a young object is an orphan: %+v", r)
	}
}

// An object of which this machine has a copy, and the bucket nothing, is missing.
func TestALocalCopyDoesNotHideAMissingObject(t *testing.T) {
	t.Parallel()
	bucket, err := columnar.OpenBucket(t.Context(), t.TempDir(), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	copies, err := columnar.OpenBucket(t.Context(), t.TempDir(), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := copies.Put(t.Context(), "runs/gone", func(w io.Writer) error { _, err := io.WriteString(w, "12345"); return err }); err != nil {
		t.Fatal(err)
	}
	v := &doctor.Inventory{Bucket: copied{bucket, copies}, Prefixes: []string{"runs/"}, Objects: named{"runs/gone": 5}, Now: time.Now}
	if r := doctor.Examine(t.Context(), []doctor.Check{v.Missing()}, false); len(r.Findings) != 1 || r.Findings[0].Subject != "runs/gone" {
		t.Errorf("%+v", r)
	}
}

// copied is a bucket whose objects are read from copies.
type copied struct {
	columnar.Bucket
	copies columnar.Bucket
}

func (c copied) Open(ctx context.Context, key string) (*columnar.Object, error) {
	return c.copies.Open(ctx, key)
}

func TestExamine(t *testing.T) {
	t.Parallel()
	none := func(context.Context) ([]doctor.Finding, error) { return nil, nil }
	one := func(context.Context) ([]doctor.Finding, error) { return []doctor.Finding{{Subject: "x"}}, nil }
	notice := func(context.Context) ([]doctor.Finding, error) {
		return []doctor.Finding{{Subject: "x", Notice: true}}, nil
	}
	fails := func(context.Context) ([]doctor.Finding, error) { return nil, errors.New("no answer") }
	tests := []struct {
		name   string
		checks []doctor.Check
		sound  bool
		skips  bool
	}{
		{"nothing found", []doctor.Check{{Name: "a", Look: none}}, true, false},
		{"a notice", []doctor.Check{{Name: "a", Look: notice}}, true, false},
		{"a finding", []doctor.Check{{Name: "a", Look: one}, {Name: "b", Look: none}}, false, false},
		{"a check that fails", []doctor.Check{{Name: "a", Look: fails}, {Name: "b", Look: none}}, false, false},
		{"a vital finding", []doctor.Check{{Name: "a", Look: one, Vital: true}, {Name: "b", Look: none}}, false, true},
		{"a vital check that fails", []doctor.Check{{Name: "a", Look: fails, Vital: true}, {Name: "b", Look: none}}, false, true},
		{"repairing that fails", []doctor.Check{{Name: "a", Look: one, Repair: func(context.Context) error { return errors.New("no") }}}, false, false},
		{"repairing that does not help", []doctor.Check{{Name: "a", Look: one, Repair: func(context.Context) error { return nil }}}, false, false},
	}
	for _, test := range tests {
		r := doctor.Examine(t.Context(), test.checks, true)
		if r.Sound() != test.sound || r.Checks[len(r.Checks)-1].Skipped != test.skips {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

func TestBucketThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	bucket, err := columnar.OpenBucket(t.Context(), t.TempDir(), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := doctor.Examine(t.Context(), []doctor.Check{doctor.Bucket(refusing{bucket})}, false)
	if r.Sound() || !strings.Contains(r.Findings[0].Message, "write a test object") {
		t.Errorf("%+v", r)
	}
}

// refusing is a bucket that refuses to store anything.
type refusing struct{ columnar.Bucket }

func (refusing) Put(context.Context, string, func(io.Writer) error) error {
	return errors.New("read-only")
}

func TestDisk(t *testing.T) {
	t.Parallel()
	r := doctor.Examine(t.Context(), []doctor.Check{doctor.Disk(t.TempDir()), doctor.Disk("/no/such/folder")}, false)
	if r.Checks[0].Failed != "" || r.Checks[1].Failed == "" {
		t.Errorf("%+v", r)
	}
}

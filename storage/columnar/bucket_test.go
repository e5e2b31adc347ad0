package columnar_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/storage/columnar"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func content(t *testing.T, b columnar.Bucket, key string) string {
	t.Helper()
	o, err := b.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	out, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func keys(t *testing.T, b columnar.Bucket, prefix string) []string {
	t.Helper()
	var out []string
	for e, err := range b.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Modified.IsZero() {
			t.Errorf("%s has no time", e.Key)
		}
		out = append(out, e.Key)
	}
	slices.Sort(out)
	return out
}

// Every kind of bucket gives the same guarantees.
func TestBucket(t *testing.T) {
	for name, place := range map[string]func(t *testing.T) string{
		"folder":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "a", "bucket") },
		"file URL": func(t *testing.T) string { return "file://" + t.TempDir() },
		"memory":   func(*testing.T) string { return "mem://" },
		"S3":       func(t *testing.T) string { return s3(t, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			keepsGuarantees(t, place(t))
		})
	}
}

// keepsGuarantees tries what every bucket promises on an empty one.
func keepsGuarantees(t *testing.T, place string) {
	t.Helper()
	b, err := columnar.OpenBucket(t.Context(), place, columnar.BucketOptions{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, key := range []string{"runs/a/daily.parquet", "runs/b.parquet", "bars/x"} {
		if err := b.Put(t.Context(), key, text("content of "+key)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, b, key); got != "content of "+key {
			t.Errorf("%s = %q", key, got)
		}
	}
	if d := cmp.Diff([]string{"runs/a/daily.parquet", "runs/b.parquet"}, keys(t, b, "runs/")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"runs/a/daily.parquet"}, keys(t, b, "runs/a")); d != "" {
		t.Error(d)
	}
	if got := keys(t, b, "none/"); got != nil {
		t.Errorf("none = %v", got)
	}
	path, err := b.Path(t.Context(), "runs/b.parquet")
	if err != nil || filepath.Ext(path) != ".parquet" {
		t.Errorf("Path = %q, %v", path, err)
	}
	failure := errors.New("failure")
	if err := b.Put(t.Context(), "bars/x", func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return failure
	}); !errors.Is(err, failure) {
		t.Errorf("Put = %v", err)
	}
	if got := content(t, b, "bars/x"); got != "content of bars/x" {
		t.Errorf("after a failed Put: %q", got)
	}
	if d := cmp.Diff([]string{"bars/x", "runs/a/daily.parquet", "runs/b.parquet"}, keys(t, b, "")); d != "" {
		t.Errorf("left behind: %s", d)
	}
	for range 2 {
		if err := b.Delete(t.Context(), "bars/x"); err != nil {
			t.Errorf("Delete = %v", err)
		}
	}
	for _, key := range []string{"bars/x", "runs"} {
		if _, err := b.Open(t.Context(), key); !errors.Is(err, columnar.ErrNotFound) {
			t.Errorf("Open %s = %v", key, err)
		}
	}
	for _, key := range []string{"", ".", "..", "../x", "a/../x", "/x", "a//b", "a/", `a\b`, "a\x00b", "c:x"} {
		if _, err := b.Path(t.Context(), key); err == nil || errors.Is(err, columnar.ErrNotFound) {
			t.Errorf("Path %q = %v", key, err)
		}
		if err := b.Put(t.Context(), key, text("")); err == nil {
			t.Errorf("Put %q went through", key)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Put(ctx, "late", text("late")); err == nil {
		t.Error("a cancelled Put went through")
	}
	if _, err := b.Open(t.Context(), "late"); !errors.Is(err, columnar.ErrNotFound) {
		t.Errorf("after a cancelled Put: %v", err)
	}
}

func TestListShowsUnfinishedFiles(t *testing.T) {
	dir := t.TempDir()
	b, err := columnar.OpenBucket(t.Context(), dir, columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".tmp-1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{".tmp-1"}, keys(t, b, "")); d != "" {
		t.Error(d)
	}
}

func TestOpenBucketRefuses(t *testing.T) {
	for place, want := range map[string]string{
		"ftp://host/x":  "unknown scheme",
		"file://host/x": "three slashes",
		"mem://":        "cache folder",
		"://x":          "missing protocol scheme",
	} {
		if _, err := columnar.OpenBucket(t.Context(), place, columnar.BucketOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", place, err, want)
		}
	}
}

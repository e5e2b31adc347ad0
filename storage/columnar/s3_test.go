package columnar_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"ballast/storage/columnar"
)

// s3 starts an S3 server in the process, behind a handler that may disturb it, and returns
// the place of its bucket.
func s3(t *testing.T, disturb func(http.Handler) http.Handler) string {
	t.Helper()
	store := s3mem.New()
	if err := store.CreateBucket("models"); err != nil {
		t.Fatal(err)
	}
	handler := gofakes3.New(store).Server()
	if disturb != nil {
		handler = disturb(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return fmt.Sprintf("s3://models?endpoint=%s&region=us-east-1&use_path_style=true&anonymous=true", server.URL)
}

func openS3(t *testing.T, place string) columnar.Bucket {
	t.Helper()
	b, err := columnar.OpenBucket(t.Context(), place, columnar.BucketOptions{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() }) // it was read
	return b
}

// Objects of more than one part arrive whole.
func TestLargeObjectsInParts(t *testing.T) {
	t.Parallel()
	var parts atomic.Int32
	b := openS3(t, s3(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("partNumber") {
				parts.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}))
	want := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	if err := b.Put(t.Context(), "runs/large", func(w io.Writer) error { _, err := w.Write(want); return err }); err != nil {
		t.Fatal(err)
	}
	if got := content(t, b, "runs/large"); got != string(want) {
		t.Errorf("%d bytes came back, not %d", len(got), len(want))
	}
	if parts.Load() < 2 {
		t.Errorf("%d parts were sent", parts.Load())
	}
}

// A store that is overloaded for a moment is asked again.
func TestRefusedRequestsAreRepeated(t *testing.T) {
	t.Parallel()
	var refused atomic.Int32
	b := openS3(t, s3(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if refused.Add(1)%3 != 0 {
				_, _ = io.Copy(io.Discard, r.Body) // so that the connection stays
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	}))
	if err := b.Put(t.Context(), "runs/a", text("whole")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, b, "runs/a"); got != "whole" {
		t.Errorf("runs/a = %q", got)
	}
}

// An answer that breaks off is no object: nothing of it is kept, and the next reader asks
// again.
func TestBrokenAnswersAreNotKept(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	b := openS3(t, s3(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || !broken.Load() {
				next.ServeHTTP(w, r)
				return
			}
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.Header().Set("Content-Length", fmt.Sprint(answer.Body.Len()))
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2]) // the rest never comes
		})
	}))
	want := strings.Repeat("x", 1<<16)
	if err := b.Put(t.Context(), "runs/a", text(want)); err != nil {
		t.Fatal(err)
	}
	broken.Store(true)
	if o, err := b.Open(t.Context(), "runs/a"); err == nil {
		_ = o.Close() // read alone
		t.Fatal("half an answer is an object")
	}
	broken.Store(false)
	if got := content(t, b, "runs/a"); got != want {
		t.Errorf("%d bytes, not %d", len(got), len(want))
	}
}

// Many readers of an object that is not in the cache cause one request.
func TestOneRequestForManyReaders(t *testing.T) {
	t.Parallel()
	var gets atomic.Int32
	b := openS3(t, s3(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/runs/a") {
				gets.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}))
	if err := b.Put(t.Context(), "runs/a", text("whole")); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 64 {
		readers.Go(func() {
			if _, err := b.Path(t.Context(), "runs/a"); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	if n := gets.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

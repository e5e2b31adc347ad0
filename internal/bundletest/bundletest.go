// Package bundletest checks scripts that pages load and that are made by esbuild of
// sources and vendored packages, and the vendored files themselves. With the flag -update
// a test writes what it would compare with.
package bundletest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

var update = flag.Bool("update", false, "write the bundle and the hashes of the vendored files")

// Bundle is a script and what it is made of.
type Bundle struct {
	Entry  string // path of the source that imports the others
	Output string // path of the committed script
	Banner string // comment at the beginning of the script: whose work it has, and how it is made
	Most   int    // most bytes that it may have when it is compressed with gzip
}

// Current compares a committed script with what esbuild makes of its sources. Packages
// are looked for in the folder vendor.
func Current(t *testing.T, b Bundle) {
	t.Helper()
	made := api.Build(api.BuildOptions{
		EntryPoints: []string{b.Entry}, NodePaths: []string{"vendor"}, Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		Banner: map[string]string{"js": "/* " + b.Banner + " */"},
	})
	for _, e := range made.Errors {
		t.Fatalf("%s: %+v", e.Text, e.Location)
	}
	text := made.OutputFiles[0].Contents
	if *update {
		if err := os.WriteFile(b.Output, text, 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(b.Output)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, text) {
		t.Errorf("%s is not what esbuild makes of the sources: run go generate in this folder", b.Output)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > b.Most {
		t.Errorf("%s has %d bytes compressed; at most %d are accepted", b.Output, packed.Len(), b.Most)
	}
	t.Logf("%d bytes, %d compressed", len(text), packed.Len())
}

// Published compares the files of the folder vendor with its SHA256SUMS.
func Published(t *testing.T) {
	t.Helper()
	const hashes = "vendor/SHA256SUMS"
	var lines strings.Builder
	err := filepath.WalkDir("vendor", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == hashes {
			return err
		}
		body, err := os.ReadFile(path) //nolint:gosec // a file of the repository
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(body), filepath.ToSlash(path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(hashes, []byte(lines.String()), 0o644); err != nil { //nolint:gosec // as above
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(hashes)
	if err != nil {
		t.Fatal(err)
	}
	if string(stored) != lines.String() {
		t.Errorf("a vendored file differs from %s", hashes)
	}
}

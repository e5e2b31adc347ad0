package editor

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

const (
	bundle = "../assets/editor.js"
	hashes = "vendor/SHA256SUMS"
	// mostCompressed is the most bytes that the bundle may have, compressed.
	mostCompressed = 250 << 10
)

// TestBundleIsCurrent compares the committed bundle with what esbuild makes of the
// sources. go generate writes it.
func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	made := api.Build(api.BuildOptions{
		EntryPoints: []string{"editor.js"}, NodePaths: []string{"vendor"}, Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		Banner: map[string]string{"js": "/* The editor of scripts, with CodeMirror and Lezer (MIT, Copyright (C) 2018 by Marijn Haverbeke and others). Made by go generate ./api/console/editor; the sources and their licences are there. */"},
	})
	for _, e := range made.Errors {
		t.Fatalf("%s: %+v", e.Text, e.Location)
	}
	text := made.OutputFiles[0].Contents
	if *update {
		if err := os.WriteFile(bundle, text, 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, text) {
		t.Errorf("%s is not what esbuild makes of the sources: run go generate ./api/console/editor", bundle)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > mostCompressed {
		t.Errorf("the editor has %d bytes compressed; at most %d are accepted", packed.Len(), mostCompressed)
	}
	t.Logf("%d bytes, %d compressed", len(text), packed.Len())
}

// TestVendoredFilesAreTheOnesThatWerePublished compares their hashes with SHA256SUMS.
func TestVendoredFilesAreTheOnesThatWerePublished(t *testing.T) {
	t.Parallel()
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

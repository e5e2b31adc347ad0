package editor

import (
	"testing"

	"ballast/internal/bundletest"
)

// TestBundleIsCurrent compares the committed bundle with what esbuild makes of the
// sources. go generate writes it.
func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	bundletest.Current(t, bundletest.Bundle{
		Entry: "editor.js", Output: "../assets/editor.js", Most: 250 << 10,
		Banner: "The editor of scripts, with CodeMirror and Lezer (MIT, Copyright (C) 2018 by Marijn Haverbeke and others). Made by go generate ./api/console/editor; the sources and their licences are there.",
	})
}

// TestVendoredFilesAreTheOnesThatWerePublished compares their hashes with SHA256SUMS.
func TestVendoredFilesAreTheOnesThatWerePublished(t *testing.T) {
	t.Parallel()
	bundletest.Published(t)
}

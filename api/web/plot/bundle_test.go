package plot

import (
	"testing"

	"ballast/internal/bundletest"
)

// TestBundleIsCurrent compares the committed bundle with what esbuild makes of the
// sources. go generate writes it.
func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	bundletest.Current(t, bundletest.Bundle{
		Entry: "plot.js", Output: "../assets/plot.js", Most: 30 << 10,
		Banner: "The growth of a result, with uPlot (MIT, Copyright (c) 2022 Leon Sorokin). Made by go generate ./api/web/plot; the sources and their licences are there.",
	})
}

// TestVendoredFilesAreTheOnesThatWerePublished compares their hashes with SHA256SUMS.
func TestVendoredFilesAreTheOnesThatWerePublished(t *testing.T) {
	t.Parallel()
	bundletest.Published(t)
}

// Package plot holds the sources of the script that lets readers explore the growth on a
// result page: plot.js, and in vendor the package uPlot, as npm serves it (MIT), with its
// licence and hashes. esbuild makes one file of them, which is committed as
// api/web/assets/plot.js, so nobody needs Node:
//
//	go generate ./api/web/plot
//
// A test fails if that file is not what the sources make. Pages work without the script:
// it replaces a drawing that is already there.
package plot

import _ "embed"

//go:generate go test -run TestBundleIsCurrent|TestVendoredFiles -update .

// Style are the rules of style sheets that uPlot needs.
//
//go:embed vendor/uplot/dist/uPlot.min.css
var Style string

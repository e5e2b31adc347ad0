// Package editor holds the sources of the console's editor: editor.js, and in vendor the
// packages of CodeMirror 6 and Lezer that it imports, as npm serves them (MIT), with their
// versions, licences and hashes. esbuild makes one file of them, which is committed as
// api/console/assets/editor.js, so nobody needs Node:
//
//	go generate ./api/console/editor
//
// A test fails if that file is not what the sources make.
package editor

//go:generate go test -run TestBundleIsCurrent|TestVendoredFiles -update .

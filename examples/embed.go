package examples

import (
	"embed"
	"io/fs"
)

// FS holds the scripts, in one folder.
//
//go:embed *.py
var FS embed.FS

// Names returns the names of the scripts' files, sorted.
func Names() []string {
	names, err := fs.Glob(FS, "*.py")
	if err != nil {
		panic(err) // the pattern is a constant, and embedded folders can be read
	}
	return names
}

// Source returns the text of a script. The error is fs.ErrNotExist if there is no file
// with that name.
func Source(name string) (string, error) {
	text, err := FS.ReadFile(name)
	return string(text), err
}

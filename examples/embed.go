package examples

import (
	"embed"
	"io/fs"
)

// FS holds the scripts: models in the folder itself, simulations in simulations, analyses
// in analyses.
//
//go:embed *.py simulations/*.py analyses/*.py
var FS embed.FS

// Names returns the names of the models' files, sorted.
func Names() []string { return matching("*.py") }

// Simulations returns the names of the simulations' files, sorted, such as
// "simulations/four_percent.py".
func Simulations() []string { return matching("simulations/*.py") }

// Analyses returns the names of the analyses' files, sorted, such as
// "analyses/correlation.py".
func Analyses() []string { return matching("analyses/*.py") }

func matching(pattern string) []string {
	names, err := fs.Glob(FS, pattern)
	if err != nil {
		panic(err) // the patterns are constants, and embedded folders can be read
	}
	return names
}

// Source returns the text of a script. The error is fs.ErrNotExist if there is no file
// with that name.
func Source(name string) (string, error) {
	text, err := FS.ReadFile(name)
	return string(text), err
}

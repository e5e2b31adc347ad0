// Package docs carries the pages of documentation that the service serves to its
// users.
package docs

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.md decisions/*.md
var files embed.FS

// Names lists every page: its path below docs/ without the ending, in order.
func Names() []string {
	var names []string
	err := fs.WalkDir(files, ".", func(path string, _ fs.DirEntry, err error) error {
		if name, page := strings.CutSuffix(path, ".md"); page && err == nil {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic("docs: " + err.Error()) // the files are in the binary
	}
	return names
}

// Page is a page in Markdown. It panics for a name that is not one of Names.
func Page(name string) []byte {
	text, err := files.ReadFile(name + ".md")
	if err != nil {
		panic("docs: " + err.Error())
	}
	return text
}

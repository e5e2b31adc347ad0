// Package asset serves the files that pages load: style sheets and scripts that are part
// of the binary. Their addresses name their content, so that browsers may keep them for
// ever.
//
//	files, err := asset.Read("/assets/", embedded, "assets")
//	router.Path(files.Path()).HandlerFunc(files.Serve)
//	address := files.Address("plot.js")
package asset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/gorilla/mux"
)

// file is a file that pages load.
type file struct {
	media  string
	body   []byte
	packed func() ([]byte, error) // compressed with gzip when it is first asked for
}

// Files are the files of a part of the service.
type Files struct {
	root   string
	files  map[string]file   // by the last part of their addresses
	hashed map[string]string // by file name, the last part of the address
}

// Read reads the files of a folder. root is where their addresses begin, with a slash at
// the end.
func Read(root string, embedded fs.FS, folder string) (*Files, error) {
	a := &Files{root: root, files: map[string]file{}, hashed: map[string]string{}}
	entries, err := fs.ReadDir(embedded, folder)
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", root, err)
	}
	for _, entry := range entries {
		body, err := fs.ReadFile(embedded, path.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the file %s of %s: %w", entry.Name(), root, err)
		}
		a.Add(entry.Name(), body)
	}
	return a, nil
}

// Add adds a file.
func (a *Files) Add(name string, body []byte) {
	sum := sha256.Sum256(body)
	extension := path.Ext(name)
	last := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:8]) + extension
	a.files[last] = file{mime.TypeByExtension(extension), body, sync.OnceValues(func() ([]byte, error) { return pack(body) })}
	a.hashed[name] = last
}

// Path is the route of all files.
func (a *Files) Path() string { return a.root + "{name}" }

// Address returns where pages load a file from.
func (a *Files) Address(name string) string { return a.root + a.hashed[name] }

// Serve serves a file to anybody: it holds nothing private.
func (a *Files) Serve(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[mux.Vars(r)["name"]]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", file.media)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Vary", "Accept-Encoding")
	body := file.body
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if packed, err := file.packed(); err == nil {
			w.Header().Set("Content-Encoding", "gzip")
			body = packed
		}
	}
	_, _ = w.Write(body)
}

func pack(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
